"""Repairs the errors of files, one after the other, until nothing more can be done: for the command line."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateline.model import Change, Document, Origin, Problem, digest_of
from gateline.repairs.budget import ASKED
from gateline.repairs.choice import is_winner
from gateline.repairs.moved import moved
from gateline.repairs.reported import problem_of
from gateline.repairs.result import DebugResult
from gateline.session.check import change_of, from_root, readable_workspace
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.judge.judging import Judging
from gateline.session.repairs.confirming import Confirming, of_syntax
from gateline.session.repairs.fixing_new import NewFindings
from gateline.session.repairs.repairing import Repairing
from gateline.session.repairs.reported_errors import problems_told
from gateline.session.repairs.tests import RepairTests, repair_tests
from gateline.session.tools import judging_for
from gateline.session.workspace.changes import Selection
from gateline.session.workspace.reading import read
from gateline.session.workspace.workspace import Workspace

Tell = Callable[[str], None]


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
        fixing = _Fixing(workspace, judging, repairing, verifying, tell, asked)
        if problems is not None:
            await fixing.told(problems)
        else:
            documents, change = await asyncio.to_thread(_documents, workspace, start, paths)
            await fixing.all(documents, change)
    finally:
        await asyncio.gather(judging.stop(), repairing.stop())
    return fixing.result()


async def _agreed() -> bool:
    return True


@dataclass
class _Fixing:
    """The state of one run: the texts so far, and what became of each problem."""

    workspace: Workspace
    judging: Judging
    repairing: Repairing
    tests: RepairTests | None
    tell: Tell
    asked: Asked
    before: dict[str, str] = field(default_factory=dict)
    """The texts on the disk of the files that were repaired, as they were then."""
    texts: dict[str, str] = field(default_factory=dict)
    repaired: list[DebugResult] = field(default_factory=list)
    unclear: list[DebugResult] = field(default_factory=list)
    given_up: list[DebugResult] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    new: NewFindings | None = None
    """Tells what is new; None where old findings are asked for."""

    async def all(self, documents: Sequence[Document], change: Change | None) -> None:
        """Repair what is found in these documents; after each repair it is looked for anew.

        `change` tells what is new; None where nothing does.
        """
        originals = {document.path: document for document in documents}
        self.new = None if self.asked.old else NewFindings(self.judging.types, change, originals)
        tried: set[tuple[str, str, str]] = set()
        while (problem := await self._next(originals, tried)) is not None:
            tried.add(_mark(problem))
            if await self.one(problem):
                # A repair moves lines, and may lead on to what could not be repaired before.
                tried.clear()
                tried.update(_mark(result.problem) for result in (*self.given_up, *self.unclear))
                # One that lies in another file, as a dependency that is to be installed, stays reported.
                tried.update(_mark(result.problem) for result in self.repaired if _is_elsewhere(result))

    async def told(self, problems: Sequence[Problem]) -> None:
        """Repair what an output tells of, one after the other; what went with an earlier repair is left."""
        collector = self.workspace.collector
        confirming = Confirming(
            self.workspace.root, collector.max_size, self.judging.types, self.tests, self.notes
        )
        warming = asyncio.create_task(self._warm(problems))
        try:
            for problem in problems:
                if (now := moved(problem, self.before, self.texts)) is not None:
                    await self._told(now, confirming)
        finally:
            warming.cancel()
            await asyncio.wait([warming])
        confirming.note_unreported()

    async def _told(self, problem: Problem, confirming: Confirming) -> None:
        self.tell(f"looking at {problem.path}:{problem.line + 1}")
        if (here := await confirming.confirmed(problem, self.texts)) is not None:
            # What a checker reports of code that works is no reason to try this and that.
            await self.one(here, clear=here.origin is Origin.TYPES)

    async def _warm(self, problems: Sequence[Problem]) -> None:
        """Start what searches and verifies while the first tests run; a failure is told when it is asked."""
        # Of what a checker told it is asked in its turn, and it answers the same texts once.
        is_raised = all(problem.origin is Origin.RUN for problem in problems)
        paths = sorted({problem.path for problem in problems}) if is_raised else ()
        root, limit = self.workspace.root, self.workspace.collector.max_size
        files = await asyncio.to_thread(lambda: [read(root, path, limit) for path in paths])
        texts = {file.path: file.text for file in files if isinstance(file, Document)}
        service = self.judging.types.service if texts else None
        asked: list[Awaitable[object]] = [] if service is None else [service.update(texts)]
        await asyncio.gather(self.repairing.warm(), *asked, return_exceptions=True)

    async def one(self, problem: Problem, *, clear: bool = False) -> bool:
        """Look for a repair of a problem, and go on from it; whether there was one that is made.

        A guess is not made where only `clear` winners are asked for.
        """
        self.tell(f"repairing {problem.path}:{problem.line + 1}")
        result = await self.repairing.debug(problem, self.texts, ASKED)
        if not result.success:
            self.given_up.append(result)
            return False
        if (clear or self.asked.clear) and not is_winner(result):
            self.unclear.append(result)
            return False
        await asyncio.to_thread(self._remember, result)
        self.repaired.append(result)
        self.texts |= result.texts or {}
        return True

    async def _next(
        self, originals: Mapping[str, Document], tried: set[tuple[str, str, str]]
    ) -> Problem | None:
        """The first problem that was not tried: syntax before types, and tests last."""
        texts = {path: self.texts.get(path, document.text) for path, document in originals.items()}
        found = await asyncio.to_thread(of_syntax, texts)
        broken = {problem.path for problem in found}
        if not any(_mark(problem) not in tried for problem in found):
            self.tell("checking types")
            found += await self._types({p: t for p, t in texts.items() if p not in broken})
        if self.tests is not None and not any(_mark(problem) not in tried for problem in found):
            self.tell("running tests")
            found += (await self.tests.before(None, {**texts, **self.texts})).problems
        following = next((problem for problem in found if _mark(problem) not in tried), None)
        if following is None:
            # What was given up may have gone with another error that was repaired later.
            left = set(map(_mark, found))
            self.given_up = [result for result in self.given_up if _mark(result.problem) in left]
            self.unclear = [result for result in self.unclear if _mark(result.problem) in left]
        return following

    async def _types(self, texts: Mapping[str, str]) -> list[Problem]:
        service = self.judging.types.service
        if service is None or not texts:
            return []
        checked = await service.update(texts)
        found = [f for report in checked.reports.values() for f in report.findings if f.path in texts]
        if self.new is not None:
            found = await self.new.among(found, texts)
        return sorted(map(problem_of, found), key=lambda problem: problem.sort_key)

    def _remember(self, result: DebugResult) -> None:
        """Keep the texts on the disk that a repair is of. Blocks. Raises UsageError where they changed."""
        root, limit = self.workspace.root, self.workspace.collector.max_size
        for path, digest in result.digests:
            if path not in self.texts:
                file = read(root, path, limit)
                self.before[path] = file.text if isinstance(file, Document) else ""
                if digest_of(self.before[path]) != digest:
                    raise UsageError(
                        f"{path} changed while it was repaired; nothing was written, run it again"
                    )

    def result(self) -> FixResult:
        """What became of everything."""
        done = tuple(self.repaired), tuple(self.given_up), tuple(self.unclear)
        old = self.new.old if self.new is not None else 0
        return FixResult(self.workspace.root, self.before, self.texts, *done, old, tuple(self.notes))


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
            raise UsageError(f"path {path!r} leads through a symbolic link to {where}: name that instead")


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
