"""Answers about a content within a time: how old an answer is, is said, and what takes longer goes on."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from cachetools import LRUCache

from gateline.model import Change, Evaluation, Level, Novelty, Progress
from gateline.services.shielded import begun
from gateline.session.checks.content import Content, content_of
from gateline.session.checks.proposal import Proposal, admitted, laid_over
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.judge.gathering import Gathering, Tried
from gateline.session.judge.judging import Tell
from gateline.session.toolset import Toolset
from gateline.session.workspace.changes import narrowed, require_known
from gateline.session.workspace.workspace import Workspace

_KEPT = 32
"""So many checks are remembered by their handles."""
_LEAST = 0.25
"""Seconds that must be left for judging once more what changed meanwhile."""
_ASKERS = 64
"""So many programs are remembered; one that was forgotten is told once more what it knows."""


Whole = Callable[[Toolset, Level, Progress, Tell, bool], Awaitable[tuple[Evaluation, Change]]]
"""Judges and records the change there is; the last says whether runs are waited for."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be judged."""

    level: Level | None = None
    progress: Progress = Progress.INFERRED
    paths: tuple[str, ...] = ()
    """Only what changed in these files or folders; everything without any."""
    proposal: Proposal = field(default_factory=Proposal)
    asker: str = ""
    """Who asks, so that it is told what is new to it; empty: nobody is remembered."""
    thorough: bool = False
    """Whether the change is judged and recorded as for who asks for a checkpoint."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with the content it is about."""

    evaluation: Evaluation
    content: Content
    known: frozenset[str] = frozenset()
    """With a proposal: the identities of what is found without it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be said within the time."""

    handle: str
    judged: Judged | None = None
    """None while it is being judged for the first time."""
    fresh: bool = False
    """Whether the content that was judged is what there is, with what is proposed laid over it."""
    running: tuple[str, ...] = ()
    """What is under way."""
    added: frozenset[str] = frozenset()
    """The identities of new findings that a proposal brings, or that the asker was not told before."""
    met: bool = False
    """Whether the asker was answered before."""


@dataclass(eq=False)
class _Job:
    handle: str
    question: Question
    task: asyncio.Task[Judged]
    step: list[str]
    """What it does now, in words."""


class Checks:
    """The checks of one session. `tools` looks at the disk first; `whole` judges and records a change."""

    def __init__(
        self,
        tools: Callable[[], Awaitable[Toolset]],
        gathering: Gathering,
        level: Callable[[], tuple[Level, Progress]],
        whole: Whole,
        newest: Callable[[], tuple[Evaluation, Change] | None],
    ) -> None:
        self._tools = tools
        self._gathering = gathering
        self._level = level
        self._whole = whole
        self._newest = newest
        self._jobs: LRUCache[str, _Job] = LRUCache(_KEPT)
        self._told: LRUCache[str, frozenset[str]] = LRUCache(_ASKERS)

    async def ask(self, question: Question, patience: float) -> Answer:
        """Judge what is asked, or say after `patience` seconds that it is under way.

        Raises UsageError, UndecidedError and ChildError.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while True:
            job = self._begun(question)
            answer = await self._answered(job, end - loop.time())
            if answer.fresh or answer.judged is None or end - loop.time() < _LEAST:
                return answer

    async def poll(self, handle: str, patience: float) -> Answer:
        """The answer to an earlier question. Raises also UsageError for a handle that nobody was given."""
        job = self._jobs.get(handle)
        if job is None:
            raise UsageError(f"handle {handle!r} is unknown or expired: ask again without it")
        return await self._answered(job, patience)

    async def known(self) -> Answer:
        """The newest verdict on the change; nothing is started. Raises UndecidedError."""
        tools = await self._tools()
        _require_git(tools.worktree.workspace)
        under_way = [job for job in self._jobs.values() if not job.task.done()]
        running = tuple(job.step[-1] for job in under_way)
        handle = under_way[-1].handle if under_way else ""
        found = self._newest()
        if found is None:
            return Answer(handle, running=running)
        evaluation, change = found
        judged = Judged(evaluation, content_of(change))
        now = content_of(await self._now(tools))
        return Answer(handle, judged, fresh=now == judged.content, running=running)

    async def proposed(self, proposal: Proposal) -> tuple[Evaluation, dict[str, str | None]]:
        """What is found in texts that are not written, at early, and these texts; None deletes a file.

        Raises UsageError, UndecidedError and ChildError.
        """
        job = self._begun(Question(Level.EARLY, Progress.SAID, proposal=proposal))
        # Shielded: the same question of somebody else waits for this task, too.
        judged = await asyncio.shield(job.task)
        tools = await self._tools()
        change, buffers = await self._now(tools), self._gathering.documents.buffers
        _, texts = await asyncio.to_thread(laid_over, tools.worktree, change, buffers, proposal)
        return judged.evaluation, texts

    async def stop(self) -> None:
        """End all work."""
        tasks = [job.task for job in self._jobs.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begun(self, question: Question) -> _Job:
        """The check of a question that is under way already, else a new one."""
        for job in self._jobs.values():
            if job.question == question and not job.task.done():
                return job
        step = ["looking at what changed"]
        task = begun(self._judged(question, step.append))
        job = _Job(uuid.uuid4().hex[:12], question, task, step)
        self._jobs[job.handle] = job
        return job

    async def _answered(self, job: _Job, patience: float) -> Answer:
        await asyncio.wait({job.task}, timeout=max(patience, 0.0))
        if not job.task.done():
            return Answer(job.handle, running=(job.step[-1],))
        judged = job.task.result()
        try:
            _, now = await self._asked(await self._tools(), job.question)
        except UsageError:  # what was proposed does not fit what was written meanwhile
            return Answer(job.handle, judged)
        met = job.question.asker in self._told
        fresh = content_of(now) == judged.content
        added = self._added(job.question, judged) if fresh else frozenset()
        return Answer(job.handle, judged, fresh, added=added, met=met)

    def _added(self, question: Question, judged: Judged) -> frozenset[str]:
        """What is new to the asker, which is told it with this answer; of a proposal, what that brings."""
        new = {f.identity for f in judged.evaluation.findings if f.novelty is Novelty.NEW}
        if question.proposal:
            return frozenset(new - judged.known)
        told = self._told.get(question.asker, frozenset())
        if question.asker:
            self._told[question.asker] = frozenset(new)
        return frozenset(new - told)

    async def _judged(self, question: Question, tell: Tell) -> Judged:
        level, progress = (question.level, question.progress) if question.level else self._level()
        assert level is not None
        tools = await self._tools()
        _require_git(tools.worktree.workspace)
        before, asked = await self._asked(tools, question)
        tell("judging")
        if not (question.paths or question.proposal):
            thorough = question.thorough or level is not Level.EARLY
            evaluation, change = await self._whole(tools, level, progress, tell, thorough)
            return Judged(evaluation, content_of(change))
        change = await self._narrowed(tools, question, asked)
        evaluation = await self._gathering.tried(tools, Tried(before, asked, change), level, progress, tell)
        return Judged(evaluation, content_of(asked), await self._known(tools, question, progress))

    async def _known(self, tools: Toolset, question: Question, progress: Progress) -> frozenset[str]:
        """What is found without a proposal, as far as that is known without a run."""
        if not question.proposal:
            return frozenset()
        present, _ = await self._gathering.looked(tools, Level.EARLY, progress)
        return frozenset(finding.identity for finding in present.findings)

    async def _narrowed(self, tools: Toolset, question: Question, change: Change) -> Change:
        root = tools.worktree.workspace.root
        paths = [await asyncio.to_thread(admitted, root, path) for path in question.paths]
        await asyncio.to_thread(require_known, paths, root, change)
        return narrowed(change, tuple(paths)) if paths else change

    async def _asked(self, tools: Toolset, question: Question) -> tuple[Change, Change]:
        """The change there is, and the one that is asked about."""
        now = await self._now(tools)
        if not question.proposal:
            return now, now
        buffers = self._gathering.documents.buffers
        laid, _ = await asyncio.to_thread(laid_over, tools.worktree, now, buffers, question.proposal)
        return now, laid

    async def _now(self, tools: Toolset) -> Change:
        await self._gathering.know_bases(tools)
        documents = self._gathering.documents
        return tools.worktree.known_change(documents.bases, documents.buffers)


def _require_git(workspace: Workspace) -> None:
    """Refuse to judge where only open documents have a base: what was written to the disk is not seen.

    Raises UndecidedError.
    """
    if workspace.git_problem:
        raise UndecidedError(f"git cannot be used in {workspace.root}: {workspace.git_problem}")
    if workspace.git is None:
        raise UndecidedError(
            f"{workspace.root} is not in a git repository, so new findings "
            "cannot be distinguished from old ones; run `git init`"
        )
