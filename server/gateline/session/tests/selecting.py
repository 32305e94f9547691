"""Which tests a change needs: by what is known of them, rather one too many than one too few."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gateline.model import Change, Problem
from gateline.services.child import ChildError, last_line
from gateline.services.tests.overlay import Content, Overlay
from gateline.services.tests.run import Collection as Collected
from gateline.services.tests.run import Run
from gateline.session.selection import Which as Which
from gateline.session.tests.services import BookService
from gateline.testing.reason import Cause, Reason
from gateline.testing.result import Failure, Item, Result
from gateline.testing.selection import Chosen

log = logging.getLogger(__name__)

_MISSING = frozenset({"ImportError", "ModuleNotFoundError"})
"""What is raised when something is not there to be imported."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to be run."""

    which: Which
    affordable: bool = False
    """All of them only when that does not take too long; otherwise the affected ones."""
    only: tuple[str, ...] | None = None
    """Exactly these; None to leave it to `which`."""
    again: bool = True
    """Whether tests that keep failing are run once more although nothing changed that they execute."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run."""

    which: Which
    chosen: tuple[Chosen, ...]
    """The tests that the change can affect and that did not run since, with the reasons."""
    note: str = ""
    """Why it is not what was asked for; empty when it is."""
    only: tuple[str, ...] | None = None
    """The tests that somebody named; None when nobody did."""
    unmeasured: int = 0
    """Tests that were never measured, and are left out because they would take too long."""

    @property
    def ids(self) -> list[str] | None:
        """The tests to run; None for all."""
        if self.only is not None:
            return list(self.only)
        return None if self.which is Which.ALL else [one.test for one in self.chosen]

    @property
    def reasons(self) -> tuple[Chosen, ...]:
        """Why these are run; nothing where all are."""
        if self.only is not None:
            return tuple(Chosen(test, (Reason(Cause.ASKED),)) for test in self.only)
        return self.chosen if self.which is Which.AFFECTED else ()


class Selecting:
    """Asks the book, and remembers what became of each test."""

    def __init__(self, book: BookService, files: Callable[[], Sequence[str]], affordable: float) -> None:
        """`files` lists all files of the project and may block; `affordable` is in seconds."""
        self.book = book
        self.affordable = affordable
        self.lasting: frozenset[str] = frozenset()
        """Tests that failed twice in a row when they ran last: failing again, they are not flaky."""
        self._surroundings = ""
        """What was around the collection that was planned for last."""
        self._list = files
        self._files: tuple[str, ...] | None = None
        self._results: dict[str, Result] | None = None

    def files_changed(self) -> None:
        """There may be other files than before."""
        self._files = None

    async def files(self) -> tuple[str, ...]:
        """All files of the project."""
        if self._files is None:
            self._files = tuple(await asyncio.to_thread(self._list))
        return self._files

    async def plan(self, collection: Collected, overlay: Overlay, change: Change, wanted: Wanted) -> Plan:
        """What is to be run of a new collection."""
        if collection.surroundings != self._surroundings:
            # What lasted may be due to settings, libraries or data that were other ones.
            self._surroundings, self.lasting = collection.surroundings, frozenset()
        try:
            await self.book.collected(collection, overlay)
            chosen = await self.book.select(overlay, await self.files(), paths_of(change))
            known = await self.known()
        except ChildError as error:
            log.warning("the affected tests could not be determined, so all are run: %s", error)
            note = f"the affected tests could not be determined: {last_line(error)}"
            return Plan(Which.ALL, (), note, wanted.only)
        seconds = self._seconds(known, collection.items)
        if not wanted.again:
            chosen = tuple(one for one in chosen if not self._stands(one, known))
        if wanted.which is Which.ALL and wanted.affordable and seconds > self.affordable:
            note = f"all tests take about {seconds:.0f} s, more than tests.affordable ({self.affordable:g})"
            return Plan(Which.AFFECTED, chosen, note)
        left = self._unaffordable(chosen, known)
        chosen = tuple(one for one in chosen if not (left and one.is_unknown))
        return Plan(wanted.which, chosen, only=wanted.only, unmeasured=left)

    async def ran(self, run: Run, overlay: Overlay) -> None:
        """Note a run, also one that did not come to its end."""
        known = await self.known()
        known |= {result.id: result for result in run.results}
        try:
            await self.book.ran(run, overlay)
        except ChildError as error:
            log.warning("what tests execute could not be noted: %s", error)

    async def standing(self, items: Iterable[Item], waiting: Collection[str]) -> dict[str, Result]:
        """What holds of the tests that there are: not of those that wait; failing stays failing."""
        known = await self.known()
        found = {item.id: known[item.id] for item in items if item.id in known}
        return {test: result for test, result in found.items() if result.is_bad or test not in waiting}

    async def stop(self) -> None:
        """End the book's process."""
        await self.book.stop()

    async def known(self) -> dict[str, Result]:
        """What became of each test when it ran last, by identifier."""
        if self._results is None:
            try:
                self._results = {result.id: result for result in await self.book.results()}
            except ChildError:
                self._results = {}
        return self._results

    def _stands(self, one: Chosen, known: Mapping[str, Result]) -> bool:
        """Whether a test failed more than once, and all is as it was then."""
        result = known.get(one.test)
        said = result is not None and result.failure is not None and _is_told_by_lines(result.failure)
        is_same = all(reason.cause is Cause.FAILED for reason in one.reasons)
        return said and is_same and one.test in self.lasting

    def _unaffordable(self, chosen: Sequence[Chosen], known: Mapping[str, Result]) -> int:
        """How many tests were never measured and take too long; 0 where all of them can be run.

        Where nothing ran before, nobody knows how long that takes: they run, as far as the time goes.
        """
        unknown = [one for one in chosen if one.is_unknown]
        times = [result.seconds for result in known.values()]
        seconds = sum(times) / len(times) * len(unknown) if times else 0.0
        return len(unknown) if seconds > self.affordable else 0

    def _seconds(self, known: Mapping[str, Result], items: Sequence[Item]) -> float:
        """About how long all tests take, by those that ran before."""
        times = [known[item.id].seconds for item in items if item.id in known]
        return sum(times) / len(times) * len(items) if times else 0.0


def _is_told_by_lines(failure: Failure) -> bool:
    """Whether what a test executed tells when it may pass.

    Not where it fails nowhere: pytest tells there what an earlier test left behind. Nor where something was
    not there to be imported, which leaves no line either.
    """
    if not failure.unexpected and not failure.problem.frames:
        return False
    problem: Problem | None = failure.problem
    while problem is not None and problem.type not in _MISSING:
        problem = problem.cause
    return problem is None


def paths_of(change: Change) -> tuple[str, ...]:
    """All paths that differ from the base, on either side."""
    rows = (*change.files, *change.others)
    return tuple(sorted({row.path for row in rows} | {row.base.path for row in rows if row.base}))


def overlay_of(change: Change, around: Overlay) -> dict[str, Content]:
    """The texts of the change; files that it deletes or moves away are absent.

    One that cannot be decoded is there all the same: tests see what `around` or the disk has.
    """
    left = (row for row in change.files if not row.skipped or (row.base and row.base.path != row.path))
    gone = {row.base.path: None for row in left if row.base}
    now = {row.path: row.current.text for row in change.files if row.current}
    return {**around, **gone, **now}


def base_of(change: Change) -> dict[str, str | None]:
    """The texts of the base; files that the change brings are absent."""
    rows = [row for row in (*change.files, *change.others) if not row.skipped]
    before = {row.base.path: row.base.text for row in rows if row.base}
    return {**dict.fromkeys(row.path for row in rows), **before}
