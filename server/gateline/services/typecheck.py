"""The near side of the type checker: keeps mypy alive, asks it about the newest texts, and never imports it.

Two processes: a resident engine that follows the typing, and an ordinary run that says what `mypy` would say,
and fills the cache that the engine starts from. While that knows too little a third process answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace

from gateline.model import Report, digest_of
from gateline.services.child import ChildError, ChildTimeoutError, last_line
from gateline.services.later import Later
from gateline.services.shielded import shielded
from gateline.services.types.checked import Checked
from gateline.services.types.messages import Answer, Peek, Plain, Preview, Texts, Update
from gateline.services.types.options import TypeOptions
from gateline.services.types.reporting import Reporting
from gateline.services.types.resident.first import FirstRuns, NotYetError
from gateline.services.types.resident.open_texts import OpenTexts
from gateline.services.types.resident.process import UNASKED, EngineProcess
from gateline.services.types.resident.renewal import Renewal
from gateline.services.types.resident.succession import Succession
from gateline.services.types.runs.cache import CacheFolder
from gateline.services.types.runs.runs import Runs

log = logging.getLogger(__name__)

_TOGETHER = 0.02
"""Seconds in which an editor opens all documents of its window: the first answer is about all of them."""


class TypeChecker:
    """mypy for one workspace."""

    def __init__(self, options: TypeOptions) -> None:
        self.options = options
        self._cache = CacheFolder(options.setup.cache_dir)
        self._setup = replace(options.setup, cache_dir=self._cache.path)
        self._reporting = Reporting(self._setup)
        self._later = Later()
        self._engine = EngineProcess(self._setup, options.timeout)
        self._runs = Runs(options.timeout, self._later)
        self._texts = OpenTexts(self._setup.root)
        first = (self._runs, options.timeout, self._later, self._warm_engine, lambda: self._texts.sent)
        self._first = FirstRuns(*first)
        self._is_lacking = False
        """Whether the cache is to be filled before an engine starts from it again."""
        self._succession = Succession(self._setup, options.timeout, self._texts, self._prime, self._take_over)
        self._renewal = Renewal(self._later, options.memory_cap, self._succession.renew)
        self._turn = asyncio.Lock()
        self._stopped = False

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        children = (self._engine, self._runs, self._first)
        return [pid for child in children if (pid := child.pid) is not None]

    def waits_for_consent(self) -> bool:
        """Whether a plug-in that the settings name was not allowed to run."""
        return self._reporting.is_refused

    @property
    def reason(self) -> str:
        """Why there are no types, or what they go without, for people; empty while all is well."""
        return self._reporting.reason

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
        self._texts.lay(texts)
        return await shielded(self._next())

    def expect(self, texts: Texts) -> None:
        """These will be asked about: what is asked next is answered for them as well. Returns at once."""
        self._texts.lay(texts)

    async def preview(self, path: str, text: str) -> Checked:
        """What is found in a text when only the body of one function was edited; an update must follow."""
        return await shielded(self._previewed({path: text}))

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        """What an ordinary run says about these texts, and about what they import below the root."""
        return await self._plain(Plain(self._setup, texts))

    async def plain_soon(self, texts: Texts) -> Mapping[str, Report]:
        """The same about these texts alone, also while the cache is being filled."""
        if self._engine.needs_start and self._first.under_way:
            with contextlib.suppress(ChildError):  # it ends when there is an engine
                return self._reporting.reports(await self._first.again(Plain(self._setup, texts)), texts)
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
                failed = self._reporting.failures(texts, last_line(error))
                return failed, failed
            before = replace(answer, messages=answer.before)
            return self._reporting.reports(before, texts), self._reporting.reports(answer, texts)

    async def ready(self, texts: Texts) -> None:
        """Have the engine stand for these texts; nobody asks before it does, so nothing answers meanwhile.

        A failure is told when it is asked. Without texts it is a process that builds nothing yet.
        """
        self._texts.lay(texts)
        await shielded(self._readied() if texts else self._engine.warm())

    async def _readied(self) -> None:
        await self._first.ended()
        async with self._turn:
            with contextlib.suppress(ChildError):
                if self._engine.needs_start and self._cache.is_primed:
                    await self._start_engine(primed=False)
                if self._is_lacking or not self._cache.is_primed:
                    # Who waits for both has nothing of the one starting after the other.
                    await asyncio.gather(self._prime(dict(self._texts.newest)), self._engine.warm())
                if self._engine.needs_start:
                    await self._start_engine()

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files on disk changed that no text lies over: the engine is told with the next question."""
        self._texts.write(paths)

    async def close(self, path: str) -> bool:
        """The text at a path is taken back: from now on the file counts; whether that holds another text."""
        return await self._texts.close(path)

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
        processes = (self._engine, self._runs, self._first, self._succession)
        await asyncio.gather(*(each.stop() for each in processes))

    # The turn: one question at a time

    async def _next(self) -> Checked:
        while True:
            if self._engine.needs_start:
                await asyncio.sleep(_TOGETHER)
            async with self._turn:
                asked = self._texts.take()
                try:
                    return await self._checked(asked) if asked else Checked()
                except NotYetError:
                    self._texts.put_back(asked)
            await self._first.ended()

    async def _previewed(self, texts: dict[str, str]) -> Checked:
        if self._engine.needs_start:  # what comes as late as after a start is no preview any more
            return Checked()
        async with self._turn:
            ((path, text),) = texts.items()
            if self._engine.needs_start or self._texts.would_overtake(texts):
                return Checked()
            try:
                answer = await self._engine.ask(Preview(path, text))
            except ChildError as error:
                log.warning("no preview of the types: %s", last_line(error))
                return Checked()
            if path in answer.messages:
                self._texts.sent[path] = text
                return Checked({path: self._reporting.reports(answer, texts)[path]}, {path: digest_of(text)})
        return Checked()

    async def _checked(self, asked: Texts) -> Checked:
        if self._engine.needs_start and self._first.under_way:
            reports = await self._meanwhile(asked)
        elif self._engine.needs_start and (self._is_lacking or not self._cache.is_primed):
            reports = await self._first_reports()
        else:
            reports = await self._asked(asked)
        digests = self._texts.digests_of(reports)
        return Checked({path: reports[path] for path in digests}, digests)

    async def _first_reports(self) -> dict[str, Report]:
        """What is found in all texts while the cache begins to be filled."""
        self._texts.sent = dict(self._texts.newest)
        return await self._plain(Plain(self._setup, self._texts.sent), self._first.ask)

    async def _meanwhile(self, asked: Texts) -> dict[str, Report]:
        """What is found while the cache is being filled. Raises NotYetError when that cannot be told."""
        before, self._texts.sent = self._texts.sent, {**self._texts.sent, **asked}
        answer, put_back = await self._first.about(Plain(self._setup, self._texts.sent), before, asked)
        self._texts.sent = {**self._texts.sent, **put_back}
        return self._reporting.reports(answer, self._texts.sent)

    async def _asked(self, asked: Texts, suspects: Collection[str] = ()) -> dict[str, Report]:
        """The engine's reports. A text that ends it even after a new start is left out from then on."""
        try:
            answer = await self._answered(asked, suspects)
        except ChildError as error:
            if len(asked) > 1:
                return await self._one_by_one(asked)
            self._texts.crashing.note(asked)
            return self._reporting.failures(asked, last_line(error))
        if answer.unprimed:
            return await self._first_reports()
        reports = self._reporting.reports(answer, asked)
        if answer.unchecked:
            whole = await self.plain(dict(self._texts.sent))
            reports |= {path: whole[path] for path in answer.unchecked if path in whole}
        self._renewal.answered(answer.memory, self._engine.fresh_memory)
        return reports

    async def _one_by_one(self, asked: Texts) -> dict[str, Report]:
        """One of several new texts ends the engine: find out which, so that the others live on."""
        reports: dict[str, Report] = {}
        paths = list(asked)
        for number, path in enumerate(paths, 1):
            reports |= await self._asked({path: asked[path]}, paths[number:])
        return reports

    async def _answered(self, asked: Texts, suspects: Collection[str]) -> Answer:
        """The engine's answer; one that died is started again with everything, once. Raises ChildError."""
        try:
            return await self._ask_engine(asked, suspects)
        except ChildError as error:
            if isinstance(error, ChildTimeoutError):
                raise
            log.warning("the type checker is started again: %s", last_line(error))
            await self._engine.stop()
        try:
            return await self._ask_engine(asked, suspects)
        except ChildError:
            await self._engine.stop()
            raise

    async def _ask_engine(self, asked: Texts, suspects: Collection[str]) -> Answer:
        if self._engine.needs_start:
            return await self._start_engine(suspects, primed=False)
        self._texts.sent |= asked
        question = Update(self._texts.crashing.without(asked), self._texts.take_written())
        answer = await self._engine.ask(question)
        self._is_lacking = answer.unprimed
        if answer.outdated or answer.unprimed:
            await self._engine.stop()
        return await self._ask_engine(asked, suspects) if answer.outdated else answer

    # The engine's lives

    async def _start_engine(
        self, suspects: Collection[str] = (), texts: Texts | None = None, *, primed: bool = True
    ) -> Answer:
        written = self._texts.take_written()
        self._texts.sent = dict(self._texts.newest if texts is None else texts)
        self._refuse_when_stopped()
        sent = {p: t for p, t in self._texts.crashing.without(self._texts.sent).items() if p not in suspects}
        answer = await self._engine.start(sent, written, primed=primed)
        self._is_lacking = answer.unprimed
        self._renewal.started(answer.seconds)
        return answer

    async def _warm_engine(self) -> None:
        """Start from the cache that was just filled, with the texts that the first answer was about."""
        async with self._turn:
            if self._engine.needs_start and self._cache.is_primed:
                await self._start_engine(texts=self._texts.sent)

    async def _prime(self, texts: dict[str, str | None]) -> None:
        """Bring the cache up to date. Raises ChildError when the checker was stopped meanwhile."""
        await self._plain(Plain(self._setup, texts, prime=True))
        await self._runs.end()
        self._refuse_when_stopped()

    async def _take_over(self, fresh: EngineProcess, texts: dict[str, str | None], disk: int) -> bool:
        async with self._turn:
            if disk != self._texts.disk or self._stopped:
                return False
            old, self._engine = self._engine, fresh
            self._texts.sent = texts
            # What was typed while it was being built is asked again with the next question.
            self._texts.put_back(p for p, text in self._texts.newest.items() if texts.get(p) != text)
        await old.stop()
        return True

    async def _plain(
        self, request: Plain, ask: Callable[[Plain], Awaitable[Answer]] | None = None
    ) -> dict[str, Report]:
        try:
            self._refuse_when_stopped()
            answer = await (ask or self._runs.ask)(request)
        except ChildError as error:
            return self._reporting.failures(request.texts, last_line(error))
        return self._reporting.reports(answer, request.texts)

    def _refuse_when_stopped(self) -> None:
        if self._stopped:
            raise ChildError("the type checker was stopped")
