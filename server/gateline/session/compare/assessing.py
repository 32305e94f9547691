"""Has a model assess candidates, where a person asked for it and named where it is.

What it says moves places in the last stage alone; an answer that cannot be used moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gateline.evals.assessing import question
from gateline.evals.judgement import unusable
from gateline.memory.lesson import Source
from gateline.memory.ranking import MOST
from gateline.memory.reminders import Occasion
from gateline.services.models.channel import Endpoint, ModelChannel
from gateline.services.models.editor import Editor, EditorChannel
from gateline.session.compare.measured import Assessment
from gateline.session.context.secrets import redacted
from gateline.session.memory.reminding import note_uses, reminded, sentence
from gateline.session.models.asking import Asking
from gateline.session.models.endpoint import editor_of, endpoint_of
from gateline.settings.load import Loaded
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.judgements import Judgements

_OPERATION = "compare"
_EVALS = "assessments"
"""The suite of evals of what is asked here."""
_LEARNED = 300
"""Tokens of lessons in a question, at most."""
_SHARE = 10
"""Lessons take at most one in so many of the tokens that a command may use, in all of its questions."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Material:
    """A candidate as a model sees it."""

    name: str
    tree: str
    """git's name of its content."""
    added: str
    """What it adds and changes in Python files."""


class Assessor:
    """Asks one model about candidates, for at most the tokens of its endpoint in all."""

    def __init__(self, endpoint: Endpoint, asked: ModelChannel | None = None) -> None:
        """Ask `asked`, or what the endpoint names. Raises UsageError for unreadable recorded answers."""
        self._endpoint = endpoint
        self._asking = Asking(endpoint, asked)

    def room(self, questions: int) -> int:
        """The tokens of lessons that each of some questions may hold."""
        return min(_LEARNED, self._endpoint.tokens // (_SHARE * max(1, questions)))

    async def assess(
        self, candidates: Iterable[Material], task: str, tell: Tell, learned: Sequence[str] = ()
    ) -> tuple[Assessment, ...]:
        """What the model says of each candidate, in turn. It is told what was `learned` of assessments."""
        learned = [redacted(one) for one in learned]
        found: list[Assessment] = []
        try:
            for one in candidates:
                tell(f"{one.name}: assessed by {self._endpoint.model}")
                asked = question(redacted(task), redacted(one.added), learned)
                if one.added.strip():
                    answer = await self._asking.ask(asked)
                else:
                    answer = unusable(asked, self._endpoint.model, "it adds no Python lines")
                found.append(Assessment(one.name, one.tree, asked, answer))
        finally:
            await self._asking.stop()
        return tuple(found)

    def told(self, found: Iterable[Assessment], learned: Sequence[str] = ()) -> list[str]:
        """Notes: where what was sent, what was not shown to it, and which answers could not be used."""
        rows = list(found)
        tokens = sum(one.answer.tokens for one in rows)
        models = ", ".join(dict.fromkeys(one.answer.model for one in rows)) or self._endpoint.model
        place = f"{models} at {self._endpoint.shown}"
        lessons = f", and {len(learned)} of the lessons of failed evals" if learned else ""
        return [
            f"assessed by {place}, {tokens} tokens: the task, and what candidates add{lessons}",
            *(
                f"{one.name}: {one.question.hidden:,} characters were not shown to the model"
                for one in rows
                if one.question.hidden and not one.answer.problem
            ),
            *(f"{one.name} was not assessed: {one.answer.problem}" for one in rows if one.answer.problem),
        ]


def assessor_of(loaded: Loaded, environ: Mapping[str, str], editor: Editor | None) -> Assessor:
    """Who asks the model of an editor, where one is given, else at the endpoint that the person named.

    Raises UsageError where none can be asked.
    """
    if editor is None:
        return Assessor(endpoint_of(loaded, environ))
    limits = editor_of(loaded)
    return Assessor(limits, EditorChannel(limits, editor))


def learned_of_assessments(root: Path, budget: int, folder: Path | None = None) -> tuple[str, ...]:
    """In which evals assessments failed, in at most `budget` tokens. Each use is noted. Blocks.

    Lessons that people and agents wrote are left out: an agent could praise its own candidate in one.
    Nothing where the store cannot be read: `keep` says so.
    """
    try:
        database = Database(state_of(root, folder) / DATABASE)
        try:
            occasion = Occasion((_EVALS,))
            out = reminded(database, root, occasion, MOST, budget, source=Source.EVAL)
            note_uses(database, out, occasion)
            return tuple(map(sentence, out.found))
        finally:
            database.close()
    except StoreError:
        return ()


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
