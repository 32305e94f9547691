"""One workspace folder while it is being worked on: the state behind the server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateline.model import Change, Document, Evaluation, Finding, Level, Progress, Span
from gateline.services.child import ChildError
from gateline.session.checks.checks import Checks
from gateline.session.checks.content import Watched
from gateline.session.compare.service import ComparisonService
from gateline.session.context.service import ContextService
from gateline.session.doctor import Doctor, doctor
from gateline.session.errors import UndecidedError
from gateline.session.judge.gathering import Contents, Gathering
from gateline.session.judge.judging import Tell
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live import notices
from gateline.session.live.options import Published, SessionOptions
from gateline.session.live.scheduler import Clock, Scheduler, guarded
from gateline.session.live.state import LiveState
from gateline.session.live.status import StatusUpdate
from gateline.session.memory.prompting import PromptLessons
from gateline.session.memory.service import MemoryService
from gateline.session.opening import Opening
from gateline.session.refinement.service import RefinementService
from gateline.session.repairs.offers import Offers
from gateline.session.tasks.recording.looking_back import Listeners
from gateline.session.tasks.recording.recorder import Recorder
from gateline.session.tests.automatic import AutomaticTests
from gateline.session.tests.runs import Ask
from gateline.session.toolset import Toolset
from gateline.session.workspace.roots import SETTINGS_FILES

if TYPE_CHECKING:
    from gateline.session.repairs.fixing import Asked, FixResult
    from gateline.settings.model import Settings

_TOOL_SETTINGS = (*SETTINGS_FILES, "mypy.ini", ".mypy.ini", "setup.cfg", "ty.toml")
_QUIET = 2.0
"""Seconds without an edit after which types are reconciled with an ordinary run of the checker."""


class Session:
    """All mutable state of one workspace folder. Methods run on the event loop, and none blocks it."""

    def __init__(
        self,
        root: Path,
        *,
        publish: Callable[[Published], None],
        status: Callable[[StatusUpdate], None],
        options: SessionOptions | None = None,
        clock: Clock | None = None,
        ask: Ask | None = None,
        listeners: Listeners | None = None,
    ) -> None:
        self.root = root
        self.options = options or SessionOptions()
        self._live = LiveState(self.options, publish)
        self._scheduler = Scheduler(clock)
        self.verdicts = Verdicts(status)
        self._gathering = Gathering(self._live.documents, self.verdicts)
        given = (self.options, self._live, ask, self._consented, self._parsed)
        self._opening = Opening(lambda: Toolset.of(root, *given))
        self.checks = Checks(self._looked, self._gathering, self._inferred, self._checked, self._known)
        contents = Contents(self._live.documents, lambda: self._opening.tools)
        self.recorder = Recorder(self._scheduler, contents, listeners, self._live.say_regression)
        needed = (self._when_ready, self._refreshed, self._gathering, self._scheduler, self._judge_soon)
        self.tests = AutomaticTests(*needed, self.recorder.tested)
        self.offers = Offers(self._when_ready, self._live.documents)
        self.context = ContextService(self._live.documents, self._scheduler)
        self.memory = MemoryService(self._scheduler)
        self.prompts = PromptLessons(root)
        self.refinement = RefinementService(root)
        self.comparisons = ComparisonService(root)
        self._edited = False
        """Whether there was an edit since types were reconciled."""
        self._watched = Watched()
        self._written: set[str] = set()
        """Files that changed on disk since they were last looked at."""
        self._ready = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    # What the client tells

    async def start(self) -> None:
        """Look at the folder and warm what will be needed; nothing of the user's code is run."""
        self._spawn(self._prepare())

    async def stop(self) -> None:
        """End all work and all processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.checks.stop()
        await self.recorder.stop()
        parts = (self.offers, self.context, self.memory, self.refinement, self.comparisons)
        await asyncio.gather(self._scheduler.stop(), *(part.stop() for part in parts))
        await self._opening.stop()

    @property
    def queue_depth(self) -> int:
        """How many jobs wait or run."""
        return self._scheduler.depth

    def reload_settings(self) -> None:
        """Read the settings again; every open document is analysed anew."""
        self._ready.clear()
        self._spawn(self._prepare())

    def open(self, path: str, text: str, version: int) -> None:
        """A document was opened."""
        self._live.documents.open(path, text, version)
        if self._ready.is_set():  # else all that is open then is analysed
            self._spawn(self._opened(path))

    def change(self, path: str, edits: Sequence[tuple[Span | None, str]], version: int) -> None:
        """A document was edited; spans are in code points, each against the text before it."""
        if (document := self._live.documents.change(path, edits, version)) is not None:
            self._live.board.edited(path, edits)
            self._live.edited()
            self.verdicts.edited()
            self._edited = True
            self.recorder.edited(path)
            self.context.edited()
            self._spawn(self._analysed(document))

    def save(self, path: str) -> None:
        """A document was written to disk."""
        self._live.level = Level.MIDDLE
        self.recorder.saved(path)
        self.files_changed([path])
        self._spawn(self.tests.saved())

    def close(self, path: str) -> None:
        """A document was closed: its findings are taken back."""
        self._live.documents.close(path)
        self._live.board.remove(path)
        self._live.stages.close(path)
        self._scheduler.drop(("inspect", path))
        self._live.show(path)
        if self._opening.tools is not None:
            self._spawn(self._opening.tools.checking.close(path))
        self._judge_soon()

    def files_changed(self, paths: Sequence[str]) -> None:
        """Files were written, by the client or by another program."""
        self.recorder.written(paths)
        self.context.written(paths)
        if any(path in _TOOL_SETTINGS for path in paths):
            self.reload_settings()
        elif paths:
            self._written.update(paths)
            self._scheduler.submit("disk", self._look_again)

    def forget(self, path: str) -> None:
        """A file that is not open was deleted: nothing is drawn of it until a verdict tells of a new one."""
        self._live.board.remove(path)

    # What the client asks

    def document(self, path: str) -> Document | None:
        """The newest text of an open document."""
        return self._live.documents.get(path)

    def findings(self, path: str) -> tuple[Finding, ...]:
        """What is known of a document now, old and new."""
        return self._live.board.merged(path)

    def told(self, path: str) -> tuple[Finding, ...]:
        """The findings of a document that is open, else those of the newest verdict in a file."""
        if self._live.documents.get(path) is not None or self.verdicts.current is None:
            return self.findings(path)
        return tuple(finding for finding in self.verdicts.current.findings if finding.path == path)

    async def settled(self, path: str, version: int, stage: str) -> None:
        """Until the stage (`syntax`, or `all`) was published for this version or a later one."""
        if self._live.documents.get(path) is not None:
            await self._live.stages.wait(path, stage, version)

    @property
    def settings(self) -> Settings | None:
        """Those in force; None before they were read."""
        tools = self._opening.tools
        return tools.worktree.workspace.loaded.settings if tools is not None else None

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths that differ from the base, as they were judged last; none before that."""
        known = self._known()
        return () if known is None else tuple(row.path for row in known[1].files)

    async def doctor(self) -> Doctor:
        """What was chosen and why."""
        return await doctor(self.root, os.environ, self.options.python, trusted=self.options.trusted)

    async def evaluate(
        self, level: Level | None, scope: str, progress: Progress, on_progress: Tell | None = None
    ) -> Evaluation:
        """Judge `change`, `project`, or one document by its path.

        Raises UsageError for a path that is neither open nor changed, UndecidedError and ChildError.
        """
        while True:
            tools = await self._refreshed()
            await self._gathering.know_bases(tools)
            if level is None:
                level, progress = self.recorder.checkpoint(self._live.level)
            opened = self._live.documents.buffers
            try:
                evaluation = await self._gathering.asked(tools, level, scope, progress, on_progress)
            except ChildError:  # The settings changed meanwhile, and what was asked is gone?
                if tools is self._opening.tools:
                    raise
            else:
                if tools is self._opening.tools:
                    break
        if scope == "change":
            self._take(evaluation, opened, asked=True)
        return evaluation

    # What agents ask

    def _inferred(self) -> tuple[Level, Progress]:
        return self.recorder.checkpoint(self._live.level)

    async def _looked(self) -> Toolset:
        """Look at the disk; whatever differs from the last look was written by somebody."""
        tools = await self._refreshed()
        written = await asyncio.to_thread(self._watched.moved, tools.worktree.disk, tools.worktree.between)
        self.recorder.written(written)
        self.context.written(written)
        if any(path in _TOOL_SETTINGS for path in written):
            self.reload_settings()
            return await self._refreshed()
        if written:
            await tools.noticed(written)
        return tools

    async def _checked(
        self, tools: Toolset, level: Level, progress: Progress, tell: Tell, thorough: bool
    ) -> tuple[Evaluation, Change]:
        """Judge the change; unless `thorough` with what is known, so that an answer waits for no run."""
        if thorough:
            evaluation = await self.evaluate(level, "change", progress, tell)
            return evaluation, self._gathering.memo.change_of(evaluation) or tools.worktree.disk
        opened = self._live.documents.buffers
        evaluation, change = await self._gathering.looked(tools, level, progress)
        holding = self.verdicts.holding(level)
        if holding is None or holding[0] != change:
            self._take(evaluation, opened)
        return evaluation, change

    def _known(self) -> tuple[Evaluation, Change] | None:
        """The newest verdict, and the change that it is about."""
        newest = self.verdicts.current
        change = self._gathering.memo.change_of(newest) if newest is not None else None
        return (newest, change) if newest is not None and change is not None else None

    async def fix(self, paths: Sequence[str], asked: Asked) -> FixResult:
        """Repair the files of the change, or those at and below `paths`, as they are on the disk.

        Nothing is written, and no test is run. Raises UsageError, UndecidedError and ChildError.
        """
        from gateline.session.repairs.fixing import fix_in

        return await fix_in(await self._looked(), paths, asked)

    # How it works

    async def _prepare(self) -> None:
        if (tools := await self._opening.anew()) is None:
            return  # The settings are read once more.
        if tools.worktree.is_outdated:  # a base with other settings came while these were read
            self.reload_settings()
            return
        self._live.documents.forget_bases()
        self._ready.set()
        workspace = tools.worktree.workspace
        self._spawn(self.context.opened(workspace, trusted=self.options.trusted))
        self.memory.opened(workspace, trusted=self.options.trusted)
        self._live.say("settings", notices.of_settings(workspace.loaded.problems))
        for path in self._live.documents.buffers:
            self._spawn(self._opened(path))
        self._judge_soon()
        self._spawn(self.recorder.opened(workspace))
        await self._gathering.know_bases(tools)  # the type checker, waited for longest, is asked first
        await tools.judging.engine.warm()

    async def _opened(self, path: str) -> None:
        await self._gathering.know_bases(await self._when_ready())
        if (newest := self._live.documents.get(path)) is not None:
            await self._analysed(newest)

    def _analysed(self, document: Document) -> Coroutine[Any, Any, object]:
        """Have the slower analyzers look at an edited text later; its first stage, to be started now."""
        if not (self._ready.is_set() and self._live.documents.knows_base(document.path)):
            return asyncio.sleep(0)
        tools = self._opening.current
        left_out = tools.worktree.left_out(document)
        if left_out:
            self._live.stages.skip(document)
            self._judge_soon()
        else:
            self._scheduler.submit(("inspect", document.path), lambda: self._inspect(document.path))
        self._live.say_left_out(document, left_out, unread=tools.worktree.is_unread(document.path))
        return asyncio.sleep(0) if left_out else tools.analysis.syntax(document)

    async def _parsed(self, document: Document, parses: bool) -> None:
        if parses and self._live.documents.is_current(document):
            await self._opening.current.checking.check(document)
            self._judge_soon()
            if self._edited:
                self._scheduler.submit("reconcile", self._reconcile, rest=_QUIET)
                self.tests.edited()
        elif not parses:
            # The last good types stay; there is nothing newer to wait for.
            self._live.stages.done(document, "types")

    async def _inspect(self, path: str) -> None:
        if (document := self._live.documents.get(path)) is not None:
            await self._opening.current.analysis.inspect(document)
            self._judge_soon()

    async def _reconcile(self) -> None:
        self._edited = False
        await self._opening.current.checking.reconcile()
        self._judge_soon()

    async def _consented(self) -> None:
        if await (await self._when_ready()).are_outdated():
            self.reload_settings()

    async def _look_again(self) -> None:
        tools = await self._refreshed()
        paths, self._written = sorted(self._written), set()
        await tools.files_changed(paths)
        self._judge_soon()

    async def _refreshed(self) -> Toolset:
        """Look at the disk; when bases moved, documents are measured anew, by the new base's settings."""
        tools = await self._when_ready()
        moved = await asyncio.to_thread(tools.worktree.refresh)
        if moved and tools.worktree.is_outdated:
            self.reload_settings()
        elif moved:
            self._live.documents.forget_bases()
            for path in self._live.documents.buffers:
                self._spawn(self._opened(path))
        return await self._when_ready()

    def _judge_soon(self) -> None:
        self._scheduler.submit("judge", self._judge_now)

    async def _judge_now(self) -> None:
        """Judge with what the resident type checker knows, so that the score follows the typing."""
        if not self._ready.is_set():
            return
        tools = self._opening.current
        await self._gathering.know_bases(tools)
        opened = self._live.documents.buffers
        try:
            level, progress = self.recorder.checkpoint(self._live.level, live=True)
            async for evaluation, is_whole in self._gathering.known(tools, level, progress):
                if self._gathering.is_overtaken(evaluation, opened):
                    continue
                if is_whole:
                    self._take(evaluation, opened)
                else:
                    moved = self.verdicts.announce(evaluation)
                    self._live.say_verdict(evaluation, moved, opened, live=True)
        except (UndecidedError, ChildError) as error:
            if tools is self._opening.tools:
                self.verdicts.failed(str(error))

    def _take(self, evaluation: Evaluation, opened: Mapping[str, Document], *, asked: bool = False) -> None:
        moved = self.verdicts.take(evaluation)
        self._live.say_verdict(evaluation, moved, opened, live=not asked)
        self.recorder.judged(evaluation, opened if asked else None)

    async def _when_ready(self) -> Toolset:
        await self._ready.wait()
        return self._opening.current

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.get_running_loop().create_task(guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
