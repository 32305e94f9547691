"""What a session works with, and makes anew when the settings change."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from gateline.model import Change
from gateline.plugins import load_analyzers
from gateline.session.judge.judging import Judging
from gateline.session.live.analysis import PROVISIONAL, Analysis, Parsed, no_more
from gateline.session.live.documents import Documents
from gateline.session.live.options import SessionOptions
from gateline.session.live.state import LiveState
from gateline.session.repairs.repairing import Repairing
from gateline.session.repairs.tests import repair_tests
from gateline.session.tests.consent import Consents
from gateline.session.tests.runs import Ask, TestRuns, nobody
from gateline.session.tests.setup import test_command
from gateline.session.tools import judging_for, uses_mypy
from gateline.session.types.checking import TypeChecking
from gateline.session.types.setup import remember_without_mypy
from gateline.session.workspace.reading import is_python
from gateline.session.workspace.workspace import Workspace, open_workspace
from gateline.session.workspace.worktree import Worktree


@dataclass(frozen=True)
class Toolset:
    """The worktree, and what analyses, checks and judges it."""

    worktree: Worktree
    judging: Judging
    analysis: Analysis
    checking: TypeChecking
    runs: TestRuns
    repairing: Repairing
    agreed: bool = False
    """Whether a person had agreed that code of the project runs, when these were made."""

    @classmethod
    async def of(
        cls,
        root: Path,
        options: SessionOptions,
        live: LiveState,
        ask: Ask | None,
        answered: Callable[[], Awaitable[None]] = nobody,
        parsed: Parsed = no_more,
    ) -> Self:
        """Read the settings of a folder, and make what they ask for; of processes only the slowest starts.

        `answered` is called when a person said whether code of the project may run, `parsed` when a text was.
        """
        present = await asyncio.to_thread(
            open_workspace, root, os.environ, None, options.python, trusted=options.trusted
        )
        workspace = await asyncio.to_thread(present.in_force)
        worktree = Worktree(workspace)
        refreshed = asyncio.get_running_loop().run_in_executor(None, worktree.refresh)
        agreed = await asyncio.to_thread(Consents().allows, root, test_command(workspace))
        judging = judging_for(workspace, trusted=options.trusted, agreed=agreed)
        judging.types.warm()
        try:
            await refreshed
            if not uses_mypy(workspace.loaded.settings):
                await asyncio.to_thread(remember_without_mypy, root)
        except BaseException:
            await judging.stop()
            raise
        analysis = Analysis(judging.engine, live, partial(_change, worktree, live.documents), parsed)
        checking = TypeChecking(judging.types, worktree, live.documents, analysis)
        runs = _runs(workspace, judging, ask, answered)
        tests = repair_tests(judging.tests, runs.allowed)
        repairing = Repairing(workspace, judging.types, judging.engine, tests)
        return cls(worktree, judging, analysis, checking, runs, repairing, agreed)

    def begin(self) -> None:
        """Take back what was found by what is switched off now; nobody else puts anything on the board."""
        off = {analyzer.name for analyzer in load_analyzers()} - self.judging.engine.analyzers.keys()
        if not self.judging.settings.types.enabled:
            off |= {"types", PROVISIONAL}
        for name in off:
            self.analysis.board.put_everywhere(name, {})

    async def are_outdated(self) -> bool:
        """Whether a person said something else since about code that the type checker runs, or would run."""
        agreed = await self.runs.agreed()
        return agreed != self.agreed and (self.agreed or self.judging.types.waits_for_consent)

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files were written: what was known of them is looked at again."""
        self.judging.files_changed()
        self.runs.files_changed(paths)
        read = [path for path in paths if is_python(path) or path.startswith(".git/")]
        if read:
            self.repairing.files_changed()
            await self.checking.files_changed(read)
        await self.analysis.retell()

    async def noticed(self, paths: Sequence[str]) -> None:
        """Files differ from the last look at the disk; those of the change the checker is given anyway."""
        self.judging.files_changed()
        self.runs.files_changed(paths)
        self.repairing.files_changed()
        changed = {row.path for row in self.worktree.disk.files}
        outside = [path for path in paths if is_python(path) and path not in changed]
        if outside:
            await self.checking.files_changed(outside)

    async def stop(self) -> None:
        """End all processes and threads."""
        self.analysis.stop()
        await asyncio.gather(self.judging.stop(), self.repairing.stop())


def _change(worktree: Worktree, documents: Documents) -> Change:
    return worktree.change(documents.bases, documents.buffers)


def _runs(
    workspace: Workspace, judging: Judging, ask: Ask | None, answered: Callable[[], Awaitable[None]]
) -> TestRuns:
    settings = workspace.loaded.settings.tests
    asking = ask if settings.automatic == "ask" else None
    return TestRuns(judging.tests, workspace.root, test_command(workspace), asking, told=answered)
