"""What tests say of texts that nobody has applied: asked for repairs, beside the tests of the change."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, Unpack

from gateline.model import Problem, digest_of
from gateline.repairs.tested import Ran
from gateline.services.child import ChildError
from gateline.services.tests.options import Limits, RunOptions
from gateline.services.tests.run import Collection, Run
from gateline.services.tests.runner import TestRunner
from gateline.session.tests.testing import Tests
from gateline.session.types.services import Texts
from gateline.testing.result import Ending, Result
from gateline.testing.trace import bits_of

Touched = Mapping[str, frozenset[int]]
"""The zero-based lines of texts that a repair changed, by path."""
Ids = tuple[str, ...] | None
"""Tests by pytest's node identifiers; None for all."""
Select = Callable[[Mapping[str, str], tuple[str, ...]], Awaitable[Ids]]
"""Which tests can be affected by texts, of which those at some paths are new."""
LIMITS = Limits(test=5.0, total=10.0, collection=60.0)
_PATIENCE = (2.0, 5.0)
"""Seconds for a run, and how many times as long as the longest that came to its end it may take besides: many
wrong repairs loop for ever."""
_CUT_OFF = frozenset({Ending.TIMEOUT, Ending.CRASHED})
_GOOD = frozenset({Ending.PASSED, Ending.XPASSED})


class Running(Protocol):
    """What is needed of a runner of tests; `services.tests.runner.TestRunner` is the real one."""

    @property
    def collection(self) -> Collection | None:
        """All tests there are, once they were collected."""
        ...

    async def run(self, ids: Sequence[str] | None, overlay: Texts, **options: Unpack[RunOptions]) -> Run:
        """Run these tests (None: all) over unsaved texts."""
        ...

    async def stop(self) -> None:
        """End all processes."""
        ...


def own_ids(problem: Problem) -> list[str]:
    """The tests that fail with a problem; of a file that could not be collected no tests are known."""
    return [test for test in problem.tests if not test.endswith(".py")]


class RepairTests:
    """Runs tests over repaired texts, in processes of its own, so that no run of the change is ended."""

    def __init__(
        self,
        runner: Running,
        allowed: Callable[[], Awaitable[bool]],
        select: Select | None = None,
        now: Callable[[], float] = time.monotonic,
        limits: Limits = LIMITS,
        patience: float = _PATIENCE[0],
    ) -> None:
        """`allowed` says whether the person agreed that tests are run here, `select` which a text affects.

        `patience`: the seconds that a run has besides a multiple of the longest of the same tests.
        """
        self._patience = patience
        self._now = now
        self._limits = limits
        self._runner = runner
        self._select = select
        self.allowed = allowed
        self._known: dict[str, Ran] = {}
        """What became of tests over other texts, by the digest of both; of the last ones alone."""
        self._longest: dict[Ids, float] = {}
        """Seconds that the longest warm run of the same tests took that came to its end."""

    async def of_problem(
        self, problem: Problem, texts: Mapping[str, str], *, to_the_end: bool = False
    ) -> Ran:
        """The tests that failed with a problem; without any, all.

        The first that fails is the last that runs, unless they are asked `to_the_end`.
        """
        ids = own_ids(problem)
        until_failure = bool(ids) and not to_the_end
        return await self._run(ids or None, texts, coverage=False, until_failure=until_failure)

    async def affected(self, texts: Mapping[str, str], touched: Touched) -> Ids:
        """The tests that repaired texts can affect; None when that is not known: then all count."""
        return None if self._select is None else await self._select(texts, tuple(touched))

    async def before(self, ids: Ids, texts: Mapping[str, str]) -> Ran:
        """Tests over texts to which a repair is compared."""
        key = digest_of(repr((ids, sorted(texts.items()))))
        if key not in self._known:
            self._known = {key: await self._run(ids, texts, coverage=False)}
        return self._known[key]

    async def after(self, ids: Ids, texts: Mapping[str, str], touched: Touched) -> tuple[Ran, bool]:
        """Tests over repaired texts, and whether any executes a line that the repair touched."""
        if ids is not None and not ids:
            return Ran(), False
        run = await self._timed(ids, texts)
        return self._ran(run), self._reaches(run, texts, touched)

    def files_changed(self) -> None:
        """Files were written: what was known of texts over them holds no more."""
        self._known = {}

    async def stop(self) -> None:
        """End all processes."""
        await self._runner.stop()

    async def _run(self, ids: Sequence[str] | None, texts: Texts, **options: Unpack[RunOptions]) -> Ran:
        return self._ran(await self._timed(ids, texts, **options))

    async def _timed(self, ids: Sequence[str] | None, texts: Texts, **options: Unpack[RunOptions]) -> Run:
        """A run that is ended when it takes far longer than any of the same tests that came to its end."""
        same = None if ids is None else tuple(ids)
        if same in self._longest:
            total = min(self._limits.total, self._patience + _PATIENCE[1] * self._longest[same])
            options["limits"] = replace(self._limits, total=total, test=min(self._limits.test, total / 2))
        is_warm, began = self._runner.collection is not None, self._now()
        run = await self._runner.run(ids, texts, **options)
        is_whole = not (_is_cut_short(run) or any(result.ending in _CUT_OFF for result in run.results))
        # Starting and collecting have a limit of their own; a file that cannot be collected hides tests.
        is_all = self._runner.collection is not None and not self._runner.collection.errors
        if is_warm and is_whole and is_all and not run.recollected:
            self._longest[same] = max(self._longest.get(same, 0.0), self._now() - began)
        return run

    def _ran(self, run: Run) -> Ran:
        collection = self._runner.collection
        errors = {e.id: e for e in (*(collection.errors if collection else ()), *run.errors)}
        results = list(run.results)
        uncollected = [Result(e.id, Ending.ERROR, failure=e.failure) for e in errors.values()]
        is_late = _is_cut_short(run) or any(not name for name in errors)
        return Ran(
            frozenset(r.id for r in results if r.ending in _GOOD),
            frozenset(r.id for r in (*results, *uncollected) if r.is_bad and r.id),
            tuple(_problems((*uncollected, *results))),
            is_late,
            frozenset(run.unknown),
        )

    def _reaches(self, run: Run, texts: Mapping[str, str], touched: Touched) -> bool:
        collection = self._runner.collection
        traces = (*run.traces, *((collection.imported,) if collection else ()))
        digests = {path: digest_of(text) for path, text in texts.items()}
        wanted = {path: bits_of(lines) for path, lines in touched.items()}
        return any(
            done.digest == digests.get(path) and done.touches(wanted.get(path, 0))
            for trace in traces
            for path, done in trace.files.items()
        )


def _is_cut_short(run: Run) -> bool:
    """Whether there are tests of which the run says nothing."""
    return bool(run.left or run.reason or run.replaced)


def _problems(results: Iterable[Result]) -> Iterable[Problem]:
    for result in results:
        if result.is_bad and result.failure is not None:
            yield replace(result.failure.problem, tests=(result.id,) if result.id else ())


def repair_tests(
    tests: Tests,
    allowed: Callable[[], Awaitable[bool]],
    named: tuple[str, ...] = (),
    limits: Limits = LIMITS,
    patience: float = _PATIENCE[0],
) -> RepairTests | None:
    """What runs tests for repairs of a workspace; None where no tests can be run at all.

    Files that are `named` are collected besides, whatever pytest's patterns say.
    """
    service = tests.service
    if not isinstance(service, TestRunner):
        return None

    async def select(texts: Mapping[str, str], paths: tuple[str, ...]) -> Ids:
        # What the change's own tests executed is known once they ran; of a file that could not be collected
        # nobody knows which tests it has.
        if tests.selecting is None or service.collection is None or service.collection.errors:
            return None
        try:
            files = await tests.selecting.files()
            chosen = await tests.selecting.book.select(texts, files, paths)
            return tuple(one.test for one in chosen if not one.is_unknown)
        except ChildError:
            return None

    options = replace(service.options, limits=limits, named=named)
    return RepairTests(TestRunner(options), allowed, select, limits=limits, patience=patience)
