"""The one way to ask a model: a process of its own that asks the endpoint, with limits that are kept.

The process is killed when its time is over, whatever it waits for.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

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

    async def ask(self, question: Question) -> Answer:
        """The judgements; neutral ones without weight where there is no answer that can be used."""
        ...

    async def stop(self) -> None:
        """End what it started."""
        ...


class EndpointChannel:
    """Any endpoint that speaks OpenAI's API."""

    def __init__(self, endpoint: Endpoint, child: Child | None = None) -> None:
        self._endpoint = endpoint
        self._child = child or Child("gateline.services.models.child_main")

    async def ask(self, question: Question) -> Answer:
        """Ask the process; one that is late is killed, and its answer cannot be used."""
        began, limit = time.perf_counter(), self._endpoint.seconds
        try:
            await self._child.ask(None, _START)
            answer: Answer = await self._child.ask(Asked(self._endpoint, question), limit + 1.0)
        except ChildTimeoutError:
            answer = unusable(question, self._endpoint.model, f"no answer within {limit:g} s")
        except ChildError as error:
            answer = unusable(question, self._endpoint.model, last_line(error))
        return replace(answer, seconds=round(time.perf_counter() - began, 2))

    async def stop(self) -> None:
        """End the process."""
        await self._child.stop()


class RecordedChannel:
    """Answers that were recorded: a line of JSON for each, with the digest of its question."""

    def __init__(self, file: Path) -> None:
        """Raises OSError and ValueError for a file that has none."""
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        self._known = {row["question"]: row for row in rows}

    async def ask(self, question: Question) -> Answer:
        """The recorded answer."""
        row = self._known.get(question.digest)
        if row is None:
            return unusable(question, "recorded", f"no answer is recorded for {question.digest}")
        judged = [
            Judgement(**{**one, "suggestions": tuple(one.get("suggestions", ()))})
            for one in row["judgements"]
        ]
        return Answer(tuple(judged), str(row["model"]))

    async def stop(self) -> None:
        """Nothing was started."""


def channel(endpoint: Endpoint) -> ModelChannel:
    """What answers for an endpoint. Raises OSError and ValueError for unreadable recorded answers."""
    if endpoint.url.startswith(RECORDED):
        return RecordedChannel(Path(endpoint.url.removeprefix(RECORDED)))
    return EndpointChannel(endpoint)
