"""Judges a change once, from start to end: what the command line, hooks and CI ask for."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.git import GitError
from gateline.model import Change, Evaluation, Level, Progress
from gateline.services.together import together
from gateline.session.check_result import CheckResult
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.judge.judging import Judging, Tell
from gateline.session.judge.request import Inspected, Request
from gateline.session.observability.tracing import span
from gateline.session.selection import Selection, Which
from gateline.session.steps import Steps
from gateline.session.tests.testing import OnResult, Tested
from gateline.session.tests.trees import Tree, tree_of_index
from gateline.session.tools import judging_for
from gateline.session.types.services import Texts
from gateline.session.types.types import Typed
from gateline.session.workspace.changes import require_known
from gateline.session.workspace.roots import find_root
from gateline.session.workspace.settings import require_readable
from gateline.session.workspace.waivers import asked_waivers
from gateline.session.workspace.workspace import Workspace, open_workspace
from gateline.testing.result import Result

__all__ = ["CheckResult", "Selection", "check"]


class _Timings(dict[str, float]):
    @contextmanager
    def of(self, step: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            with span(f"gateline.{step}"):
                yield
        finally:
            self[step] = time.perf_counter() - began


async def check(
    start: Path,
    selection: Selection,
    level: Level,
    *,
    which: Which | None = None,
    progress: Progress = Progress.SAID,
    overrides: Mapping[str, object] | None = None,
    on_progress: Tell | None = None,
    environ: Mapping[str, str] | None = None,
) -> CheckResult:
    """Judge the change of the workspace around `start`.

    `which` tests are run follows from the level when it is None. Whoever calls this for a person has had
    their consent to run them.

    Raises:
        UsageError: the settings, the base or a path cannot be used; nothing was judged.
        UndecidedError: the base cannot be found, or git cannot be used.
        ChildError: the process that judges could not.

    """
    with span("gateline.check", checkpoint=str(level)):
        return await _checked(start, selection, level, which, progress, overrides, on_progress, environ)


async def _checked(
    start: Path,
    selection: Selection,
    level: Level,
    which: Which | None,
    progress: Progress,
    overrides: Mapping[str, object] | None,
    on_progress: Tell | None,
    environ: Mapping[str, str] | None,
) -> CheckResult:
    timings = _Timings()
    began = time.perf_counter()
    with timings.of("workspace"):
        workspace = await asyncio.to_thread(readable_workspace, start, environ or os.environ, overrides)
    with timings.of("change"):
        selected = from_root(start, workspace.root, selection)
        asked_for = asked_waivers(selection.accepted, start, workspace.root)
        workspace, change, around = await asyncio.to_thread(change_of, workspace, selected)
        change = replace(change, limits=(*change.limits, *workspace.loaded.limits))
        holding = (*workspace.waivers.holding, *asked_for)
        workspace = replace(workspace, waivers=workspace.waivers._replace(holding=holding))
        index = await asyncio.to_thread(_index, workspace) if selected.staged else Tree()
    judging = judging_for(workspace, trusted=True, agreed=True)
    try:
        asked = _Asked(change, around, index, level, which, progress)
        evaluation = await _evaluate(judging, asked, timings, on_progress)
        timings["whole"] = time.perf_counter() - began
    finally:
        await judging.stop()
    sources = {row.path: row.current.text for row in change.files if row.current}
    problems, chosen = workspace.loaded.problems, workspace.interpreter
    pythons = tuple(dict.fromkeys((chosen.path, chosen.of_packages)))
    remembered = workspace.loaded.settings.worklog if workspace.git else None
    return CheckResult(
        *(workspace.root, evaluation, sources, problems, dict(timings)), pythons=pythons, worklog=remembered
    )


@dataclass(frozen=True)
class _Asked:
    change: Change
    around: Texts
    index: Tree
    """All that the index has other than the disk, for tests."""
    level: Level
    which: Which | None
    progress: Progress


async def _evaluate(judging: Judging, asked: _Asked, timings: _Timings, tell: Tell | None) -> Evaluation:
    """Ask all sources side by side: types, tests and analyzers have processes of their own."""
    change = asked.change
    steps = Steps(tell)

    async def typed() -> Typed:
        with timings.of("types"), steps.of("types"):
            return await judging.typed(change, asked.around)

    async def tested() -> Tested:
        with timings.of("tests"), steps.of("tests"):
            counting = _counting(steps.telling("tests"))
            return await judging.tested(change, asked.index, asked.which, asked.level, counting)

    async def inspected() -> Inspected:
        with timings.of("analysis"), steps.of("analysis"):
            found = await judging.inspected(change, asked.level, asked.around, steps.telling("analysis"))
        await judging.engine.prepare_to_judge()
        return found

    types, tests, found = await together(typed(), tested(), inspected())
    request = Request(change, asked.level, asked.progress, types, tests, asked.around, found)
    with timings.of("verdict"), steps.of("verdict"):
        return await judging.evaluate(request, tell)


def _counting(tell: Tell) -> OnResult:
    """Tell how many tests were run, and how many of them failed."""
    run = failing = 0

    def count(result: Result) -> None:
        nonlocal run, failing
        run, failing = run + 1, failing + result.is_bad
        tell(f"{run} tests run" + (f", {failing} failing" if failing else ""))

    return count


def _index(workspace: Workspace) -> Tree:
    return tree_of_index(workspace.git, workspace.root) if workspace.git else Tree()


def readable_workspace(
    start: Path, environ: Mapping[str, str], overrides: Mapping[str, object] | None = None
) -> Workspace:
    """The workspace around `start`. Blocks. Raises UsageError when its settings cannot be read."""
    if not start.exists():
        raise UsageError(f"{start} does not exist; give a folder of the project")
    workspace = open_workspace(find_root(start.resolve()), environ, overrides)
    require_readable(workspace.loaded)
    return workspace


def change_of(workspace: Workspace, selection: Selection) -> tuple[Workspace, Change, Texts]:
    """What is selected, the texts to lay around it, and the workspace with the settings that judge it.

    Blocks. Raises UsageError and UndecidedError.
    """
    if workspace.git_problem and not selection.all:
        raise UndecidedError(
            f"git cannot be used in {workspace.root}: {workspace.git_problem}; "
            "fix that, or judge every file with --all"
        )
    if workspace.git is None and not selection.all:
        if selection.staged or selection.base:
            raise UsageError(f"{workspace.root} is not in a git repository; run `git init`, or use --all")
        if not selection.paths:
            raise UndecidedError(
                f"{workspace.root} is not in a git repository, so new findings cannot be distinguished from "
                "old ones; run `git init`, or judge every file with --all"
            )
        selection = replace(selection, all=True)
    try:
        return _collected(workspace, selection)
    except GitError as error:
        raise UndecidedError(f"git failed to list what changed in {workspace.root}: {error}") from error


def _collected(workspace: Workspace, selection: Selection) -> tuple[Workspace, Change, Texts]:
    base = workspace.base(selection.base)
    judged = workspace.judged_by(base)
    workspace = replace(workspace, waivers=judged.waivers) if selection.all else judged
    collector = workspace.collector
    around = collector.index_texts() if selection.staged else {}
    change = collector.collect(base, selection)
    if base.doubt and change.is_empty and not selection.all:
        raise UndecidedError(f"nothing differs from {base.label}, but {base.doubt}")
    require_known(selection.paths, workspace.root, change)
    return workspace, change, around


def from_root(start: Path, root: Path, selection: Selection) -> Selection:
    """Paths as they are from the root; a path that is not there, or outside, is a mistake of the person."""
    folder = start.resolve()
    folder = folder if folder.is_dir() else folder.parent
    found = []
    for path in selection.paths:
        full = Path(os.path.normpath(folder / path))
        if not full.is_relative_to(root):
            raise UsageError(f"path {path!r} is outside the workspace {root}")
        found.append(full.relative_to(root).as_posix())
    return replace(selection, paths=tuple(found))
