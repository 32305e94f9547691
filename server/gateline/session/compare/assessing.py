"""Has a model assess candidates, where a person asked for it and named where it is.

What it says moves places in the last stage alone; an answer that cannot be used moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from gateline.evals.assessing import not_shown, question
from gateline.evals.judgement import Answer, unusable
from gateline.services.models.channel import RECORDED, Endpoint, ModelChannel, channel
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
_PER_TOKEN = 4
"""Characters of a token, where the endpoint counts none or its answer was not waited for."""
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
        raise UsageError('what asks a model is not installed: pip install "gateline[models]"')
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
            sent = len(question(task, one.added).material) // _PER_TOKEN
            left -= answer.tokens or answer.requests * sent
            found.append(Assessment(one.name, answer))
    finally:
        await asking.stop()
    return tuple(found)


async def _answer(asking: ModelChannel, one: Material, task: str, model: str, left: int) -> Answer:
    asked = question(redacted(task), redacted(one.added))
    if not one.added.strip():
        return unusable(asked, model, "it adds no Python lines")
    if left <= 0:
        return unusable(asked, model, "the tokens of this command are used up (models.tokens)")
    return await asking.ask(asked, left)


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


def told(candidates: Iterable[Material], found: Iterable[Assessment], endpoint: Endpoint) -> list[str]:
    """Notes: where what was sent, what was not shown to it, and which answers could not be used."""
    rows = list(found)
    tokens = sum(one.answer.tokens for one in rows)
    usable = {one.name for one in rows if not one.answer.problem}
    hidden = {one.name: not_shown(redacted(one.added)) for one in candidates if one.name in usable}
    place = f"{endpoint.model} at {endpoint.shown}"
    return [
        f"assessed by {place}, {tokens} tokens: the task, and what candidates add",
        *(
            f"{name}: {count:,} characters were not shown to the model"
            for name, count in hidden.items()
            if count
        ),
        *(f"{one.name} was not assessed: {one.answer.problem}" for one in rows if one.answer.problem),
    ]


def _is_the_persons(origin: str) -> bool:
    return origin.endswith("in the environment") or origin in ("command line", DEFAULT)
