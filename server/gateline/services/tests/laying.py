"""A test runner that shows tests another tree also where the system lets nothing be laid over files.

Without a sandbox (containers without user namespaces, macOS) imports alone would see what an overlay holds,
and a file that a test reads would be today's. There the tree is written into a folder of its own, and the
tests run in that; what git ignores is linked into it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Unpack

from gateline.model import digest_of
from gateline.services.child import ChildError
from gateline.services.tests.far.contents import layer
from gateline.services.tests.far.contents.encodings import encoded
from gateline.services.tests.options import RunOptions, TestOptions
from gateline.services.tests.overlay import Blob, Content, Overlay
from gateline.services.tests.run import Run
from gateline.services.tests.runner import OnResult, TestRunner

_OWN = frozenset({"__pycache__", ".git", ".pytest_cache", ".mypy_cache", ".ruff_cache"})
"""Names that each tree has for itself."""


class LayingError(Exception):
    """The tree cannot be shown to tests; the message says why."""


@dataclass(frozen=True, slots=True)
class Project:
    """What lies in the project's folder."""

    files: Sequence[str]
    """What is not ignored."""
    ignored: Sequence[str]
    """What is; the name of a folder ends with a slash."""
    inside: str = ""
    """Where in its repository the folder lies; tests may read what lies above it."""


class LayingRunner(TestRunner):
    """Shows tests every overlay. `discover` and `run` raise LayingError where that cannot be done."""

    def __init__(self, options: TestOptions, look: Callable[[], Project] | None = None) -> None:
        """`look` lists the project's files; it may block, and raise OSError. None: nothing is written."""
        super().__init__(options)
        self._look = look
        self._beside: TestRunner | None = None
        self._shown = ""
        """The overlay that the folder beside shows, by its digest."""
        self._folder = ""

    async def discover(self, overlay: Overlay, *, arcs: Sequence[str] = ()) -> Run:
        """As of a runner."""
        beside = await self._with(overlay)
        if beside is None:
            return await super().discover(overlay, arcs=arcs)
        run = await beside.discover({}, arcs=arcs)
        self.collection = beside.collection
        return run

    async def run(
        self,
        ids: Sequence[str] | None,
        overlay: Overlay,
        on_result: OnResult | None = None,
        **options: Unpack[RunOptions],
    ) -> Run:
        """As of a runner."""
        beside = await self._with(overlay)
        if beside is None:
            return await super().run(ids, overlay, on_result, **options)
        run = await beside.run(ids, {}, on_result, **options)
        self.collection = beside.collection
        return run

    async def run_whole(self, overlay: Overlay) -> Run:
        """As of a runner."""
        beside = await self._with(overlay)
        if beside is None:
            return await super().run_whole(overlay)
        run = await beside.run_whole({})
        self.collection = beside.collection
        return run

    async def interrupt(self) -> None:
        """End what runs in either place."""
        await asyncio.gather(super().interrupt(), *([self._beside.interrupt()] if self._beside else []))

    async def stop(self) -> None:
        """End all processes, and remove the folder."""
        await super().stop()
        await self._leave()

    async def _with(self, overlay: Overlay) -> TestRunner | None:
        """What runs in a folder of its own; None where the overlay can be laid, or needs none."""
        root = self.options.root
        # A process that has started has its own library's modules: one of their names is seen by a new one.
        is_laid = not _is_tree(root, overlay) or await self._lays_files()
        if is_laid and not any(_shadows(root, path, overlay) for path in overlay):
            return None
        if self._look is None:
            raise LayingError("this system cannot run tests on content that differs from the files on disk")
        shown = digest_of(repr(sorted(overlay.items())))
        if self._beside is None or shown != self._shown:
            await self._leave()
            self._beside = await self._written(self._look, overlay)
            self._shown = shown
        return self._beside

    async def _lays_files(self) -> bool:
        """Whether the far side can; one that cannot start is asked all the same, and says why."""
        try:
            return (await self.ready()).files
        except ChildError:
            return True

    async def _written(self, look: Callable[[], Project], overlay: Overlay) -> TestRunner:
        try:
            self._folder = os.path.realpath(tempfile.mkdtemp(prefix="gateline-tree-"))
            project = await asyncio.to_thread(look)
            place = Path(self._folder, project.inside)
            await asyncio.to_thread(write_tree, self.options.root, place, project, overlay)
        except OSError as error:
            raise LayingError(f"the files could not be written beside the project: {error}") from None
        options = replace(self.options, root=place, instead_of=str(self.options.root), compiled=None)
        return TestRunner(options)

    async def _leave(self) -> None:
        if self._beside is not None:
            await self._beside.stop()
        if self._folder:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
        self._beside, self._folder = None, ""


def write_tree(root: Path, folder: Path, project: Project, overlay: Overlay) -> None:
    """Write the project's files with an overlay into a folder; all above it are new. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    _link_above(root, folder, len(Path(project.inside).parts))
    for path in project.files:
        if path not in overlay and not path.endswith("/"):
            _copy(root / path, folder / path)
    laid = {str(folder / path): content for path, content in overlay.items() if content is not None}
    modes = {path: content.mode for path, content in laid.items() if isinstance(content, Blob)}
    layer.write(str(folder), {path: _bytes(content) for path, content in laid.items()}, modes)
    for path in project.ignored:
        _link(root / path.rstrip("/"), folder / path.rstrip("/"))


def _link_above(root: Path, folder: Path, levels: int) -> None:
    """Lead to what lies beside a folder, and beside those above it."""
    for there, here in zip(root.parents[:levels], folder.parents, strict=False):
        for source in there.iterdir():
            _link(source, here / source.name)


def _is_tree(root: Path, overlay: Overlay) -> bool:
    """Whether an overlay holds more than unsaved texts, which imports see: files that are read."""
    return any(
        isinstance(content, bytes | Blob) or (content is None and os.path.lexists(root / path))
        for path, content in overlay.items()
    )


def _shadows(root: Path, path: str, overlay: Overlay) -> bool:
    """Whether a module that an overlay brings or takes away may stand before one of Python's own library."""
    file = PurePosixPath(path)
    folder = file.parent.parent if file.name == "__init__.py" else file.parent
    name = file.parent.name if file.name == "__init__.py" else file.stem
    if file.suffix != ".py" or name not in sys.stdlib_module_names:
        return False
    inside = (folder / "__init__.py").as_posix()
    is_package = overlay[inside] is not None if inside in overlay else (root / inside).exists()
    return not is_package and (overlay[path] is None) == (root / path).exists()


def _bytes(content: Content) -> bytes | None:
    match content:
        case Blob():
            return content.data
        case str():
            return encoded(content)
        case _:
            return content


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError, IsADirectoryError):
        shutil.copy2(source, target, follow_symlinks=False)


def _link(source: Path, target: Path) -> None:
    if _OWN.isdisjoint(source.parts) and not os.path.lexists(target) and target.parent.is_dir():
        target.symlink_to(source)
