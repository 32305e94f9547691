"""The near side of the type checker: keeps mypy alive, asks it about the newest texts, and never imports it.

Two processes: a resident engine that follows the typing, and an ordinary run that says what `mypy` on the
command line would say. The ordinary run also fills the cache that the engine starts from, so on a cold
start it gives the first answer, and the engine never has to hold what a full build needs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateline.model import Dimension, Report, State, digest_of
from gateline.services.child import Child, ChildError
from gateline.services.types.messages import Answer, Plain, Setup, Start, Texts, Update
from gateline.services.types.report import NAME, report_of

log = logging.getLogger(__name__)

FAR = "gateline.services.types.far_mypy"
_IDLE = 3.0
"""Seconds without a question after which a process may be renewed, or a run's process ended."""


@dataclass(frozen=True, slots=True)
class TypeOptions:
    """How types are checked. `memory_cap` is in bytes, `timeout` in seconds."""

    setup: Setup
    memory_cap: int
    timeout: float


@dataclass(frozen=True, slots=True)
class Checked:
    """Reports, and the digest of the text that each speaks of."""

    reports: Mapping[str, Report] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)


class TypeChecker:
    """mypy for one workspace."""

    def __init__(self, options: TypeOptions) -> None:
        self.options = options
        self.reason = ""
        """Why there are no types, for people; empty while all is well."""
        self._engine = Child(FAR)
        self._run = Child(FAR)
        self._engine_starts = 0
        """Which life of the engine's process was set up; another one must be started anew."""
        self._texts: dict[str, str | None] = {}
        self._sent: dict[str, str | None] = {}
        """The texts that the process which answers was given last: what its answers speak of."""
        self._dirty: set[str] = set()
        self._crashing: dict[str, str] = {}
        """Texts that ended the engine twice, by path: left out until they change."""
        self._fresh_memory = 0
        """Bytes of an engine that was just started."""
        self._renewing = False
        self._turn = asyncio.Lock()
        self._running = asyncio.Lock()
        self._later: dict[str, asyncio.Task[None]] = {}

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        return [pid for child in (self._engine, self._run) if (pid := child.pid) is not None]

    async def update(self, texts: Texts) -> Checked:
        """The newest findings in these texts, and in what they changed in others that were asked for.

        One question is under way at a time. Who waits while a newer text comes is answered with nothing,
        because the newer one's answer stands for both.
        """
        for path, text in texts.items():
            self._texts[path] = text
            self._dirty.add(path)
        async with self._turn:
            taken, self._dirty = self._dirty, set()
            if not taken:
                return Checked()
            asked = {path: self._texts.get(path) for path in taken}
            return await self._checked(asked)

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        """What an ordinary run says about these texts, and about what they import below the root."""
        async with self._running:
            try:
                answer: Answer = await self._run.ask(Plain(self.options.setup, texts), self.options.timeout)
            except ChildError as error:
                return self._failures(texts, error)
            finally:
                self._after(_IDLE, "run", self._end_run)
        return self._reports(answer, texts)

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files on disk changed that no text lies over: the engine starts anew when it is asked."""
        if any(path not in self._texts for path in paths):
            async with self._turn:
                await self._engine.stop()

    async def close(self, path: str) -> None:
        """The text at a path is taken back."""
        if self._texts.pop(path, None) is not None:
            self._dirty.discard(path)
            await self.files_changed([path])

    async def stop(self) -> None:
        """End all processes."""
        for task in self._later.values():
            task.cancel()
        await asyncio.gather(self._engine.stop(), self._run.stop())

    async def _checked(self, asked: Texts) -> Checked:
        if self._engine.pid is None and not self._has_cache():
            texts = self._sent = dict(self._texts)
            reports = await self.plain(texts)
            # The full build takes much memory: it is given back before the engine starts.
            await self._end_run()
            self._after(0, "engine", self._warm_engine)
            return self._stamped({p: r for p, r in reports.items() if p in texts})
        answer = await self._asked(asked)
        if isinstance(answer, ChildError):
            return self._stamped(self._failures(asked, answer))
        if answer.blocked:
            log.info("types are blocked: %s", answer.blocked)
            return Checked()
        self._renew_if_large(answer.memory)
        return self._stamped(self._reports(answer, asked))

    async def _asked(self, asked: Texts) -> Answer | ChildError:
        """The engine's answer; a process that died is started again with everything, once."""
        last: ChildError | None = None
        for _ in range(2):
            try:
                return await self._ask_engine(asked)
            except ChildError as error:
                log.warning("the type checker is started again: %s", _last_line(error))
                await self._engine.stop()
                last = error
        assert last is not None
        self._crashing |= {path: digest_of(text) for path, text in asked.items() if text is not None}
        return last

    async def _ask_engine(self, asked: Texts) -> Answer:
        if self._engine.pid is None or self._engine.starts != self._engine_starts:
            self._sent = dict(self._texts)
            answer = await self._start(self._engine, self._sent)
            # A start that was blocked built nothing: the next question starts again.
            self._engine_starts = 0 if answer.blocked else self._engine.starts
        else:
            self._sent.update(asked)
            answer = await self._engine.ask(Update(self._without_crashing(asked)), self.options.timeout)
        return answer

    async def _start(self, child: Child, texts: Texts) -> Answer:
        request = Start(self.options.setup, self._without_crashing(texts))
        answer: Answer = await child.ask(request, self.options.timeout)
        self._fresh_memory = answer.memory
        return answer

    def _without_crashing(self, texts: Texts) -> Texts:
        return {p: t for p, t in texts.items() if t is None or self._crashing.get(p) != digest_of(t)}

    async def _warm_engine(self) -> None:
        async with self._turn:
            with contextlib.suppress(ChildError):
                self._sent = dict(self._texts)
                answer = await self._start(self._engine, self._sent)
                self._engine_starts = 0 if answer.blocked else self._engine.starts

    def _renew_if_large(self, memory: int) -> None:
        """Over the cap, and well over what a new engine takes: a new one is built beside it."""
        limit = max(self.options.memory_cap, int(1.3 * self._fresh_memory))
        if memory > limit and not self._renewing:
            self._renewing = True
            self._after(0 if memory > 1.1 * limit else _IDLE, "engine", self._renew_engine)

    async def _renew_engine(self) -> None:
        """Build a second engine from the cache, and let it take over: nobody waits for it."""
        try:
            await self._replaced_engine()
        finally:
            self._renewing = False

    async def _replaced_engine(self) -> None:
        fresh, texts = Child(FAR), dict(self._texts)
        try:
            await self._start(fresh, texts)
        except ChildError:
            await fresh.stop()
            return
        async with self._turn:
            old, self._engine = self._engine, fresh
            self._engine_starts = fresh.starts
            self._sent = texts
            # What was typed while it was being built is asked again with the next question.
            self._dirty.update(path for path, text in self._texts.items() if texts.get(path) != text)
        await old.stop()

    async def _end_run(self) -> None:
        async with self._running:
            await self._run.stop()

    def _after(self, seconds: float, name: str, work: object) -> None:
        """Do something later; asked for again, it is put off."""
        previous = self._later.pop(name, None)
        if previous is not None:
            previous.cancel()

        async def wait() -> None:
            await asyncio.sleep(seconds)
            self._later.pop(name, None)
            await work()  # type: ignore[operator]

        self._later[name] = asyncio.ensure_future(wait())

    def _has_cache(self) -> bool:
        folder = Path(self.options.setup.cache_dir)
        return folder.is_dir() and any(folder.iterdir())

    def _stamped(self, reports: Mapping[str, Report]) -> Checked:
        texts = {path: text for path in reports if (text := self._sent.get(path)) is not None}
        return Checked(reports, {path: digest_of(text) for path, text in texts.items()})

    def _reports(self, answer: Answer, texts: Texts) -> dict[str, Report]:
        if answer.blocked:
            self.reason = answer.blocked
            return self._failures(texts, ChildError(answer.blocked))
        self.reason = "; ".join(answer.limits)
        return {path: report_of(found, answer.limits) for path, found in sorted(answer.messages.items())}

    def _failures(self, texts: Texts, error: ChildError) -> dict[str, Report]:
        self.reason = _last_line(error)
        present = (path for path, text in texts.items() if text is not None)
        return {path: Report(NAME, Dimension.ERRORS, State.FAILED, self.reason) for path in present}


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
