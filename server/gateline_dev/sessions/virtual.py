"""Time that passes only when nothing is left to do, and threads that are none."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
_DELAYS = (0.0, 0.0, 0.0, 0.001, 0.01, 0.08)
"""Seconds that what runs in a thread takes, in turns by chance."""


class StuckError(Exception):
    """Everything waits, and nothing will ever happen."""


class _Jumping(selectors.DefaultSelector):
    """Does not wait: the loop's clock goes on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise StuckError
        self.now += max(timeout, 1e-6)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock is turned to the next moment at which something is due."""

    def __init__(self, seed: int) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)
        self.dice = random.Random(seed)
        self.set_default_executor(Threadless())

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._jumping.now


class Threadless(ThreadPoolExecutor):
    """Runs what it is given at once; the answer comes some time later, in the order of the questions."""

    def __init__(self, max_workers: int | None = None, thread_name_prefix: str = "", **_: object) -> None:
        super().__init__(1, thread_name_prefix)
        self._free = 0.0
        self._in_turn = max_workers == 1

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run it now."""
        answer: Future[T] = Future()
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        at = loop.time() + loop.dice.choice(_DELAYS)
        if self._in_turn:
            at = self._free = max(at, self._free)
        try:
            done = fn(*args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - handed to who asked
            loop.call_at(at, _answer, answer, None, error)
        else:
            loop.call_at(at, _answer, answer, done, None)
        return answer


def _answer(future: Future[T], done: T | None, error: BaseException | None) -> None:
    if not future.set_running_or_notify_cancel():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(done)  # type: ignore[arg-type]


def run(work: Coroutine[Any, Any, T], seed: int) -> T:
    """Run to the end in virtual time; `seed` decides how long each thing takes."""
    loop = VirtualLoop(seed)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(work)
