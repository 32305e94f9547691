"""What gateline's own check says of a scratch work tree, against the base that the loop began with."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gateline.analyzers import syntax
from gateline.gates.trajectory import moved, values_of
from gateline.model import (
    Change,
    Dimension,
    Document,
    Evaluation,
    Finding,
    Level,
    Novelty,
    Problem,
    Progress,
    Weight,
)
from gateline.refinement.policy import at_middle
from gateline.refinement.state import Failing, LoopState, Verdict
from gateline.services.child import ChildError
from gateline.services.together import together
from gateline.session.check import change_of
from gateline.session.judge.judging import Judging
from gateline.session.judge.request import Inspected, Request
from gateline.session.selection import Selection, Which
from gateline.session.tests.services import OnResult, TestService
from gateline.session.tests.tested import Tested
from gateline.session.tests.trees import Tree
from gateline.session.tools import judging_for
from gateline.session.types.services import Texts
from gateline.session.types.types import Typed
from gateline.session.workspace.reading import read
from gateline.session.workspace.workspace import Workspace, open_workspace
from gateline.testing.naming import is_test
from gateline.testing.result import Ending, Failure, Result

Tell = Callable[[str], None]
_MOST_REASONS = 8
_MISSING = "exit status 127"
"""What a shell ends with that does not find a program."""
_WARMED = 20
"""So many files the type checker is shown early: what it reads for them is kept for all."""
_GOOD = frozenset({Ending.PASSED})


@dataclass(frozen=True)
class Findings:
    """A verdict, and what only an agent in this process can use: the exceptions that tests raised."""

    verdict: Verdict
    problems: tuple[Problem, ...] = ()
    """Each with the tests that fail with it."""
    evaluation: Evaluation | None = None


@dataclass
class Verifying:
    """Judges the scratch work tree, again and again, with processes that stay warm."""

    workspace: Workspace
    base: str
    judging: Judging
    _known: dict[str, Findings] = field(default_factory=dict)
    """What was said of a tree."""
    _requests: dict[str, Request] = field(default_factory=dict)
    """What was judged of a tree."""

    async def findings(self, state: LoopState, tree: str, checkpoint: str, tell: Tell) -> Findings:
        """What is to be said of the work tree, which holds `tree`, where a round is a `checkpoint`.

        Raises UsageError, UndecidedError and ChildError.
        """
        if tree in self._known and not checkpoint:
            return self._known[tree]
        _, change, around = await asyncio.to_thread(change_of, self.workspace, Selection(base=self.base))
        service = self.judging.tests.service
        if change.is_empty and service is not None:
            self._known[tree] = found = await self._of_base(service, tell)
            return found
        self._requests[tree] = request = await self._gathered(change, around, tell)
        evaluation = await self.judging.evaluate(request)
        problems, failing = _failing(request.tested.run, self._uncollected())
        verdict = _verdict(evaluation, request.tested, failing)
        if checkpoint:
            # Every round is judged as at the final checkpoint: that one is there already.
            at = None
            if (level := Level(checkpoint)) is not evaluation.level:
                asked = replace(request, level=level, progress=Progress.COUNTED)
                at = await self.judging.evaluate(asked)
            verdict = _at_checkpoint(verdict, at or evaluation, state)
        found = Findings(verdict, problems, evaluation)
        self._known[tree] = found
        return found

    async def at_step(self, tree: str, *, last: bool) -> Evaluation | None:
        """What the gate says of a tree that was looked at, between two steps of a plan; None of the base.

        `last`: as at the final checkpoint, else as at the middle one.
        """
        found, request = self._known[tree].evaluation, self._requests.get(tree)
        if last or request is None:
            return found
        return await self.judging.evaluate(replace(request, level=Level.MIDDLE, progress=Progress.COUNTED))

    async def warm(self) -> None:
        """Start what judges, and let the type checker read what the project imports, while others work."""
        paths = await asyncio.to_thread(self.workspace.collector.project_files)
        root, limit = self.workspace.root, self.workspace.collector.max_size
        ours = [path for path in paths if not is_test(path)]
        files = await asyncio.to_thread(lambda: [read(root, path, limit) for path in ours[:_WARMED]])
        texts = {file.path: file.text for file in files if isinstance(file, Document) and _parses(file)}
        with contextlib.suppress(ChildError):
            await asyncio.gather(self.judging.engine.warm(), self.judging.types.plain(texts))

    async def written(self, paths: Sequence[str]) -> None:
        """Files were written since the last question; paths from the root."""
        self.judging.files_changed()
        self.judging.tests.files_changed(paths)
        await self.judging.types.files_changed(paths)

    async def stop(self) -> None:
        """End all processes."""
        await self.judging.stop()

    async def _of_base(self, service: TestService, tell: Tell) -> Findings:
        """What tests say where nothing differs from the base: there is nothing else to judge."""
        tell("running the tests")
        run = await service.discover({})
        if service.collection is not None and not run.reason:
            run = await service.run(None, {}, _counting(tell), coverage=False)
        problems, failing = _failing(run.results, self._uncollected())
        if run.reason and not failing:
            failing = (Failing("tests", run.reason),)
        passed = sum(one.ending in _GOOD for one in run.results)
        return Findings(Verdict("unchanged", None, passed, failing, unchanged=True), problems)

    async def _gathered(self, change: Change, around: Texts, tell: Tell) -> Request:
        """All reports of one content; a decision at any checkpoint follows from them."""
        judging = self.judging

        async def typed() -> Typed:
            return await judging.typed(change, around)

        async def tested() -> Tested:
            # At the final level tests would also be timed, which counts in no score.
            return await judging.tested(change, Tree(), Which.ALL, Level.MIDDLE, _counting(tell))

        async def inspected() -> Inspected:
            return await judging.inspected(change, Level.FINAL, around)

        tell("verifying")
        types, tests, inside = await together(typed(), tested(), inspected())
        return Request(change, Level.FINAL, Progress.SAID, types, tests, around, inside)

    def _uncollected(self) -> tuple[tuple[str, Failure], ...]:
        """The files that could not be collected in the last run."""
        service = self.judging.tests.service
        collection = service.collection if service is not None else None
        return tuple((e.id, e.failure) for e in collection.errors) if collection is not None else ()


def verifying(root: Path, base: str, python: str, instead_of: Path) -> Verifying:
    """What judges the scratch workspace at `root`, a copy of the one at `instead_of`. Blocks.

    Nothing is started yet. `python` is the interpreter of the project. Raises UsageError and UndecidedError.
    """
    opened = open_workspace(root, os.environ, {"python": python})
    workspace, _, _ = change_of(replace(opened, copy_of=str(instead_of)), Selection(base=base))
    return Verifying(workspace, base, judging_for(workspace, trusted=True, agreed=True))


def _parses(file: Document) -> bool:
    return syntax.compiler_error(file.path, file.text) is None


def _counting(tell: Tell) -> OnResult:
    done = 0

    def count(_result: Result) -> None:
        nonlocal done
        done += 1
        tell(f"verifying: {done} tests run")

    return count


def _failing(
    results: Iterable[Result], uncollected: Iterable[tuple[str, Failure]]
) -> tuple[tuple[Problem, ...], tuple[Failing, ...]]:
    """The exceptions, each with all of its tests, and the tests that fail."""
    rows = [*((one.id, one.failure) for one in results if one.is_bad), *uncollected]
    problems = [replace(failure.problem, tests=(test,)) for test, failure in rows if failure is not None]
    failing = [_row(test, failure) for test, failure in rows]
    return grouped(problems), tuple(sorted(failing, key=lambda one: one.test))


def grouped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each error once, with all of its tests: what was raised in the same place, and says the same."""
    found: dict[tuple[str, str, str, int], Problem] = {}
    for problem in problems:
        key = (problem.type, _first_line(problem), problem.path, problem.line)
        known = found.get(key)
        found[key] = replace(known, tests=(*known.tests, *problem.tests)) if known else problem
    return tuple(found.values())


def _row(test: str, failure: Failure | None) -> Failing:
    if failure is None:
        return Failing(test, "the test ended without an exception")
    problem = failure.problem
    place = f"{problem.path}:{problem.line + 1}" if problem.path else ""
    return Failing(test, f"{problem.type}: {_first_line(problem)}".rstrip(": "), place, _excuse(failure))


def _first_line(problem: Problem) -> str:
    return problem.message.partition("\n")[0][:200]


def _excuse(failure: Failure) -> str:
    """Why a test cannot pass here whatever the code does; empty where nothing says so."""
    if failure.network:
        return "it needs the network"
    link: Problem | None = failure.problem
    while link is not None:
        last = link.frames[-1] if link.frames else None
        is_started = last is not None and not last.ours and last.path.endswith("subprocess.py")
        is_missing = link.type == "CalledProcessError" and _MISSING in link.message
        if is_missing or (link.type == "FileNotFoundError" and is_started):
            return f"a program is not installed: {_first_line(link)}"
        link = link.cause
    return ""


def _verdict(evaluation: Evaluation, tested: Tested, failing: tuple[Failing, ...]) -> Verdict:
    about = tested.about
    endings = about.endings if about is not None else None
    if about is not None and about.reason and not failing:
        failing = (Failing("tests", about.reason),)
    integrity = [f for f in evaluation.findings if _is_gaming(f)]
    decision = evaluation.decision
    told = (*decision.reasons, *(action.text for action in decision.required_actions))
    return Verdict(
        str(decision.outcome),
        evaluation.score.value,
        endings.passed if endings is not None else 0,
        failing,
        evaluation.score.floors,
        tuple(sorted(f"{f.path}:{f.span.start.line + 1}: {f.code} {f.message}" for f in integrity)),
        _values(evaluation),
        reasons=tuple(dict.fromkeys(told))[:_MOST_REASONS],
        unchanged=not evaluation.changed,
    )


def _is_gaming(finding: Finding) -> bool:
    """Whether a finding says that the gate is being gamed; advice does not."""
    is_new = finding.novelty is Novelty.NEW and finding.weight is not Weight.ADVICE
    return is_new and finding.dimension is Dimension.INTEGRITY


def _values(evaluation: Evaluation) -> tuple[tuple[str, float], ...]:
    return tuple((str(name), value) for name, value in sorted(values_of(evaluation.score).items()))


def _at_checkpoint(verdict: Verdict, evaluation: Evaluation, state: LoopState) -> Verdict:
    """A verdict with what the gate says at a checkpoint, and how the score moved since the early one."""
    level, decision = evaluation.level, evaluation.decision
    verdict = replace(
        verdict,
        checkpoint=str(level),
        decision=str(decision.outcome),
        values=_values(evaluation),
        reasons=tuple(dict.fromkeys((*decision.reasons, *verdict.reasons)))[:_MOST_REASONS],
    )
    if level is Level.MIDDLE:
        counted = at_middle(verdict.decision, verdict, state.rules, max(state.total, verdict.total))
        verdict = replace(verdict, decision=counted)
    early = next((one.verdict for one in state.rounds if one.verdict.checkpoint == "early"), None)
    if level is not Level.MIDDLE or early is None or evaluation.thresholds is None:
        return verdict
    before = {Dimension(name): value for name, value in early.values}
    found = moved(evaluation.thresholds, before, evaluation.score, Progress.COUNTED)
    if found is None:
        return verdict
    return replace(verdict, trajectory=found.name, delta=found.delta, advice=found.advice)
