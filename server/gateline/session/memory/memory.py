"""The memory of one workspace: stores notes, finds lessons, hands them out, forgets what a person names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.context.arrays import Scores
from gateline.memory.decision import Candidate, decide
from gateline.memory.lesson import Lesson, Note, Outcome, Stored, Version
from gateline.memory.likeness import likeness, threshold, tier_of
from gateline.memory.ranking import Found, Handout, handed, ranked
from gateline.memory.similarity import Comparing
from gateline.memory.wording import stems
from gateline.session.context.secrets import holding
from gateline.session.errors import UsageError
from gateline.session.memory.anchors import Anchors
from gateline.session.memory.embedding import Maker, TableMaker, packed
from gateline.session.memory.known import Known
from gateline.session.memory.requests import Recall
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.lessons import Lessons, Row, Writing, words_of

LONGEST = 2_000
"""Characters of a lesson: a longer text is a document."""
_NEAR = 20
"""Lessons that a note is compared with, by words and by each tier."""
_PLACED = 50
"""Lessons about the same file, symbol or rule that a note is compared with, the newest first."""
_COMPARED = 8
"""Of those, the nearest by a vector: they are compared word by word."""


def now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class Memory:
    """Methods block, and raise StoreError. Not safe for threads."""

    def __init__(
        self,
        database: Database,
        root: Path,
        makers: Sequence[Maker] = (),
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.database = database
        self.lessons = Lessons(database)
        self._makers = makers
        self._known = Known(self.lessons, makers)
        table = next((maker for maker in makers if isinstance(maker, TableMaker)), None)
        self._comparing = Comparing(table.word) if table else Comparing()
        self.anchors = Anchors(root)
        self.clock = clock

    def remember(self, note: Note) -> Stored:
        """Store a note. Raises UsageError for one that is empty, too long, or holds a secret."""
        note = checked(note)
        vectors = self._vectors(note.text)
        parts = {maker.name: packed(vectors[maker.tier]) for maker in self._makers}
        with self.lessons.writing() as writing:
            self._known.follow()
            if not self._known.is_complete:
                self._known.complete(writing)
            decision = decide(note, self._candidates(note, vectors))
            if decision.outcome is Outcome.CREATE:
                made = writing.create(note, self.clock(), parts)
                return Stored(Outcome.CREATE, made, decision.reason)
            row = self._known.rows[decision.number]
            if decision.outcome is Outcome.NOOP:
                return Stored(Outcome.NOOP, row.lesson, decision.reason)
            before = row.lesson
            made = writing.supersede(row, _over(note, before.note), self.clock(), parts, decision.reason)
            was = Version(before.version, before.updated_at, before.note)
            return Stored(Outcome.UPDATE, made, decision.reason, was)

    def recall(self, query: Recall) -> Handout:
        """The lessons for a question or a place, or for both; each use is noted."""
        self._known.follow()
        vectors = self._vectors(query.text) if query.text.strip() else {}
        found = ranked(self._found(query, vectors), query.anchor)
        looked = [self._looked(one) for one in found[: 3 * query.most]]
        out = handed(looked, query.most, query.budget)
        out = replace(out, left_out=out.left_out + max(0, len(found) - len(looked)))
        if query.used and out.found:
            used = [one.lesson.id for one in out.found]
            with self.lessons.writing(durable=False) as writing:
                writing.use(used, self.clock(), query.operation, query.branch)
        return out

    def find(self, name: str) -> Row:
        """The lesson whose identifier is or begins with `name`. Raises UsageError for none or several."""
        rows = self.lessons.beginning(name) if name else []
        exact = [row for row in rows if row.lesson.id == name] or rows
        if len(exact) != 1:
            what = f"{len(exact)} lessons begin" if exact else "no lesson begins"
            raise UsageError(f"{what} with {name!r}; `gateline recall` without words lists all")
        return exact[0]

    def history(self, name: str) -> tuple[Lesson, list[Version]]:
        """A lesson and all of its versions, oldest first. Raises UsageError."""
        row = self.find(name)
        return row.lesson, self.lessons.versions(row.number)

    def forget(self, names: Sequence[str]) -> list[Lesson]:
        """Delete lessons with all of their versions. Raises UsageError before anything is deleted."""
        rows = [self.find(name) for name in names]
        with self.lessons.writing() as writing:
            writing.forget([row.number for row in rows])
        return [row.lesson for row in rows]

    def helped(self, names: Sequence[str]) -> list[Lesson]:
        """Note that lessons helped who was handed them. Raises UsageError."""
        rows = [self.find(name) for name in names]
        with self.lessons.writing(durable=False) as writing:
            writing.helped([row.number for row in rows])
        return [row.lesson for row in rows]

    def all(self) -> list[Found]:
        """All lessons, newest first, each with what of its anchor is gone."""
        rows = sorted(self.lessons.all(), key=lambda row: row.lesson.updated_at, reverse=True)
        return [self._looked(Found(row.lesson, {})) for row in rows]

    @contextmanager
    def taking_in(self) -> Iterator[Callable[[str, Sequence[Version]], str]]:
        """Takes in lessons of elsewhere, by identifier and versions, all or none.

        What is called says `created`, `updated` or `known` of each.
        """
        with self.lessons.writing() as writing:
            yield lambda name, versions: self._take_in(writing, name, versions)
            self._known.follow()
            self._known.complete(writing)

    def _take_in(self, writing: Writing, name: str, versions: Sequence[Version]) -> str:
        newest = versions[-1]
        same = [
            row
            for row in self.lessons.of_content(newest.note.text)
            if row.lesson.note.anchor == newest.note.anchor
        ]
        mine = next((row for row in self.lessons.beginning(name) if row.lesson.id == name), None)
        if same or (mine is not None and len(versions) <= mine.lesson.version):
            return "known"
        if mine is not None:
            for version in versions[mine.lesson.version :]:
                row = self.find(name)
                writing.supersede(row, version.note, version.at, {}, version.reason or "imported")
            return "updated"
        writing.create(newest.note, newest.at, {}, name)
        writing.restore(self.find(name).number, versions)
        return "created"

    def _vectors(self, text: str) -> dict[str, Scores]:
        return {maker.tier: maker.of([text])[0] for maker in self._makers}

    def _candidates(self, note: Note, vectors: Mapping[str, Scores]) -> list[Candidate]:
        """The lessons that a note may be about: none about another place, of the others the nearest."""
        same = [row.number for row in self.lessons.of_content(note.text) if self._may_be(row.number, note)]
        near = self.lessons.at(note.anchor, _PLACED) if note.anchor else []
        near += [number for number, _ in self.lessons.matching(words_of(note), _NEAR)]
        near += self._known.nearest(vectors, _NEAR)
        others = [
            number for number in dict.fromkeys(near) if number not in same and self._may_be(number, note)
        ]
        wanted = [*same, *others]
        cosines = {tier: self._known.cosine(tier, vector, wanted) for tier, vector in vectors.items()}
        if cosines:
            others.sort(key=lambda number: -max(found.get(number, 0.0) for found in cosines.values()))
        return [self._candidate(number, note, cosines) for number in (*same, *others[:_COMPARED])]

    def _may_be(self, number: int, note: Note) -> bool:
        return not note.anchor.contradicts(self._known.rows[number].lesson.note.anchor)

    def _candidate(self, number: int, note: Note, cosines: Mapping[str, Mapping[int, float]]) -> Candidate:
        old = self._known.rows[number].lesson.note
        told = {tier: found[number] for tier, found in cosines.items() if number in found}
        tier = tier_of(told)
        alike = likeness(self._comparing.features(note.text, old.text, told), tier)
        return Candidate(number, old, alike, threshold(tier))

    def _found(self, query: Recall, vectors: Mapping[str, Scores]) -> Iterator[Found]:
        anchor = query.anchor
        words = stems(" ".join((query.text, anchor.symbol, anchor.rule)))
        matching = dict(self.lessons.matching(words, _NEAR))
        best = max(matching.values(), default=0.0)
        placed = self.lessons.at(anchor, _NEAR) if anchor else []
        numbers = list(dict.fromkeys((*matching, *self._known.nearest(vectors, _NEAR), *placed)))
        cosines = {tier: self._known.cosine(tier, vector, numbers) for tier, vector in vectors.items()}
        for number, lesson in self.lessons.numbered(numbers).items():
            signals = {tier: found[number] for tier, found in cosines.items() if number in found}
            if words:
                signals["words"] = matching.get(number, 0.0) / best if best > 0 else 0.0
            yield Found(lesson, signals)

    def _looked(self, found: Found) -> Found:
        return replace(found, stale=self.anchors.gone(found.lesson.note.anchor))


def checked(note: Note) -> Note:
    """A note that may be stored. Raises UsageError."""
    text = note.text.strip()
    if not text:
        raise UsageError('the lesson is empty: say what was learned, as gateline remember "…"')
    if len(text) > LONGEST:
        raise UsageError(
            f"the lesson has {len(text)} characters, more than the {LONGEST} that are kept: shorten it"
        )
    if lines := holding("\n".join((text, *note.tags))):
        where = f"line {min(lines) + 1}" if "\n" in text else "the lesson"
        raise UsageError(f"{where} seems to contain a secret and is not stored: remove the value")
    tags = tuple(dict.fromkeys(tag.strip().lower() for tag in note.tags if tag.strip()))
    return replace(note, text=text, tags=tags)


def _over(new: Note, old: Note) -> Note:
    """The new note, with the tags of both, and the place of the old one where the new one names none."""
    tags = tuple(dict.fromkeys((*old.tags, *new.tags)))
    return replace(new, tags=tags, anchor=new.anchor.over(old.anchor))


@contextmanager
def memory_of(
    root: Path,
    makers: Sequence[Maker] = (),
    folder: Path | None = None,
    clock: Callable[[], datetime] = now,
) -> Iterator[Memory]:
    """The memory of the workspace at `root`. `folder` takes the place of the user's state folder."""
    database = Database(state_of(root, folder) / DATABASE)
    try:
        yield Memory(database, root, makers, clock)
    finally:
        database.close()
