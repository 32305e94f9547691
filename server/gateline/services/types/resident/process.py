"""One process with a resident engine: whether it has a build, and what that took."""

from __future__ import annotations

from gateline.services.child import Child
from gateline.services.types.messages import FAR, Answer, Peek, Preview, Setup, Start, Texts, Update

UNASKED = 60.0
"""Seconds after which a process is ended that was started and that nobody asked."""


class EngineProcess:
    """Started when it is first needed, and again when it died."""

    def __init__(self, setup: Setup, timeout: float) -> None:
        self._setup = setup
        self._timeout = timeout
        self._child = Child(FAR)
        self._asked = False
        self._built = 0
        """Which life of the process has a build; another one must be started anew."""
        self.fresh_memory = 0
        """Bytes it took when it had just been started."""

    @property
    def pid(self) -> int | None:
        """The process identifier while it lives."""
        return self._child.pid

    @property
    def needs_start(self) -> bool:
        """Whether there is no build that a question could be asked about."""
        return self._child.pid is None or self._child.starts != self._built

    async def warm(self) -> None:
        """Start the process, which builds nothing yet. Raises ChildError."""
        await self._child.warm()

    async def end_unasked(self) -> None:
        """End the process if nobody has asked it yet: perhaps it holds an engine that was foreseen."""
        if not self._asked:
            await self.stop()

    async def start(self, texts: Texts, written: tuple[str, ...] = (), *, primed: bool = True) -> Answer:
        """Build the engine, after these files were written; not where the cache lacks too much.

        A start that was blocked, too, built nothing. `primed`: the cache was just filled. Raises ChildError.
        """
        self._asked = True
        answer: Answer = await self._child.ask(Start(self._setup, texts, written, primed), self._timeout)
        self.fresh_memory = answer.memory
        self._built = 0 if answer.blocked or answer.no_data or answer.unprimed else self._child.starts
        return answer

    async def ask(self, question: Update | Peek | Preview) -> Answer:
        """The answer of the build there is. Raises ChildError."""
        answer: Answer = await self._child.ask(question, self._timeout)
        return answer

    async def stop(self) -> None:
        """End the process."""
        await self._child.stop()
