"""The loop's side of recording: takes note at once, and has it written in batches by a thread of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from gateline.model import Change, Document, Evaluation, Level, Outcome, Progress
from gateline.model.level import counted
from gateline.session.errors import UndecidedError
from gateline.session.judge.gathering import Contents
from gateline.session.live.scheduler import Scheduler
from gateline.session.tasks.recording.counted import counted_tests
from gateline.session.tasks.recording.journal import Batch, Journal, Standing
from gateline.session.tasks.recording.looking_back import Listeners, LookingBack
from gateline.session.tasks.recording.noted import Noted
from gateline.session.tasks.tasks import Tasks, now
from gateline.session.tests.testing import Tested
from gateline.session.workspace.workspace import Workspace
from gateline.settings import WorklogSettings
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError
from gateline.worklog.scored import Regression, Scored
from gateline.worklog.task import EventKind, Task

log = logging.getLogger(__name__)

REST = 2.0
"""Seconds after which what happened is written; more of it comes along."""
_STILL = 2.0
"""Seconds without a newer verdict after which the content is kept."""
_PATIENCE = 3.0
"""Seconds that the end of a session waits for what is not written yet."""
_PLOTTED = 500
"""So many points a plot has at most."""
T = TypeVar("T")


class Recorder:
    """Records the work of one session. Nothing here waits for the disk but `ask` and `stop`."""

    def __init__(
        self,
        scheduler: Scheduler,
        contents: Contents,
        listeners: Listeners | None = None,
        regressed: Callable[[Regression | None, Evaluation], None] = lambda found, evaluation: None,
        *,
        clock: Callable[[], datetime] = now,
        folder: Path | None = None,
    ) -> None:
        self._scheduler = scheduler
        self._contents = contents
        self._regressed = regressed
        self._clock = clock
        self._folder = folder
        self._noted = Noted(clock)
        self._journal: Journal | None = None
        self._records = False
        self._newest: Evaluation | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="gateline-worklog")
        self._looking_back = LookingBack(self._run, clock(), listeners or Listeners(), folder)
        self._trouble = ""
        self._known = asyncio.Event()
        self.standing = Standing()

    async def opened(self, workspace: Workspace) -> None:
        """A workspace was opened, or its settings were read again: tell what was left, then record.

        Without git, or where the settings say so, nothing is recorded.
        """
        settings = workspace.loaded.settings
        first = self._journal is None
        if self._journal is not None:
            await self._run(self._journal.close)
        self._journal = Journal(
            workspace.root, settings, workspace.git, folder=self._folder, clock=self._clock
        )
        self._records = settings.worklog.enabled and workspace.git is not None
        self._known.set()
        if not self._records:
            self._noted.clear()
        elif first and not self._journal.is_empty:
            await self._look_back(self._journal)

    # What happens

    def edited(self, path: str) -> None:
        """A document was edited."""
        self._note(EventKind.EDITED, path=path)

    def saved(self, path: str) -> None:
        """A document was saved."""
        self._note(EventKind.SAVED, path=path)

    def written(self, paths: Sequence[str]) -> None:
        """Files were written, by another program or by the editor that said so before; or git moved."""
        for path in paths:
            if path.startswith(".git/"):
                self._noted.moved = True
                self._due()
            elif not self._noted.was_saved(path):
                self._note(EventKind.EXTERNAL_EDIT, path=path)

    def tested(self, tested: Tested) -> None:
        """Tests ran."""
        if tested.run:
            self._note(EventKind.TESTS, **counted_tests(tested))

    def judged(self, evaluation: Evaluation, asked: Mapping[str, Document] | None = None) -> None:
        """The change was judged. `asked`: the documents that it was judged with, where somebody waited."""
        if asked is not None or evaluation.changed:
            self._noted.decide(evaluation, asked=asked is not None)
            self._arrange()
        if not evaluation.changed and self._newest is not None:
            # What differed was committed or taken back.
            self._newest, self._noted.moved = None, True
            self._due()
        if not evaluation.changed or not self._may_record:
            return
        self._noted.judged[evaluation.level] = evaluation
        self._due()
        if evaluation.decision.outcome is not Outcome.FAST_FAIL:
            self._save(evaluation, asked)

    def _save(self, evaluation: Evaluation, asked: Mapping[str, Document] | None) -> None:
        """Have the content kept: what somebody asked for as it was then, else when no newer verdict came."""
        self._newest = evaluation
        if asked is None:
            self._scheduler.submit("savepoint", self._keep, rest=_STILL)
            return
        self._scheduler.drop("savepoint")
        texts = {path: asked[path].text for path in self._contents.texts() if path in asked}
        keep = partial(self._keep_as, evaluation, texts)
        self._scheduler.submit(("savepoint", evaluation.level), keep, rest=0.0)

    def checkpoint(self, inferred: Level, *, live: bool = False) -> tuple[Level, Progress]:
        """Counted where the task has a list, else inferred from what happened last.

        `live`: nobody asked, so that it is not the final one.
        """
        if not self.standing.of:
            return inferred, Progress.INFERRED
        level = counted(self.standing.done, self.standing.of)
        return (Level.MIDDLE if live and level is Level.FINAL else level), Progress.COUNTED

    @property
    def settings(self) -> WorklogSettings:
        """What is recorded, and for how long."""
        return self._journal.settings.worklog if self._journal else WorklogSettings()

    async def change(self) -> Change:
        """What differs from the base, unsaved texts included. Raises UndecidedError."""
        await self._known.wait()
        found = self._contents.change()
        if found is None:
            raise UndecidedError("the base cannot be found: `gateline doctor` says why")
        return found

    async def texts(self) -> Mapping[str, str]:
        """The open texts, saved or not, by path from the workspace's root."""
        await self._known.wait()
        return self._contents.texts()

    async def left(self) -> Task | None:
        """Work that was left, where the change at hand is worth looking for it. Raises StoreError."""
        await self._known.wait()
        change = self._contents.change()
        if change is None or self._journal is None or self._journal.is_empty:
            return None
        await self._write()
        return await self._looking_back.left(self._journal, change)

    async def scores(self, of: str) -> list[Scored]:
        """The remembered scores of the `task` or the `branch`, oldest first. Raises StoreError."""

        def look(tasks: Tasks, branch: str) -> list[Scored]:
            task = tasks.current(branch)
            if of == "branch":
                return tasks.scores.of_branch(branch, newest=_PLOTTED)
            return tasks.scores.of_task(task.id, newest=_PLOTTED) if task else []

        return await self.ask(look)

    async def hand(
        self,
        tokens: int,
        operation: str,
        *,
        took: float | None = None,
        paths: Sequence[str] = (),
        degraded: bool = False,
    ) -> str:
        """Count what a model or an agent is handed; a warning near its task's bound. Raises StoreError.

        `took`: milliseconds; `paths`: the files that it shows; `degraded`: a tier was missing.
        """
        await self._known.wait()
        if not self._may_record:
            return ""
        return await self.ask(
            lambda tasks, branch: tasks.hand(branch, tokens, operation, took, paths, degraded=degraded)
        )

    async def ask(self, question: Callable[[Tasks, str], T]) -> T:
        """What a question to the tasks, on the branch that is checked out, answers. Raises StoreError."""
        return await self.use(lambda journal: journal.ask(question))

    async def use(self, work: Callable[[Journal], T]) -> T:
        """What is done with the journal, after all that was noted is written. Raises what it raises."""
        await self._known.wait()
        journal = self._journal
        assert journal is not None, "set before it is known"
        await self._write()
        answer = await self._run(work, journal)
        self.standing = await self._run(journal.standing)
        return answer

    async def stop(self) -> None:
        """Write what is left, and let go of the store."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._write()
                if self._journal is not None:
                    await self._run(self._journal.close)
        except TimeoutError:
            log.warning("what happened last was not recorded: the store was busy for %g s", _PATIENCE)
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def _may_record(self) -> bool:
        """Until the settings are read nobody knows."""
        return self._journal is None or self._records

    def _note(self, kind: EventKind, **detail: object) -> None:
        if self._may_record:
            self._noted.add(kind, detail)
            self._due()

    def _due(self) -> None:
        if self._may_record:
            self._arrange()

    def _arrange(self) -> None:
        if not self._noted.is_due:
            self._noted.is_due = True
            self._scheduler.submit("worklog", self._write, rest=REST)

    async def _write(self) -> None:
        self._noted.is_due = False
        if self._journal is None:
            return
        if self._records and not self._noted.is_empty:
            await self._write_batch(self._journal)
        if decisions := self._noted.decisions():
            try:
                await self._run(self._journal.decide, decisions)
            except (StoreError, OSError) as error:
                self._tell(f"what was decided is not in the audit trail: {error}")

    async def _write_batch(self, journal: Journal) -> None:
        events, judged = self._noted.taken()
        batch = Batch(events, judged, self._contents.change(), self._contents.texts())
        try:
            self.standing = await self._run(journal.write, batch)
        except (StoreError, OSError) as error:
            self._tell(f"what happened is not recorded: {error}")
            return
        if batch.change is None and self.standing.task is None:
            # It may be the first edit of a change whose base is still looked for.
            self._noted.put_back(events)
        finals = [evaluation for evaluation in judged if evaluation.level is Level.FINAL]
        if finals:
            self._regressed(self.standing.regression, finals[-1])

    async def _keep(self) -> None:
        if self._newest is not None:
            await self._keep_as(self._newest, self._contents.texts())

    async def _keep_as(self, evaluation: Evaluation, texts: Mapping[str, str]) -> None:
        if self._journal is None or not self._records:
            return
        if not self._journal.settings.worklog.savepoints:
            return
        await self._write()
        try:
            await self._run(self._journal.keep, evaluation, texts)
        except (StoreError, SavepointError, OSError) as error:
            self._tell(f"no savepoint was taken: {error}")

    async def _look_back(self, journal: Journal) -> None:
        change = self._contents.change()
        try:
            if change is not None:
                await self._looking_back.at_start(journal, change)
        except (StoreError, SavepointError, OSError) as error:
            self._tell(f"work that was left cannot be looked for: {error}")

    def _tell(self, trouble: str) -> None:
        """Each trouble once: what fails with one batch fails with the next."""
        if trouble != self._trouble:
            self._trouble = trouble
            log.warning("%s", trouble)

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
