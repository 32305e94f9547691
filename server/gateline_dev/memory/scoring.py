"""What memory makes of labelled pairs, and what it finds: by `Memory`, which commands and server ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from gateline.memory.lesson import Note, Outcome
from gateline.session.memory.embedding import Maker
from gateline.session.memory.memory import Memory
from gateline.session.memory.requests import Recall
from gateline.store.database import Database
from gateline_dev.memory.pairs import KINDS, Pair

_DEEP = 5
"""Lessons of an answer that are looked at."""


@dataclass
class Judged:
    """Pairs with what became of their notes."""

    rows: list[tuple[Pair, Outcome, str]] = field(default_factory=list)

    def share(self, kind: str, outcome: Outcome) -> tuple[int, int]:
        """How many notes of a kind had an outcome, and of how many."""
        mine = [made for pair, made, _ in self.rows if pair.kind == kind]
        return sum(made is outcome for made in mine), len(mine)

    @property
    def precision(self) -> float:
        """The share of new versions that are right."""
        merged = [pair.wanted is Outcome.UPDATE for pair, made, _ in self.rows if made is Outcome.UPDATE]
        return sum(merged) / max(1, len(merged))

    @property
    def recall(self) -> float:
        """The share of notes about the lesson's subject that became its new version."""
        wanted = [made is Outcome.UPDATE for pair, made, _ in self.rows if pair.wanted is Outcome.UPDATE]
        return sum(wanted) / max(1, len(wanted))

    @property
    def false_merges(self) -> float:
        """The share of notes about something else that took a lesson's place."""
        others = [made is not Outcome.CREATE for pair, made, _ in self.rows if pair.wanted is Outcome.CREATE]
        return sum(others) / max(1, len(others))

    @property
    def duplicates(self) -> float:
        """The share of equal contents that were known."""
        same = [made is Outcome.NOOP for pair, made, _ in self.rows if pair.wanted is Outcome.NOOP]
        return sum(same) / max(1, len(same))

    def told(self) -> Iterator[str]:
        """The figures, in lines."""
        yield (
            f"duplicates known {self.duplicates:.3f}, new versions: precision {self.precision:.3f}, "
            f"recall {self.recall:.3f}, false merges {self.false_merges:.3f}"
        )
        for kind, wanted in KINDS.values():
            right, of = self.share(kind, wanted)
            yield f"  {kind}: {right} of {of} {wanted}"

    def mistakes(self) -> Iterator[str]:
        """Each pair that was not judged as it is labelled."""
        for pair, made, why in self.rows:
            if made is not pair.wanted:
                yield f"  {pair.kind}, {made} ({why}):\n    {pair.old}\n    {pair.new}"


@dataclass(frozen=True)
class Together:
    """What became of all notes of a part beside all of its lessons."""

    stored: int
    strayed: int
    """Notes that became a version of a lesson of another subject."""
    first: float
    """The share of paraphrases that, asked as a question, find their lesson first."""
    among: float
    """Among the first five."""
    reciprocal: float
    """The mean reciprocal rank among those."""

    def __str__(self) -> str:
        return (
            f"together: {self.strayed} of {self.stored} notes became a version of another subject's lesson; "
            f"asked as questions, paraphrases find theirs first {self.first:.3f}, "
            f"among {_DEEP} {self.among:.3f}, MRR {self.reciprocal:.3f}"
        )


@contextmanager
def scratch(makers: Sequence[Maker]) -> Iterator[Memory]:
    """A memory that is thrown away."""
    with TemporaryDirectory(prefix="gateline-memory-") as folder:
        database = Database(Path(folder) / "memory.sqlite3")
        try:
            yield Memory(database, Path(folder), makers)
        finally:
            database.close()


def judged(known: Sequence[Pair], makers: Sequence[Maker]) -> Judged:
    """Each pair by itself, in an empty memory."""
    result = Judged()
    with scratch(makers) as memory:
        for pair in known:
            memory.remember(Note(pair.old))
            stored = memory.remember(Note(pair.new))
            result.rows.append((pair, stored.outcome, stored.reason))
            memory.forget([one.lesson.id for one in memory.all()])
    return result


def together(known: Sequence[Pair], makers: Sequence[Maker]) -> Together:
    """All lessons in one memory: whether notes find the right one."""
    with scratch(makers) as memory:
        lessons = {pair.subject: pair.old for pair in known}
        ids = {subject: memory.remember(Note(text)).lesson.id for subject, text in lessons.items()}
        ranks = [_rank(memory, pair.new, ids[pair.subject]) for pair in known if pair.kind == "paraphrase"]
        owners = {name: subject for subject, name in ids.items()}
        strayed = Counter(_strays(memory, pair, owners) for pair in known)
    found = [rank for rank in ranks if rank]
    of = max(1, len(ranks))
    return Together(
        len(known),
        strayed[True],
        sum(rank == 1 for rank in found) / of,
        len(found) / of,
        sum(1 / rank for rank in found) / of,
    )


def _rank(memory: Memory, question: str, name: str) -> int:
    """The place of a lesson in the answer to a question, from 1; 0 where it is not among the first."""
    out = memory.recall(Recall(question, most=_DEEP, budget=10_000, used=False))
    return next((place for place, one in enumerate(out.found, 1) if one.lesson.id == name), 0)


def _strays(memory: Memory, pair: Pair, owners: dict[str, str]) -> bool:
    """Store a note beside all others; whether it became a version of another subject's lesson.

    A note that became a lesson of its own belongs to its pair's subject from then on.
    """
    stored = memory.remember(Note(pair.new))
    if stored.outcome is Outcome.CREATE:
        owners[stored.lesson.id] = pair.subject
    return owners[stored.lesson.id] != pair.subject
