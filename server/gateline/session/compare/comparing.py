"""`compare`: from the names of candidates to their ranking."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from gateline.git import GitError
from gateline.ranking.acceptance import AcceptanceRules
from gateline.ranking.order import still_tied
from gateline.ranking.rank import rank
from gateline.ranking.values import Category, Isolation, Pool, Ranking, Recalibration, Strategy
from gateline.services.cluster import ClusterError, connected, refuse
from gateline.services.isolation.enclosure import Enclosure, strongest, works
from gateline.services.tests.options import Limits
from gateline.services.threaded import threaded
from gateline.services.together import each
from gateline.session.check import readable_workspace
from gateline.session.compare import linting
from gateline.session.compare.behaviour import Asked as AskedAlike
from gateline.session.compare.behaviour import Difference, Made, asked_alike, difference, with_behaviour
from gateline.session.compare.evidence import pool_of, visible_tests
from gateline.session.compare.exchange import MOST as MOST_EXCHANGING
from gateline.session.compare.exchange import Exchanging, Handed
from gateline.session.compare.known import Answers, key_of
from gateline.session.compare.looking import Looking
from gateline.session.compare.measured import Assessment, Measured, Suite, is_settled, refused
from gateline.session.compare.measuring import Here
from gateline.session.compare.project_checks import ProjectChecks, all_ended, unmeasured
from gateline.session.compare.recorded_task import RecordedTask, recorded_task
from gateline.session.compare.running import Runs, Watch
from gateline.session.compare.spread import Spread, refuse_others
from gateline.session.compare.stamp import stamp
from gateline.session.compare.unit import How, settings_of
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.savepoints import savepoints_here
from gateline.session.workspace.workspace import Workspace
from gateline.store.candidates.checkouts import Checkouts, checkouts
from gateline.store.candidates.trees import Base, CandidateError, Given, Shared, Trees
from gateline.store.savepoints.values import SavepointError
from gateline.testing.naming import is_tests

if TYPE_CHECKING:
    from gateline.services.models.editor import Editor
    from gateline.session.compare.assessing import Assessor

FEWEST, MOST = 2, 16
_MOST_FIRST = 10
"""Tests that run before all others."""
_UNCHECKED = "the build, and a lint command of the project, were not measured: nothing was to be run"
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be compared, and how."""

    names: tuple[str, ...]
    base: str | None = None
    strategy: Strategy = Strategy.EVIDENCE
    isolation: Isolation | None = None
    """At most this level; None: the strongest that works here."""
    tests: bool = True
    task: str = ""
    """What was to be done, for a model that assesses the candidates; empty: none is asked."""
    recorded: str | None = None
    """How the identifier of a recorded task begins; None: that in progress on the branch; `none`: none."""
    anew: bool = False
    """Whether they are compared also where the answer is known."""
    whole: bool = False
    """Whether all tests run also where one that fails is enough to refuse a candidate."""
    cluster: str = ""
    """The address of a scheduler whose workers measure; empty: this machine does."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate that could not be compared."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The ranking, and what it is of."""

    base: str
    ranking: Ranking
    given: tuple[Given, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...] = ()
    """What was not measured, and why."""
    difference: Difference | None = None
    """The first input on which two candidates differ that pass all tests."""
    shared: Shared = field(default_factory=Shared)
    """What all have beyond the base."""
    exchanged: tuple[Handed, ...] = ()
    """The new tests of each candidate on the others, where these are tied."""
    tree: str = ""
    """git's name of the content of the base."""
    assessments: tuple[Assessment, ...] = ()
    """What a model said, where a person asked for it."""
    task: RecordedTask | None = None
    """What they are solutions of, where that was recorded."""
    known_since: str = ""
    """When this was found out, where the same was asked before; empty: now."""
    final_after: str = ""
    """What had been measured when the order could not change any more: `checks`, `tests`, `behaviour` or
    `assessments`."""
    refused_by: Mapping[str, str] = field(default_factory=dict)
    """By candidate, the test that refuses it, with which its run may have ended."""


async def compare(
    start: Path,
    asked: Asked,
    overrides: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    tell: Tell | None = None,
    editor: Editor | None = None,
) -> Comparison:
    """Compare candidates for the workspace around `start`. Their tests run: the person agreed to that.

    A model that is to assess them is that of the `editor`, where one is given.

    Raises:
        UsageError: fewer than two can be compared, or a name, the base or the level is wrong.
        UndecidedError: git cannot be used, or another comparison is under way.

    """
    _refuse(asked)
    workspace = await asyncio.to_thread(readable_workspace, start, environ or os.environ, overrides)
    try:
        assessor = None
        if asked.task:
            # Late: nobody else imports any of it.
            from gateline.session.compare.assessing import assessor_of

            assessor = assessor_of(workspace.loaded, environ or os.environ, editor)
        task = await asyncio.to_thread(recorded_task, workspace.root, asked.recorded)
        making = _Making(workspace, start, asked, environ or os.environ, tell or _silent, assessor, task)
        return await making.compared()
    except (SavepointError, GitError) as error:
        raise UndecidedError(f"git failed to read the candidates: {error}") from error


def is_as_compared(start: Path, found: Comparison) -> bool:
    """Whether each candidate still has the content that was compared. Blocks."""
    workspace = readable_workspace(start, os.environ, None)
    try:
        trees = Trees(savepoints_here(workspace.root), start.resolve())
        base = trees.base(found.base, ())
        return all(trees.find(one.name, base).tree == one.tree for one in found.given)
    except (SavepointError, GitError, CandidateError):
        return False


def _refuse(asked: Asked) -> None:
    count = len(dict.fromkeys(asked.names))
    if not FEWEST <= count <= MOST:
        raise UsageError(
            f"candidates named: {count}; give {FEWEST} to {MOST} different ones: gateline compare A B"
        )
    if asked.isolation is not None and not works(asked.isolation):
        raise UsageError(
            f"the isolation {asked.isolation} is not available here; omit "
            "`--isolation` to use what is available"
        )
    if asked.cluster:
        try:
            refuse(asked.cluster)
        except ClusterError as error:
            raise UsageError(str(error)) from error


@dataclass(frozen=True, slots=True)
class _Making:
    """What a comparison is made of, before its candidates are looked up."""

    workspace: Workspace
    start: Path
    asked: Asked
    environ: Mapping[str, str]
    tell: Tell
    assessor: Assessor | None
    task: RecordedTask | None

    async def compared(self) -> Comparison:
        """Look the candidates up, and what was said of them before; else compare them."""
        root = self.workspace.root
        if self.workspace.git is None:
            raise UndecidedError(f"{root} is not in a git repository; run `git init` and commit first")
        savepoints = await asyncio.to_thread(savepoints_here, root)
        trees = Trees(savepoints, self.start.resolve())
        try:
            base = await asyncio.to_thread(trees.base, self.asked.base, self.asked.names)
        except CandidateError as error:
            raise UsageError(str(error)) from error
        given, left_out = await asyncio.to_thread(_given, trees, base, self.asked.names)
        if len(given) < FEWEST:
            told = "; ".join(f"{one.name}: {one.reason}" for one in left_out)
            raise UsageError(f"only {len(given)} of the candidates can be compared ({told})")
        shared, given = await asyncio.to_thread(trees.told_apart, given, base)
        key = await asyncio.to_thread(self._key, savepoints.root, (base, given, shared))
        seconds = 0.0 if self.asked.anew else self.workspace.loaded.settings.compare.cache
        answers = Answers(root, TypeAdapter(Comparison))
        known = await asyncio.to_thread(answers.find, key, seconds, datetime.now(UTC))
        if known is not None:
            return replace(known[0], left_out=left_out, known_since=known[1].isoformat())
        try:
            async with AsyncExitStack() as stack:
                executor = await self._executor(stack)
                places = await stack.enter_async_context(threaded(checkouts(root, savepoints.shadow)))
                refusing = await asyncio.to_thread(self._refusing, answers)
                court = _Court(self, savepoints.root, trees, base, places, Watch(refusing), executor)
                found = replace(await court.judged(given), shared=shared, task=self.task)
        except CandidateError as error:
            raise UndecidedError(str(error)) from error
        await asyncio.to_thread(answers.keep, key if court.is_settled else "", found, datetime.now(UTC))
        return replace(found, left_out=left_out)

    async def _executor(self, stack: AsyncExitStack) -> Executor | None:
        """What runs units elsewhere; None: this machine measures. Raises UsageError."""
        address = self.asked.cluster
        if not address:
            return None
        self.tell(f"connecting to {address}")
        try:
            cluster = await stack.enter_async_context(threaded(connected(address)))
        except ClusterError as error:
            raise UsageError(str(error)) from error
        here = await asyncio.to_thread(stamp, self.workspace.interpreter.path)
        await asyncio.to_thread(refuse_others, cluster, here)
        self.tell(f"{len(cluster.workers)} workers at {address}")
        return cluster.executor

    def _refusing(self, answers: Answers[Comparison]) -> tuple[str, ...]:
        """The tests that refused candidates lately, the newest first. Blocks."""
        if self.asked.whole:
            return ()
        found = (test for one in answers.newest() for test in one.refused_by.values())
        return tuple(islice(dict.fromkeys(found), _MOST_FIRST))

    def _key(self, top: Path, looked_up: tuple[object, ...]) -> str:
        """Of the same comparison; empty with a model, or a cluster, which are asked each time. Blocks."""
        if self.assessor is not None or self.asked.cluster:
            return ""
        asked = self.asked
        level = asked.isolation or strongest()
        ruff = linting.ruff_of(self.workspace.root, self.workspace.interpreter.path)
        how = (asked.strategy, level, asked.tests, asked.whole, self.task, ruff)
        return key_of(self.workspace, top, self.environ, (*looked_up, *how))


def _given(trees: Trees, base: Base, names: Sequence[str]) -> tuple[tuple[Given, ...], tuple[LeftOut, ...]]:
    """The candidates that can be compared, by name, and the others. Blocks."""
    found: dict[str, Given] = {}
    left_out = []
    for name in sorted(set(names)):
        try:
            one = trees.find(name, base)
            twin = found.get(one.tree)
            if twin is not None:
                raise CandidateError(f"{name} is equal to {twin.name}, which is compared instead")
            found[one.tree] = one
        except CandidateError as error:
            left_out.append(LeftOut(name, str(error)))
    return tuple(found.values()), tuple(left_out)


def _passing(pool: Pool) -> frozenset[str]:
    return frozenset(one.name for one in pool.candidates if one.passes)


def _silent(_step: str) -> None:
    """Nobody listens."""


class _Court:
    """One comparison: the base and its candidates, each in a folder of its own."""

    def __init__(
        self,
        making: _Making,
        top: Path,
        trees: Trees,
        base: Base,
        places: Checkouts,
        watch: Watch,
        executor: Executor | None,
    ) -> None:
        workspace, asked = making.workspace, making.asked
        self._workspace = workspace
        self._inside = workspace.root.relative_to(top)
        self._trees = trees
        self._base = base
        self._places = places
        self._asked = asked
        self._tell = making.tell
        self._level = asked.isolation or strongest()
        self._turns = asyncio.Semaphore(max(1, os.cpu_count() or 1))
        lint = workspace.loaded.settings.compare.lint
        python = workspace.interpreter.path
        ruff = "" if lint else linting.ruff_of(workspace.root, python)
        self._looking = Looking(base.commit, self._inside, python, ruff, os.environ)
        settings = workspace.loaded.settings.tests
        self._tests = asked.tests and settings.enabled
        self._assessor = making.assessor
        self._task = making.task
        self.is_settled = True
        """Whether nothing failed or came late that another comparison could have."""
        limits = Limits(settings.timeout, settings.total_timeout, memory=settings.memory_cap * 1_000_000)
        self._runs = Runs(
            python,
            settings.arguments,
            limits,
            Enclosure(self._level),
            str(workspace.root),
        )
        self._watch = None if asked.whole else watch
        checks = ProjectChecks(places, base, self._runs, self._inside, lint)
        watched = (self._watch, self._turns, self._tell, self._tests)
        self._here = Here(self._runs, checks, self._looking, places, base, *watched)
        self._spread = None
        if executor is not None:
            how = How(
                stamp(python),
                self._inside.as_posix(),
                str(workspace.root),
                settings.arguments,
                limits,
                asked.isolation,
                lint,
                asks_ruff=bool(ruff),
                tests=self._tests,
                variables=settings_of(os.environ),
            )
            self._spread = Spread(executor, how, base, places, self._tell)

    async def judged(self, given: Sequence[Given]) -> Comparison:
        """Measure all, and rank them."""
        self._tell(f"{len(given)} candidates, isolation {self._level}")
        known = await each(self._known(one) for one in given)
        pooled = await (self._spread or self._here).measured(known, self._level)
        made, suite, self._level = pooled.made, pooled.suite, pooled.level
        unchecked = [_UNCHECKED] if pooled.base is None else list(unmeasured(pooled.base, pooled.checked))
        if suite is not None and self._watch is not None:
            made = [await self._refused(one, suite) for one in made]
        self.is_settled = is_settled([one.measured for one in made], suite) and (
            pooled.base is None or all_ended(pooled.base, pooled.checked)
        )
        if suite is not None and suite.reason and not suite.endings:
            # What the base cannot run tells nothing of a candidate.
            note = f"tests at the base: {suite.reason}"
            suite = Suite()
        else:
            note = "" if self._tests else "tests were not run: regressions and visible tests are unknown"
        found = [one.measured for one in made]
        undecided = still_tied(pool_of(found, suite, self._level))
        tied = [one for one in made if one.measured.given.name in undecided]
        final_after = self._final_after(is_tied=bool(tied))
        if self._spread is not None:
            await self._check_out(tied)
        asked = await self._behaviour(tied)
        handed = await self._exchanged(tied, visible_tests(found, suite), suite)
        measured = [with_behaviour(one.measured, asked) for one in made]
        settings = self._workspace.loaded.settings.compare
        rules = AcceptanceRules(enabled=settings.auto_accept)
        pool = replace(
            pool_of(measured, suite, self._level, handed),
            weights={Category(name): value for name, value in settings.weights.model_dump().items()},
            recalibration=Recalibration(settings.confidence_offset, settings.confidence_slope),
        )
        refused = {one.name for one in pool.candidates if one.blocked}
        shown = [one for one in measured if one.given.name not in refused]
        assessments, told = await self._assessed(shown)
        if assessments:
            counted = {one.name: one.counted for one in assessments}
            candidates = tuple(replace(one, assessed=counted.get(one.name, {})) for one in pool.candidates)
            pool = replace(pool, candidates=candidates)
        ranking = rank(pool, self._asked.strategy, rules)
        passing = [row.name for row in ranking.rows if row.name in _passing(pool)]
        notes = [*([note] if note else []), *unchecked, *told]
        if len(tied) > MOST_EXCHANGING:
            notes.append(f"tests were not exchanged: more than {MOST_EXCHANGING} candidates are tied")
        return Comparison(
            self._base.commit,
            ranking,
            tuple(given),
            (),
            tuple(notes),
            difference(asked, passing),
            exchanged=handed,
            tree=self._base.tree,
            assessments=assessments,
            final_after=final_after,
            refused_by={
                one.given.name: one.suite.refused_by
                for one in found
                if one.suite is not None and one.suite.refused_by
            },
        )

    async def _check_out(self, tied: Sequence[Made]) -> None:
        """Check candidates out that others measured: what compares them with each other runs here."""
        for one in tied:
            place = int(one.checkout.folder.name)
            await asyncio.to_thread(self._places.make, place, one.measured.given.tree, self._base)

    def _final_after(self, *, is_tied: bool) -> str:
        """What decides the order, told as soon as that is known."""
        if self._assessor is not None:
            return "assessments"
        if is_tied and self._tests and self._asked.strategy is Strategy.EVIDENCE:
            return "behaviour"
        self._tell("the order is final: nothing that is still to be measured changes it")
        return "tests" if self._tests else "checks"

    async def _refused(self, one: Made, base: Suite) -> Made:
        """The same with the test that refuses it, where there is one."""
        suite = one.measured.suite
        if suite is None:
            return one
        if suite.refused_by and suite.refused_by not in base.passing:
            # It passes at the base when it runs first, and not in its place.
            suite = await self._runs.suite(one.checkout, one.root)
        return replace(one, measured=replace(one.measured, suite=refused(suite, base)))

    async def _assessed(self, measured: Sequence[Measured]) -> tuple[tuple[Assessment, ...], list[str]]:
        """What a model says of candidates, and what is to be told of it."""
        if self._assessor is None:
            return (), []
        from gateline.session.compare.assessing import Material, keep, learned_of_assessments

        shown = [Material(one.given.name, one.given.tree, one.text) for one in measured]
        parts = (self._asked.task, self._task.told if self._task else "")
        root, room = self._workspace.root, self._assessor.room(len(shown))
        learned = await asyncio.to_thread(learned_of_assessments, root, room)
        found = await self._assessor.assess(shown, "\n".join(filter(None, parts)), self._tell, learned)
        trouble = await asyncio.to_thread(keep, root, found)
        return found, [*self._assessor.told(found, learned), *([trouble] if trouble else [])]

    async def _behaviour(self, candidates: Sequence[Made]) -> AskedAlike:
        """What candidates answer to the same inputs, that nothing before tells apart."""
        if not self._tests or len(candidates) < FEWEST:
            return AskedAlike()
        self._tell("behaviour on the same inputs")
        changed = sorted({path for one in candidates for path in one.measured.given.changed})
        held = await asyncio.to_thread(self._trees.contents, self._base.tree, changed)
        texts = {
            self._looking.from_root(path): held[path].decode(errors="replace") if path in held else None
            for path in changed
        }
        return await asked_alike(candidates, texts, self._runs)

    async def _exchanged(
        self, tied: Sequence[Made], visible: frozenset[str], suite: Suite | None
    ) -> tuple[Handed, ...]:
        """What becomes of the candidates' own new tests on the others."""
        if suite is None or len(tied) > MOST_EXCHANGING:
            return ()
        exchanging = Exchanging(
            self._trees, self._base, self._places, self._runs, self._inside, self._turns, self._tell
        )
        return await exchanging.exchanged(tied, visible | suite.collected)

    async def _known(self, given: Given) -> Measured:
        """A candidate with what git tells of it."""
        text = await asyncio.to_thread(self._trees.added, given.origin or self._base.tree, given.tree)
        tests = [path for path in given.changed if is_tests(path)]
        held = await asyncio.to_thread(self._trees.blobs, given.tree, tests)
        blobs = {self._looking.from_root(path): blob for path, blob in held.items()}
        changed = list(map(self._looking.from_root, given.changed))
        planned = self._task.coverage(changed) if self._task else {}
        return Measured(given, blobs=blobs, text=text, planned=planned)
