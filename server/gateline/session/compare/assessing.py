"""Has a model assess candidates, where a person asked for it and named where it is.

What it says moves places in the last stage alone; an answer that cannot be used moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from gateline.evals.assessing import question
from gateline.evals.judgement import Answer, Question, unusable
from gateline.model.token_count import tokens_of
from gateline.services.models.channel import RECORDED, Endpoint, channel
from gateline.session.compare.measured import Assessment
from gateline.session.context.secrets import redacted
from gateline.session.errors import UsageError
from gateline.settings.load import DEFAULT, Loaded
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.judgements import Judgements

_OPERATION = "compare"
_NAMED = "name one, as GATELINE_MODELS__ENDPOINT=http://127.0.0.1:11434/v1 GATELINE_MODELS__NAME=qwen3"
_ASKS = ("openai", "pydantic_ai")
"""The packages that ask; their extra is `gateline[models]`."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Material:
    """A candidate as a model sees it."""

    name: str
    tree: str
    """git's name of its content."""
    added: str
    """What it adds and changes in Python files."""


def endpoint_of(loaded: Loaded, environ: Mapping[str, str]) -> Endpoint:
    """Where the person has a model asked.

    Raises:
        UsageError: they named none, a file of the workspace speaks of it, or what asks is not installed.

    """
    settings = loaded.settings.models
    for key, origin in loaded.origins.items():
        if key.startswith("models.") and not _is_the_persons(origin):
            raise UsageError(
                f"{key} of {origin} is not heeded: a file of the workspace says neither where its content is "
                "sent nor what that may cost; take it out: the environment and the command line can say it"
            )
    if settings.endpoint is None or settings.name is None:
        missing = "endpoint" if settings.endpoint is None else "name"
        raise UsageError(f"--assess needs a model, and models.{missing} is not set; {_NAMED}")
    if not settings.endpoint.startswith(RECORDED) and not all(map(find_spec, _ASKS)):
        raise UsageError('asking a model needs an extra: pip install "gateline[models]"')
    secret = environ.get(settings.key_variable, "") if settings.key_variable else ""
    if settings.key_variable and not secret:
        # Not its name: somebody may have written the key itself there.
        raise UsageError(
            "models.key-variable names a variable that is not set in the environment; set it to the key, "
            "and the setting to its name: GATELINE_MODELS__KEY_VARIABLE=OPENAI_API_KEY"
        )
    return Endpoint(
        settings.endpoint, settings.name, secret, settings.timeout, settings.retries, settings.tokens
    )


class Assessor:
    """Asks one model, for at most the tokens of its endpoint in all."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Raises UsageError for unreadable recorded answers."""
        self._endpoint = endpoint
        try:
            self._channel = channel(endpoint)
        except (OSError, ValueError) as error:
            raise UsageError(f"models.endpoint {endpoint.url!r} cannot be read: {error}") from error

    async def assess(self, candidates: Iterable[Material], task: str, tell: Tell) -> tuple[Assessment, ...]:
        """What the model says of each candidate, in turn."""
        found: list[Assessment] = []
        left = self._endpoint.tokens
        try:
            for one in candidates:
                tell(f"{one.name}: assessed by {self._endpoint.model}")
                asked = question(redacted(task), redacted(one.added))
                answer = await self._answer(asked, left, is_empty=not one.added.strip())
                # Where the endpoint counts none, or its answer was not waited for, what was sent counts.
                left -= answer.tokens or answer.requests * tokens_of(asked.material)
                found.append(Assessment(one.name, one.tree, asked, answer))
        finally:
            await self._channel.stop()
        return tuple(found)

    async def _answer(self, asked: Question, left: int, *, is_empty: bool) -> Answer:
        if is_empty:
            return unusable(asked, self._endpoint.model, "it adds no Python lines")
        if left <= 0:
            problem = "the tokens of this command are used up (models.tokens)"
            return unusable(asked, self._endpoint.model, problem)
        return await self._channel.ask(asked, left)

    def told(self, found: Iterable[Assessment]) -> list[str]:
        """Notes: where what was sent, what was not shown to it, and which answers could not be used."""
        rows = list(found)
        tokens = sum(one.answer.tokens for one in rows)
        place = f"{self._endpoint.model} at {self._endpoint.shown}"
        return [
            f"assessed by {place}, {tokens} tokens: the task, and what candidates add",
            *(
                f"{one.name}: {one.question.hidden:,} characters were not shown to the model"
                for one in rows
                if one.question.hidden and not one.answer.problem
            ),
            *(f"{one.name} was not assessed: {one.answer.problem}" for one in rows if one.answer.problem),
        ]


def keep(root: Path, found: Iterable[Assessment], folder: Path | None = None) -> str:
    """Keep what was said; why it was not kept, or empty. Blocks."""
    try:
        database = Database(state_of(root, folder) / DATABASE)
        try:
            store = Judgements(database)
            for one in found:
                store.add(_OPERATION, one.tree, one.question, one.answer, datetime.now(UTC))
        finally:
            database.close()
    except StoreError as error:
        return f"what the model said was not kept: {error}"
    return ""


def _is_the_persons(origin: str) -> bool:
    return origin.endswith("in the environment") or origin in ("command line", DEFAULT)
