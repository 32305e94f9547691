"""What tests there are at the base, and which of them fail there, too.

Where the change only exchanges bodies of functions, the runner of the change has an answer in
milliseconds: it exchanges them back for one run. Otherwise it would have to collect anew, and once more
afterwards; then another runner is asked, which collects once and stays as it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from gateline.git import GitError
from gateline.model import Change
from gateline.services.shielded import begun
from gateline.services.tests.laying import LayingError
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Run
from gateline.session.tests.base_whole import Kept, KeptBases, WholeRun, is_settled, whole_run
from gateline.session.tests.exchanged import exchanges_bodies as exchanges_bodies
from gateline.session.tests.selecting import base_of
from gateline.session.tests.services import TestService
from gateline.session.tests.trees import Tree
from gateline.session.workspace.base import EMPTY_TREE, SESSION
from gateline.session.workspace.changes import EVERYTHING
from gateline.testing.base_coverage import BaseCoverage
from gateline.testing.result import Ending, Item, Result

log = logging.getLogger(__name__)
_UNASKED = "the base was not asked"


@dataclass(frozen=True, slots=True)
class BaseRun:
    """What is known of the tests of one base; plain values, to be kept between sessions."""

    can_start: bool | None = None
    """Whether its tests can be collected; None: not known."""
    reason: str = _UNASKED
    """Why they cannot, or why that is not known; empty when they can."""
    items: tuple[Item, ...] = ()
    """Its tests."""
    uncollected: tuple[Result, ...] = ()
    """Files that cannot be collected there."""
    results: Mapping[str, Result] = field(default_factory=dict)
    """What became of those that ran, by identifier."""
    unlaid: tuple[str, ...] = ()
    """Files of the base that the run could not see."""

    def to_json(self) -> bytes:
        """As JSON."""
        return bytes(_adapter().dump_json(self))

    @classmethod
    def from_json(cls, data: bytes) -> BaseRun:
        """From JSON. Raises ValueError."""
        return _adapter().validate_json(data)


@cache
def _adapter() -> TypeAdapter[BaseRun]:
    return TypeAdapter(BaseRun)


class BaseTests:
    """Remembers what is known of the base's tests, as long as that is the same.

    `known` is that, and may be set to what an earlier session knew of the same base.
    """

    def __init__(
        self,
        service: TestService | None,
        now: TestService | None = None,
        tree: Callable[[Change], Tree] | None = None,
        kept: KeptBases | None = None,
        root: Path | None = None,
    ) -> None:
        """`now` is the runner of the change; None to leave that alone.

        `tree` says what the base's files are beside the disk; it may block, and raise GitError. Without it
        only the texts of the change are laid. Without `kept` there are no runs of all tests.
        """
        self._kept = kept
        self._root = root or Path()
        self._whole = WholeRun()
        self._is_kept = False
        """Whether what is known of it was found out by an earlier command."""
        self._beginning: asyncio.Task[None] | None = None
        self.service = service
        self.known = BaseRun()
        self.doubt = ""
        """Why the last results are not those of all that were asked for; empty when they are."""
        self._now = now
        self._tree = tree or _texts
        self._laid: tuple[Change, Tree] | None = None
        self._base: object = None

    def begin(self, change: Change) -> None:
        """Run all tests at the base of a change, unless it is known what that says. `ready` waits for it."""
        self._look_at(change)
        if self._kept is not None and self._is_there(change) and self._beginning is None:
            self._beginning = begun(self._run_whole(self._kept, change))

    async def ready(self) -> None:
        """Wait for what was begun."""
        if self._beginning is not None:
            await asyncio.wait([self._beginning])

    def times(self, change: Change) -> Mapping[str, Result]:
        """What became of the tests that passed in a run of all of them at the base."""
        self._look_at(change)
        return self._whole.times

    def coverage(self, change: Change) -> BaseCoverage | None:
        """What tests execute of the base, where all of them ran there."""
        self._look_at(change)
        return self._whole.coverage

    async def _run_whole(self, kept: KeptBases, change: Change) -> None:
        base = self._base
        name = await asyncio.to_thread(kept.name, change)
        known = await asyncio.to_thread(kept.read, name) if name else None
        found = known or await self._found_whole(change)
        if found is None:
            return
        if name and known is None:
            await asyncio.to_thread(kept.write, name, found)
        if base == self._base:
            self._whole, self._is_kept = found.run, known is not None
            passed = {} if self._is_kept else found.run.times
            told = BaseRun.from_json(found.collected)
            self.known = replace(told, results={**passed, **self.known.results})

    async def confirmed(self, change: Change) -> BaseRun:
        """Which tests there are at the base, asked of the base itself where that was only kept.

        What is ignored is part of no tree: what a change is accused of is never taken from what was kept.
        """
        self._look_at(change)
        if self._is_kept:
            self.known, self._is_kept = replace(BaseRun(), results=self.known.results), False
        return await self.collected(change)

    async def _found_whole(self, change: Change) -> Kept | None:
        """None where the run did not come to its end: what it said is not believed then."""
        assert self.service is not None
        try:
            tree = await self.tree(change)
            run = await self.service.run_whole(tree.files)
        except (GitError, LayingError) as error:
            log.info("the tests of the base could not be run: %s", error)
            return None
        if not is_settled(run, tree):
            return None
        collected = _collected(BaseRun(), self.service, run, tree)
        whole = await whole_run(self.service, self._now or self.service, self._root, tree, run)
        return Kept(collected.to_json(), whole)

    def _is_there(self, change: Change) -> bool:
        has_base = change.base not in (SESSION, EMPTY_TREE) and change.base_label != EVERYTHING
        return self.service is not None and has_base

    async def collected(self, change: Change) -> BaseRun:
        """Which tests there are at the base of a change. Collects them there if that is not known yet."""
        self._look_at(change)
        if change.base_label == EVERYTHING:
            return BaseRun(reason=EVERYTHING)
        if self.service is not None and self.known.can_start is None:
            try:
                tree = await self.tree(change)
                run = await self.service.discover(tree.files)
            except (GitError, LayingError) as error:
                return replace(self.known, reason=str(error))
            self.known = _collected(self.known, self.service, run, tree)
        return self.known

    async def results(self, change: Change, tests: Iterable[str]) -> tuple[Result, ...]:
        """What became of these tests at the base of a change; of those that there are there.

        `doubt` says then why that is not known of all.
        """
        tests, self.doubt = list(tests), ""
        if self.service is None or not tests or change.base_label == EVERYTHING:
            return ()
        self._look_at(change)
        unknown = [test for test in tests if test not in self.known.results]
        if unknown:
            run = await self._run(change, unknown)
            ended = {result.id: result for result in run.results if not self._is_flaky(result)}
            self.known = replace(self.known, results={**self.known.results, **ended})
        return self._believed(self.remembered(change, tests))

    async def _run(self, change: Change, tests: Sequence[str]) -> Run:
        """A run at the base. `doubt` says afterwards why it did not come to its end."""
        assert self.service is not None
        try:
            tree = await self.tree(change)
            run = await self._exchanged_back(change, tests, tree)
            if run is None or run.reason:
                run = await self.service.run(tests, tree.files, coverage=False)
        except (GitError, LayingError) as error:
            self.doubt = str(error)
            return Run()
        if run.left or run.replaced:
            self.doubt = "the time was over" if run.left else "the run was ended"
        return run

    def _is_flaky(self, result: Result) -> bool:
        """Whether a test fails there now and then: neither is believed."""
        return result.ending is Ending.PASSED and result.id in self._whole.failed

    def _believed(self, results: tuple[Result, ...]) -> tuple[Result, ...]:
        """Of a base that could not be laid whole, failures tell nothing."""
        unlaid = self._laid[1].unlaid if self._laid is not None else ()
        if not unlaid or not any(result.is_bad for result in results):
            return results
        self.doubt = f"these files of the base could not be restored for the tests: {', '.join(unlaid)}"
        return tuple(result for result in results if not result.is_bad)

    async def tree(self, change: Change) -> Tree:
        """What is laid over the disk for a run at the base. Raises GitError."""
        if self._laid is None or self._laid[0] is not change:
            self._laid = change, await asyncio.to_thread(self._tree, change)
        return self._laid[1]

    async def overlay(self, change: Change) -> Overlay:
        """The files of the same. Raises GitError."""
        return (await self.tree(change)).files

    @property
    def gone(self) -> frozenset[str]:
        """Paths that the base has and the disk has not, as far as its files were looked at."""
        return self._laid[1].gone if self._laid is not None else frozenset()

    async def _exchanged_back(self, change: Change, tests: Sequence[str], tree: Tree) -> Run | None:
        """A run in the nearer way. It has a reason where a body ran while the tests were collected."""
        named = {row.path for row in change.files}
        if self._now is None or not tree.files.keys() <= named:
            return None
        if not await asyncio.to_thread(exchanges_bodies, change):
            return None
        return await self._now.run(tests, base_of(change), coverage=False, recollect=False)

    def remembered(self, change: Change, tests: Iterable[str]) -> tuple[Result, ...]:
        """What became of these tests, of those that are known without running anything."""
        self._look_at(change)
        known = self.known.results
        return tuple(known[test] for test in tests if test in known)

    async def interrupt(self) -> None:
        """End what is run now; what has ended is known."""
        if self.service is not None:
            await self.service.interrupt()

    async def stop(self) -> None:
        """End the service."""
        if self.service is not None:
            await self.service.stop()

    def _look_at(self, change: Change) -> None:
        """Forget what is known of another base. Without git it is what each file held when first opened."""
        texts = tuple((row.base.path, row.base.digest) for row in change.files if row.base)
        base = (change.base, texts if change.base == SESSION else ())
        if base != self._base:
            if self._base is not None:
                self.known, self._whole = BaseRun(), WholeRun()
                self._beginning, self._is_kept = None, False
            self._base = base


def _texts(change: Change) -> Tree:
    return Tree(base_of(change))


def _collected(known: BaseRun, service: TestService, run: Run, tree: Tree) -> BaseRun:
    collection = service.collection
    if run.replaced:
        return known
    if run.reason or collection is None:
        return replace(known, can_start=False, reason=run.reason or "no tests were collected there")
    errors = {error.id: error for error in (*collection.errors, *run.errors) if error.id}
    uncollected = tuple(Result(e.id, Ending.ERROR, failure=e.failure) for e in errors.values())
    return replace(
        known, can_start=True, reason="", items=collection.items, uncollected=uncollected, unlaid=tree.unlaid
    )
