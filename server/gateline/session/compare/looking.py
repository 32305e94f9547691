"""What the gates say of a candidate without running its code: parser, types, analyzers, integrity."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from gateline.model import Evaluation, Level, Progress
from gateline.session.check import change_of
from gateline.session.judge.request import Request
from gateline.session.selection import Selection
from gateline.session.tests import unrun
from gateline.session.tests.tested import Tested
from gateline.session.tools import judging_for
from gateline.session.workspace.workspace import open_workspace


async def looked_at(root: Path, base: str, python: str) -> Evaluation:
    """Judge the work tree of a candidate against a commit; `python` is the interpreter of the project.

    Its plug-ins do not run, and neither do its tests. Raises UsageError, UndecidedError and ChildError.
    """
    found = await asyncio.to_thread(open_workspace, root, os.environ, {"python": python})
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
