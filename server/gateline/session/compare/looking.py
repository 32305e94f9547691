"""What the gates say of a candidate without running its code: parser, types, analyzers, integrity."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.model import Evaluation, Level, Progress
from gateline.services.child import ChildError, last_line
from gateline.session.check import change_of
from gateline.session.compare import linting
from gateline.session.compare.api import breakages
from gateline.session.compare.linting import Complaints
from gateline.session.compare.measured import Measured
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.judge.request import Request
from gateline.session.selection import Selection
from gateline.session.tests import unrun
from gateline.session.tests.tested import Tested
from gateline.session.tools import judging_for
from gateline.session.workspace.workspace import open_workspace
from gateline.store.candidates.checkouts import Checkout


@dataclass(frozen=True, slots=True)
class Looking:
    """How candidates are looked at: the same for all."""

    commit: str
    """The base."""
    inside: Path
    """The workspace, from the top of the repository."""
    python: str
    """The interpreter of the project."""
    ruff: str
    """The program; empty where it is not asked."""
    environ: Mapping[str, str]

    async def at(self, measured: Measured, made: Checkout, base: Checkout) -> Measured:
        """The same with what is said of a candidate, beside the base, without running it."""
        root = made.files / self.inside
        try:
            evaluation = await looked_at(root, self.commit, self.python, self.environ)
            measured = replace(measured, evaluation=evaluation)
        except (UsageError, UndecidedError) as error:
            measured = replace(measured, problem=str(error))
        except ChildError as error:
            measured = replace(measured, problem=last_line(error))
        paths = [self.from_root(path) for path in measured.given.changed]
        broken = await asyncio.to_thread(breakages, base.files / self.inside, root, paths)
        measured = replace(measured, api=broken)
        if not self.ruff:
            return measured
        now = await self._complaints(made, paths)
        before = await self._complaints(base, paths)
        return replace(measured, lint=linting.worse(now, before))

    def from_root(self, path: str) -> str:
        """A path from the top of the repository, from the workspace."""
        return os.path.relpath(path, self.inside)

    async def _complaints(self, made: Checkout, paths: Sequence[str]) -> Complaints | None:
        return await linting.complaints(self.ruff, made.files / self.inside, paths)


async def looked_at(root: Path, base: str, python: str, environ: Mapping[str, str]) -> Evaluation:
    """Judge the work tree of a candidate against a commit; `python` is the interpreter of the project.

    Its plug-ins do not run, and neither do its tests. Raises UsageError, UndecidedError and ChildError.
    """
    found = await asyncio.to_thread(open_workspace, root, environ, {"python": python})
    selection = Selection(base, False, (), False, ())
    workspace, change, around = await asyncio.to_thread(change_of, found, selection)
    judging = judging_for(workspace, trusted=False)
    try:
        typed = await judging.typed(change, around)
        inspected = await judging.inspected(change, Level.FINAL, around)
        tested = Tested(about=unrun.not_wanted())
        request = Request(change, Level.FINAL, Progress.SAID, typed, tested, around, inspected)
        return await judging.evaluate(request)
    finally:
        await judging.stop()
