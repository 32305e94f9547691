"""The one way to ask a model: a process of its own that asks the endpoint, with limits that are kept.

The process is killed when its time is over, whatever it waits for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from gateline.evals.judgement import Answer, Judgement, Question, unusable
from gateline.services.child import Child, ChildError, ChildTimeoutError, last_line

RECORDED = "recorded:"
"""Before the path of a file with recorded answers, in the place of an endpoint."""
_START = 60.0
"""Seconds that the start of the process may take besides: it imports much."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked, and within which limits."""

    url: str
    """As `http://127.0.0.1:11434/v1`, of the API that OpenAI has."""
    model: str
    key: str = ""
    """The secret that goes along; never logged or stored, `without_secrets` takes it out of messages."""
    seconds: float = 60.0
    """For one question with all of its retries."""
    attempts: int = 2
    """Times that an answer which is not valid is asked for again, with what is wrong with it."""
    tokens: int = 20_000
    """For one question with all of its retries."""

    @property
    def shown(self) -> str:
        """The URL without the name and password that may stand in it, and without its query."""
        scheme, _, rest = self.url.partition("//")
        _, at, place = rest.rpartition("@")
        return f"{scheme}//{'…@' if at else ''}{place.partition('?')[0]}" if rest else self.url

    def without_secrets(self, text: str) -> str:
        """A message without the key and what else is secret of the URL: bodies of answers may repeat them."""
        user, _, place = self.url.partition("//")[2].rpartition("@")
        text = text.replace(self.url, self.shown)
        for secret in (self.key, user, user.partition(":")[2], place.partition("?")[2]):
            text = text.replace(secret, "…") if secret else text
        return text


@dataclass(frozen=True, slots=True)
class Asked:
    """What the process is asked; answered by an `Answer`."""

    endpoint: Endpoint
    question: Question


class ModelChannel(Protocol):
    """Answers questions; never raises for what a model does."""

    async def ask(self, question: Question, tokens: int) -> Answer:
        """The judgements; neutral ones without confidence where there is no answer that can be used.

        `tokens`: at most so many, and no more than the endpoint's own limit.
        """
        ...

    async def stop(self) -> None:
        """End what it started."""
        ...


class EndpointChannel:
    """Any endpoint that speaks OpenAI's API."""

    def __init__(self, endpoint: Endpoint, child: Child | None = None) -> None:
        self._endpoint = endpoint
        self._child = child or Child("gateline.services.models.child_main")

    async def ask(self, question: Question, tokens: int) -> Answer:
        """Ask the process; one that is late is killed, and its answer cannot be used."""
        began, limit = time.perf_counter(), self._endpoint.seconds
        try:
            await self._child.ask(None, _START)
            endpoint = replace(self._endpoint, tokens=min(tokens, self._endpoint.tokens))
            answer: Answer = await self._child.ask(Asked(endpoint, question), limit + 1.0)
        except ChildTimeoutError:
            # At least one request: what it used is not known.
            answer = unusable(question, self._endpoint.model, f"no answer within {limit:g} s", requests=1)
        except ChildError as error:
            told = self._endpoint.without_secrets(last_line(error))
            answer = unusable(question, self._endpoint.model, told)
        return replace(answer, seconds=round(time.perf_counter() - began, 2))

    async def stop(self) -> None:
        """End the process."""
        await self._child.stop()


class RecordedChannel:
    """Answers that were recorded: a line of JSON for each, with the digest of its question."""

    def __init__(self, file: Path) -> None:
        """Raises OSError for a file that cannot be read, and ValueError with the line that is no answer."""
        self._known: dict[str, Answer] = {}
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                try:
                    row = json.loads(line)
                    self._known[str(row["question"])] = _recorded(row)
                except (ValueError, TypeError, LookupError, AttributeError) as error:
                    raise ValueError(
                        f"line {number} is not a recorded answer: {type(error).__name__}: {error}"
                    ) from error

    async def ask(self, question: Question, tokens: int) -> Answer:
        """The recorded answer; it takes no tokens."""
        found = self._known.get(question.digest)
        return found or unusable(question, "recorded", f"no answer is recorded for {question.digest}")

    async def stop(self) -> None:
        """Nothing was started."""


def recorded_row(question: Question, answer: Answer) -> str:
    """The line that gives an answer again."""
    judged = [asdict(one) for one in answer.judgements]
    return json.dumps({"question": question.digest, "model": answer.model, "judgements": judged})


def _recorded(row: Mapping[str, Any]) -> Answer:
    """The answer of one line. Raises ValueError, TypeError and LookupError for what is none."""
    judged = [
        Judgement(**{**one, "suggestions": tuple(one.get("suggestions", ()))}) for one in row["judgements"]
    ]
    for one in judged:
        if not (0 <= one.score <= 1 and 0 <= one.confidence <= 1):
            raise ValueError(f"{one.criterion}: score and confidence must be from 0 to 1")
    return Answer(tuple(judged), str(row["model"]))


def channel(endpoint: Endpoint) -> ModelChannel:
    """What answers for an endpoint. Raises OSError and ValueError for unreadable recorded answers."""
    if endpoint.url.startswith(RECORDED):
        return RecordedChannel(Path(endpoint.url.removeprefix(RECORDED)))
    return EndpointChannel(endpoint)
