"""Repairs the errors of files, one after the other, until nothing more can be done: for the command line."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gateline.model import Change, Document, Problem
from gateline.repairs.budget import ASKED
from gateline.repairs.reported import problem_of
from gateline.repairs.result import DebugResult
from gateline.session.check import change_of, from_root, readable_workspace
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.judge.judging import Judging
from gateline.session.repairs.confirming import Confirming, is_of_syntax, of_syntax
from gateline.session.repairs.fixing_new import NewFindings
from gateline.session.repairs.in_turn import Debug, InTurn, Tell
from gateline.session.repairs.repairing import Repairing
from gateline.session.repairs.reported_errors import problems_told
from gateline.session.repairs.tests import RepairTests, repair_tests
from gateline.session.tools import judging_for
from gateline.session.toolset import Toolset
from gateline.session.types.services import Reports, Texts
from gateline.session.types.types import Types
from gateline.session.workspace.changes import Selection
from gateline.session.workspace.reading import read
from gateline.session.workspace.workspace import Workspace


@dataclass(frozen=True)
class FixResult:
    """What was repaired and what was not. Nothing is written yet."""

    root: Path
    before: Mapping[str, str]
    """The texts of the files that change, as they are."""
    after: Mapping[str, str]
    repaired: tuple[DebugResult, ...]
    given_up: tuple[DebugResult, ...]
    unclear: tuple[DebugResult, ...] = ()
    """Repairs that were verified, but are no clear winners; only where those alone were asked for."""
    old: int = 0
    """Findings of the type checker that the base has as well, and that were left for that."""
    notes: tuple[str, ...] = ()
    """What stood in the way of looking for repairs, a sentence each."""


@dataclass(frozen=True)
class Asked:
    """What a person asked to be repaired, and how."""

    tests: bool | None = None
    """Repairs are verified by the tests: who asks has the consent of the person to run them. None: by those
    that a report names, which the person has just run."""
    clear: bool = False
    """Only repairs that are clear winners are made; a guess is shown."""
    old: bool = False
    """Findings of the type checker that the base has as well are repaired, too."""


async def fix(
    start: Path,
    paths: Sequence[str] = (),
    *,
    report: str | None = None,
    asked: Asked = Asked(),
    tell: Tell = lambda step: None,
    environ: Mapping[str, str] | None = None,
) -> FixResult:
    """Repair the errors in `paths`, or in the files of the change; or those that an output tells of.

    Raises:
        UsageError: the settings or a path cannot be used, the output tells of no error, or a file was
            edited meanwhile.
        UndecidedError: git, which tells what changed, cannot be used.
        ChildError: a process that searches could not.

    """
    workspace = await asyncio.to_thread(readable_workspace, start, environ or os.environ)
    judging = judging_for(workspace, trusted=True, agreed=True)
    problems = None if report is None else await asyncio.to_thread(problems_told, report, workspace.root)
    named = sorted({test.partition("::")[0] for one in problems or () for test in one.tests})
    runs = bool(named) if asked.tests is None else asked.tests
    # Of a file that is not here, as in a report of another machine, pytest would collect nothing at all.
    there = tuple(path for path in named if (workspace.root / path).is_file())
    verifying = repair_tests(judging.tests, _agreed, there) if runs else None
    repairing = Repairing(workspace, judging.types, judging.engine, verifying, nice=0)
    try:
        turn = InTurn(workspace.root, workspace.collector.max_size, _debug(repairing), asked.clear, tell=tell)
        reports = partial(_updated, judging.types)
        fixing = _Fixing(workspace, judging, repairing, verifying, asked, turn, reports)
        if problems is not None:
            await fixing.told(problems)
        else:
            documents, change = await asyncio.to_thread(_documents, workspace, start, paths)
            await fixing.all(documents, change)
    finally:
        await asyncio.gather(judging.stop(), repairing.stop())
    return fixing.result()


async def fix_in(tools: Toolset, paths: Sequence[str], asked: Asked) -> FixResult:
    """The same by the processes of a session, which keeps nothing of it; no test is run.

    `tools` has just looked at the disk.

    Raises:
        UsageError: a path cannot be used, a file was edited meanwhile, or the person who asks has agreed to
            what the session's owner has not: that code of the project runs.
        UndecidedError: git, which tells what changed, cannot be used.
        ChildError: a process that searches could not.

    """
    workspace, judging = tools.worktree.workspace, tools.judging
    if judging.types.waits_for_consent:
        raise UsageError("mypy plug-ins need consent: run `gateline trust`")
    repairing = tools.repairing.without_tests()
    turn = InTurn(workspace.root, workspace.collector.max_size, _debug(repairing), asked.clear)
    reports = partial(_peeked, judging.types)
    fixing = _Fixing(workspace, judging, repairing, None, asked, turn, reports)
    documents, change = await asyncio.to_thread(_documents, workspace, workspace.root, paths)
    changed = [row.current for row in change.files if row.current is not None] if change else []
    # The type checker must know what is on the disk: what it says of a repair is said beside that.
    await _updated(judging.types, {one.path: one.text for one in (*changed, *documents)})
    await fixing.all(documents, change)
    return fixing.result()


async def _updated(types: Types, texts: Texts) -> Reports:
    """What is found in texts from which the next question goes on."""
    return {} if types.service is None else (await types.service.update(texts)).reports


async def _peeked(types: Types, texts: Texts) -> Reports:
    """What is found in texts that nobody else is to see."""
    return (await types.peek({}, texts))[1]


async def _agreed() -> bool:
    return True


def _debug(repairing: Repairing) -> Debug:
    async def debug(problem: Problem, texts: Mapping[str, str], laid: Mapping[str, str]) -> DebugResult:
        return await repairing.debug(problem, texts, ASKED, laid=laid)

    return debug


@dataclass
class _Fixing:
    """The state of one run: `turn` has the texts so far, and what became of each problem."""

    workspace: Workspace
    judging: Judging
    repairing: Repairing
    tests: RepairTests | None
    asked: Asked
    turn: InTurn
    reports: Callable[[Texts], Awaitable[Reports]]
    """What the type checker reports of texts."""
    notes: list[str] = field(default_factory=list)
    new: NewFindings | None = None
    """Tells what is new; None where old findings are asked for."""

    async def all(self, documents: Sequence[Document], change: Change | None) -> None:
        """Repair what is found in these documents; after each repair it is looked for anew.

        `change` tells what is new; None where nothing does.
        """
        warming = asyncio.create_task(self._warm_all(documents))
        try:
            await self._all(documents, change)
        finally:
            warming.cancel()
            await asyncio.wait([warming])

    async def _warm_all(self, documents: Sequence[Document]) -> None:
        """Start what searches and verifies while types are checked; a failure is told when it is asked."""
        inspected = [self.judging.engine.inspect(document, None) for document in documents[:1]]
        asked = (self.repairing.warm(), *inspected)
        await asyncio.gather(*asked, return_exceptions=True)

    async def _all(self, documents: Sequence[Document], change: Change | None) -> None:
        originals = {document.path: document for document in documents}
        self.new = None if self.asked.old else NewFindings(self.judging.types, change, originals)
        tried: set[tuple[str, str, str]] = set()
        while (problem := await self._next(originals, tried)) is not None:
            tried.add(_mark(problem))
            if await self.turn.one(problem):
                # A repair moves lines, and may lead on to what could not be repaired before.
                tried.clear()
                tried.update(_mark(result.problem) for result in (*self.turn.given_up, *self.turn.unclear))
                # One that lies in another file, as a dependency that is to be installed, stays reported.
                tried.update(_mark(result.problem) for result in self.turn.repaired if _is_elsewhere(result))

    async def told(self, problems: Sequence[Problem]) -> None:
        """Repair what an output tells of."""
        limit = self.workspace.collector.max_size
        confirming = Confirming(self.workspace.root, limit, self.judging.types, self.tests, notes=self.notes)
        warming = asyncio.create_task(self._warm(problems))
        try:
            await self.turn.told(problems, confirming)
        finally:
            warming.cancel()
            await asyncio.wait([warming])

    async def _warm(self, problems: Sequence[Problem]) -> None:
        """Start what searches and verifies while the first tests run; a failure is told when it is asked."""
        paths = sorted({problem.path for problem in problems if not is_of_syntax(problem)})
        root, limit = self.workspace.root, self.workspace.collector.max_size
        files = await asyncio.to_thread(lambda: [read(root, path, limit) for path in paths])
        documents = [file for file in files if isinstance(file, Document)]
        texts = {document.path: document.text for document in documents}
        inspected = [self.judging.engine.inspect(document, None) for document in documents]
        searched = self.repairing.warm(frozenset(problem.type for problem in problems))
        asked = (self.judging.types.ready(texts), searched, *inspected)
        await asyncio.gather(*asked, return_exceptions=True)

    async def _next(
        self, originals: Mapping[str, Document], tried: set[tuple[str, str, str]]
    ) -> Problem | None:
        """The first problem that was not tried: syntax before types, and tests last."""
        texts = {path: self.turn.texts.get(path, document.text) for path, document in originals.items()}
        found = await asyncio.to_thread(of_syntax, texts)
        broken = {problem.path for problem in found}
        if not any(_mark(problem) not in tried for problem in found):
            self.turn.tell("checking types")
            found += await self._types({p: t for p, t in texts.items() if p not in broken})
        if self.tests is not None and not any(_mark(problem) not in tried for problem in found):
            self.turn.tell("running tests")
            found += (await self.tests.before(None, {**texts, **self.turn.texts})).problems
        following = next((problem for problem in found if _mark(problem) not in tried), None)
        if following is None:
            # What was given up may have gone with another error that was repaired later.
            left = set(map(_mark, found))
            self.turn.drop(lambda problem: _mark(problem) not in left)
        return following

    async def _types(self, texts: Mapping[str, str]) -> list[Problem]:
        reports = await self.reports(texts) if texts else {}
        found = [f for report in reports.values() for f in report.findings if f.path in texts]
        if self.new is not None:
            found = await self.new.among(found, texts)
        return sorted(map(problem_of, found), key=lambda problem: problem.sort_key)

    def result(self) -> FixResult:
        """What became of everything."""
        turn = self.turn
        done = tuple(turn.repaired), tuple(turn.given_up), tuple(turn.unclear)
        old = self.new.old if self.new is not None else 0
        return FixResult(self.workspace.root, turn.before, turn.texts, *done, old, tuple(self.notes))


def _is_elsewhere(result: DebugResult) -> bool:
    """Whether a repair leaves the text as it is in which its error was found."""
    return all(edit.path != result.problem.path for edit in result.edits)


def _mark(problem: Problem) -> tuple[str, str, str]:
    return problem.path, problem.type, problem.message


def _refuse_links(root: Path, paths: Sequence[str]) -> None:
    """Links are not followed: who names one means the file behind it. Raises UsageError."""
    for path in paths:
        real = (root / path).resolve()
        if real != root.resolve() / path and real.exists():
            where = real.relative_to(root.resolve()) if real.is_relative_to(root.resolve()) else real
            raise UsageError(
                f"path {path!r} leads through a symbolic link to {where}; give that path instead"
            )


def _documents(
    workspace: Workspace, start: Path, paths: Sequence[str]
) -> tuple[list[Document], Change | None]:
    """The Python files at and below `paths`, those that changed when there are none; and the whole change.

    Without a base there is no change that tells what is new. Blocks.
    """
    selection = from_root(start, workspace.root, Selection(paths=tuple(paths), all=bool(paths)))
    _refuse_links(workspace.root, selection.paths)
    _, selected, _ = change_of(workspace, selection)
    documents = [row.current for row in selected.files if row.current is not None]
    if not paths or workspace.git is None:
        return documents, None if workspace.git is None else selected
    try:
        return documents, change_of(workspace, Selection())[1]
    except UndecidedError:
        return documents, None
