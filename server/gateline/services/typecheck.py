"""The near side of the type checker: keeps mypy alive, asks it about the newest texts, and never imports it.

Two processes: a resident engine that follows the typing, and an ordinary run that says what `mypy` on the
command line would say. An ordinary run also fills the cache that the engine starts from, so the engine never
has to hold what a full build needs. On a cold start a third process answers while that cache is filled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from gateline.model import Report, State, digest_of
from gateline.services.child import ChildError, ChildTimeoutError, last_line
from gateline.services.later import Later
from gateline.services.shielded import shielded
from gateline.services.types.cache import CacheFolder
from gateline.services.types.checked import Checked
from gateline.services.types.crashing import Crashing
from gateline.services.types.first import FirstRuns
from gateline.services.types.messages import Answer, Peek, Plain, Preview, Texts, Update
from gateline.services.types.options import TypeOptions
from gateline.services.types.process import UNASKED, EngineProcess
from gateline.services.types.renewal import Renewal
from gateline.services.types.report import failures, reports_of
from gateline.services.types.runs import Runs
from gateline.services.types.saved import saved

log = logging.getLogger(__name__)

_TOGETHER = 0.02
"""Seconds in which an editor opens all documents of its window: the first answer is about all of them."""
_MATTERS = (".py", ".pyi", ".ini", ".cfg", ".toml")
"""Endings of files that mypy reads."""


class _NotYetError(Exception):
    """What was asked can only be told when there is an engine."""


class TypeChecker:
    """mypy for one workspace."""

    def __init__(self, options: TypeOptions) -> None:
        self.options = options
        self.reason = ""
        """Why there are no types, or what they go without, for people; empty while all is well."""
        self._cache = CacheFolder(options.setup.cache_dir)
        self._setup = replace(options.setup, cache_dir=self._cache.path)
        self._later = Later()
        self._engine = EngineProcess(self._setup, options.timeout)
        self._spare: EngineProcess | None = None
        """The one that is to take the engine's place."""
        self._runs = Runs(options.timeout, self._later)
        self._texts: dict[str, str | None] = {}
        self._sent: dict[str, str | None] = {}
        """The texts that the process which answers was given last: what its answers speak of."""
        first = (self._runs, options.timeout, self._later, self._warm_engine)
        self._first = FirstRuns(*first, lambda: self._sent)
        self._is_lacking = False
        """Whether the cache is to be filled before an engine starts from it again."""
        self._dirty: set[str] = set()
        self._written: set[str] = set()
        """Files that were written since the engine was told last."""
        self._crashing = Crashing()
        self._renewal = Renewal(self._later, options.memory_cap, self._renew_engine)
        self._turn = asyncio.Lock()
        self._disk = 0
        """How often the files changed: an engine that was begun before is not taken."""
        self._stopped = False

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        children = (self._engine, self._runs, self._first)
        return [pid for child in children if (pid := child.pid) is not None]

    def warm(self) -> None:
        """Start the process that will be asked first; nothing is checked. Returns at once."""
        first = self._engine if self._cache.is_primed else self._first
        self._later.after(0, "a process", first.warm)
        self._later.after(UNASKED, "a process that nobody asks", self._engine.end_unasked)

    async def update(self, texts: Texts) -> Checked:
        """The newest findings in these texts, and in what they changed in others that were asked for.

        One question is under way at a time. Who waits while a newer text comes is answered with nothing,
        because the newer one's answer stands for both. Who stops waiting does not stop the work.
        """
        self._texts |= texts
        self._dirty |= texts.keys()
        return await shielded(self._next())

    def expect(self, texts: Texts) -> None:
        """These will be asked about: what is asked next is answered for them as well. Returns at once."""
        self._texts |= texts
        self._dirty |= texts.keys()

    async def preview(self, path: str, text: str) -> Checked:
        """What is found in a text when only the body of one function was edited; an update must follow."""
        return await shielded(self._previewed({path: text}))

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        """What an ordinary run says about these texts, and about what they import below the root."""
        return await self._plain(Plain(self._setup, texts))

    async def plain_soon(self, texts: Texts) -> Mapping[str, Report]:
        """The same about these texts alone, also while the cache is being filled."""
        if self._engine.needs_start and self._first.under_way:
            return await self._plain(Plain(self._setup, texts), self._first.again)
        return await self.plain(texts)

    async def peek(self, texts: Texts) -> tuple[Mapping[str, Report], Mapping[str, Report]]:
        """The findings without and with other texts, in these documents and those that they affect.

        Nothing of it is remembered: what is being typed keeps its findings.
        """
        await self._first.ended()
        async with self._turn:
            try:
                if self._engine.needs_start:
                    await self._start_engine()
                answer = await self._engine.ask(Peek(texts))
            except ChildError as error:
                failed = self._failures(texts, last_line(error))
                return failed, failed
            return self._reports(replace(answer, messages=answer.before), texts), self._reports(answer, texts)

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files on disk changed that no text lies over: the engine is told with the next question."""
        written = [path for path in paths if path not in self._texts and path.endswith(_MATTERS)]
        if written:
            self._disk += 1
            self._written.update(written)

    async def close(self, path: str) -> bool:
        """The text at a path is taken back: from now on the file counts; whether that holds another text."""
        # The engine may have one that only a preview was about.
        had = {text for texts in (self._texts, self._sent) if (text := texts.pop(path, None)) is not None}
        self._dirty.discard(path)
        self._crashing.forget(path)
        differs = bool(had) and had != {await asyncio.to_thread(saved, self._setup.root, path)}
        if differs:
            await self.files_changed([path])
        return differs

    async def stop(self) -> None:
        """End all processes. Who still waits for an answer gets one that says so."""
        self._stopped = True
        self._later.cancel()
        await self._end_all()
        async with self._turn:  # a start that was under way when they were ended
            await self._end_all()
        self._later.cancel()
        await asyncio.to_thread(self._cache.remove)

    async def _end_all(self) -> None:
        spare = self._spare or self._engine
        await asyncio.gather(self._engine.stop(), self._runs.stop(), self._first.stop(), spare.stop())

    # The turn: one question at a time

    async def _next(self) -> Checked:
        while True:
            if self._engine.needs_start:
                await asyncio.sleep(_TOGETHER)
            async with self._turn:
                taken, self._dirty = self._dirty, set()
                asked = {path: self._texts[path] for path in sorted(taken) if path in self._texts}
                try:
                    return await self._checked(asked) if asked else Checked()
                except _NotYetError:
                    self._dirty |= taken
            await self._first.ended()

    async def _previewed(self, texts: dict[str, str]) -> Checked:
        if self._engine.needs_start:  # what comes as late as after a start is no preview any more
            return Checked()
        async with self._turn:
            ((path, text),) = texts.items()
            # What waits to be asked would be overtaken.
            waits = self._written or self._dirty - {path} or not self._crashing.without(texts)
            if self._engine.needs_start or waits:
                return Checked()
            try:
                answer = await self._engine.ask(Preview(path, text))
            except ChildError as error:
                log.warning("no preview of the types: %s", last_line(error))
                return Checked()
            if path in answer.messages:
                self._sent[path] = text
                return Checked({path: self._reports(answer, texts)[path]}, {path: digest_of(text)})
        return Checked()

    async def _checked(self, asked: Texts) -> Checked:
        if self._engine.needs_start and self._first.under_way:
            reports = await self._meanwhile(asked)
        elif self._engine.needs_start and (self._is_lacking or not self._cache.is_primed):
            reports = await self._first_reports()
        else:
            reports = await self._asked(asked)
        texts = {path: text for path in reports if (text := self._sent.get(path)) is not None}
        return Checked(
            {path: reports[path] for path in texts}, {path: digest_of(text) for path, text in texts.items()}
        )

    async def _first_reports(self) -> dict[str, Report]:
        """What is found in all texts while the cache begins to be filled."""
        self._sent = dict(self._texts)
        return await self._plain(Plain(self._setup, self._sent), self._first.ask)

    async def _meanwhile(self, asked: Texts) -> dict[str, Report]:
        """What is found while the cache is being filled. Raises _NotYetError when that cannot be told.

        A text that does not parse is put back to the last one that did, as the engine does it.
        """
        before, self._sent = self._sent, {**self._sent, **asked}
        try:
            answer = await self._first.again(Plain(self._setup, dict(self._sent)))
            if broken := {p: before[p] for p in asked if p in before and answer.is_silent_of(p)}:
                self._sent |= broken
                answer = await self._first.again(Plain(self._setup, dict(self._sent)))
            return self._reports(answer, self._sent)
        except ChildError as error:
            log.warning("no types until there is an engine: %s", last_line(error))
            raise _NotYetError from None

    async def _asked(self, asked: Texts, suspects: Iterable[str] = ()) -> dict[str, Report]:
        """The engine's reports. A text that ends it even after a new start is left out from then on."""
        try:
            answer = await self._answered(asked, suspects)
        except ChildError as error:
            if len(asked) > 1:
                return await self._one_by_one(asked)
            self._crashing.note(asked)
            return self._failures(asked, last_line(error))
        if answer.unprimed:
            return await self._first_reports()
        reports = self._reports(answer, asked)
        if answer.unchecked:
            whole = await self.plain(dict(self._sent))
            reports |= {path: whole[path] for path in answer.unchecked if path in whole}
        self._renewal.answered(answer.memory, self._engine.fresh_memory)
        return reports

    async def _one_by_one(self, asked: Texts) -> dict[str, Report]:
        """One of several new texts ends the engine: find out which, so that the others live on."""
        reports: dict[str, Report] = {}
        waiting = list(asked)
        while waiting:
            path = waiting.pop(0)
            reports |= await self._asked({path: asked[path]}, waiting)
        return reports

    async def _answered(self, asked: Texts, suspects: Iterable[str]) -> Answer:
        """The engine's answer; one that died is started again with everything, once. Raises ChildError."""
        try:
            return await self._ask_engine(asked, suspects)
        except ChildTimeoutError:
            raise
        except ChildError as error:
            log.warning("the type checker is started again: %s", last_line(error))
            await self._engine.stop()
        try:
            return await self._ask_engine(asked, suspects)
        except ChildError:
            await self._engine.stop()
            raise

    async def _ask_engine(self, asked: Texts, suspects: Iterable[str]) -> Answer:
        if self._engine.needs_start:
            return await self._start_engine(suspects, primed=False)
        self._sent |= asked
        written, self._written = tuple(sorted(self._written)), set()
        question = Update(self._crashing.without(asked), written)
        answer = await self._engine.ask(question)
        if answer.outdated:
            await self._engine.stop()
            return await self._ask_engine(asked, suspects)
        if answer.unprimed:
            self._is_lacking = True
            await self._engine.stop()
        return answer

    # The engine's lives

    async def _start_engine(
        self, suspects: Iterable[str] = (), texts: Texts | None = None, *, primed: bool = True
    ) -> Answer:
        written, self._written = tuple(sorted(self._written)), set()
        self._sent = dict(self._texts if texts is None else texts)
        self._refuse_when_stopped()
        without = set(suspects)
        sent = {p: t for p, t in self._crashing.without(self._sent).items() if p not in without}
        answer = await self._engine.start(sent, written, primed=primed)
        self._is_lacking = answer.unprimed
        self._renewal.started(answer.seconds)
        return answer

    async def _warm_engine(self) -> None:
        """Start from the cache that was just filled, with the texts that the first answer was about."""
        async with self._turn:
            if self._engine.needs_start and self._cache.is_primed:
                await self._start_engine(texts=self._sent)

    async def _renew_engine(self) -> None:
        """Bring the cache up to date and build a second engine from it: nobody waits for it."""
        self._spare = fresh = EngineProcess(self._setup, self.options.timeout)
        disk = self._disk
        try:
            await self._plain(Plain(self._setup, dict(self._texts), prime=True))
            await self._runs.end()
            texts = dict(self._texts)
            self._refuse_when_stopped()
            answer = await fresh.start(self._crashing.without(texts))
            if not (answer.blocked or answer.no_data):
                await self._take_over(fresh, texts, disk)
        finally:
            self._spare = None
            if fresh is not self._engine:
                await fresh.stop()

    async def _take_over(self, fresh: EngineProcess, texts: dict[str, str | None], disk: int) -> None:
        async with self._turn:
            if disk != self._disk or self._stopped:
                return
            old, self._engine = self._engine, fresh
            self._sent = texts
            # What was typed while it was being built is asked again with the next question.
            self._dirty |= {path for path, text in self._texts.items() if texts.get(path) != text}
        await old.stop()

    async def _plain(
        self, request: Plain, ask: Callable[[Plain], Awaitable[Answer]] | None = None
    ) -> dict[str, Report]:
        try:
            self._refuse_when_stopped()
            answer = await (ask or self._runs.ask)(request)
        except ChildError as error:
            return self._failures(request.texts, last_line(error))
        return self._reports(answer, request.texts)

    def _refuse_when_stopped(self) -> None:
        if self._stopped:
            raise ChildError("the type checker was stopped")

    def _reports(self, answer: Answer, texts: Texts) -> dict[str, Report]:
        if why := answer.blocked or answer.no_data:
            return self._failures(texts, why, State.FAILED if answer.blocked else State.NO_DATA)
        self.reason = "; ".join(answer.limits)
        return reports_of(answer)

    def _failures(self, texts: Texts, reason: str, state: State = State.FAILED) -> dict[str, Report]:
        self.reason = reason
        return failures(texts, reason, state)
