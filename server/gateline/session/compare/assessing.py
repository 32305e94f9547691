"""Has a model assess candidates, where a person asked for it and named where it is.

What it says moves places in the last stage alone; an answer that cannot be used moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gateline.evals.assessing import question
from gateline.evals.judgement import Answer, unusable
from gateline.services.models.channel import Endpoint, ModelChannel, channel
from gateline.session.context.secrets import redacted
from gateline.session.errors import UsageError
from gateline.settings.load import Loaded
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.judgements import Judgements

_OPERATION = "compare"
_NAMED = "name one, as GATELINE_MODELS__ENDPOINT=http://127.0.0.1:11434/v1 GATELINE_MODELS__NAME=qwen3"
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Material:
    """A candidate as a model sees it."""

    name: str
    tree: str
    added: str
    """What it adds and changes in Python files."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What was said of one candidate."""

    name: str
    answer: Answer

    @property
    def counted(self) -> Mapping[str, tuple[float, float]]:
        """The scores that have a weight, with it."""
        return {one.criterion: (one.score, one.weight) for one in self.answer.judgements if one.weight > 0}


def endpoint_of(loaded: Loaded, environ: Mapping[str, str]) -> Endpoint:
    """Where the person has a model asked. Raises UsageError where they named none."""
    settings = loaded.settings.models
    for key in ("endpoint", "name", "key_variable"):
        origin = loaded.origins[f"models.{key.replace('_', '-')}"]
        if getattr(settings, key) is not None and not _is_the_persons(origin):
            raise UsageError(
                f"models.{key} of {origin} is not heeded: a file of the workspace may not; {_NAMED}"
            )
    if settings.endpoint is None or settings.name is None:
        missing = "endpoint" if settings.endpoint is None else "name"
        raise UsageError(f"--assess needs a model, and models.{missing} is not set; {_NAMED}")
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


async def assessed(
    candidates: Iterable[Material], task: str, endpoint: Endpoint, tell: Tell
) -> tuple[Assessment, ...]:
    """What the model says of each candidate, in turn. Raises UsageError for unreadable recorded answers."""
    try:
        asking = channel(endpoint)
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"models.endpoint {endpoint.url!r} cannot be read: {error}") from error
    found: list[Assessment] = []
    left = endpoint.tokens
    try:
        for one in candidates:
            tell(f"{one.name}: assessed by {endpoint.model}")
            answer = await _answer(asking, one, task, endpoint.model, left)
            left -= answer.tokens
            found.append(Assessment(one.name, answer))
    finally:
        await asking.stop()
    return tuple(found)


async def _answer(asking: ModelChannel, one: Material, task: str, model: str, left: int) -> Answer:
    asked = question(redacted(task), redacted(one.added))
    if left <= 0:
        return unusable(asked, model, "the tokens of this command are used up (models.tokens)")
    return await asking.ask(asked)


def keep(
    root: Path,
    task: str,
    candidates: Iterable[Material],
    found: Iterable[Assessment],
    folder: Path | None = None,
) -> str:
    """Keep what was said; why it was not kept, or empty. Blocks."""
    by_name = {one.name: one for one in candidates}
    try:
        database = Database(state_of(root, folder) / DATABASE)
        try:
            store = Judgements(database)
            for one in found:
                material = by_name[one.name]
                asked = question(redacted(task), redacted(material.added))
                store.add(_OPERATION, material.tree, asked, one.answer, datetime.now(UTC))
        finally:
            database.close()
    except StoreError as error:
        return f"what the model said was not kept: {error}"
    return ""


def told(found: Iterable[Assessment], endpoint: Endpoint) -> list[str]:
    """Notes: where what was sent, and which answers could not be used."""
    rows = list(found)
    tokens = sum(one.answer.tokens for one in rows)
    sent = (
        f"assessed by {endpoint.model} at {endpoint.shown}, {tokens} tokens: the task, and what candidates add"
    )
    return [
        sent,
        *(f"{one.name} was not assessed: {one.answer.problem}" for one in rows if one.answer.problem),
    ]


def _is_the_persons(origin: str) -> bool:
    return origin.endswith("in the environment") or origin == "command line"
