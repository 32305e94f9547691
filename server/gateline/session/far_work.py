"""Work of minutes in a process of its own, told as it happens.

SIGTERM ends the work, with its agents and processes, before the process ends. So does the end of the process
that started this one: nobody reads the pipe while a test or an agent works.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

from gateline.services.child import ChildError, last_line
from gateline.session.errors import UndecidedError, UsageError

_OFTEN = 1.0
"""Seconds between two looks at who started this process."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What is done now."""

    step: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the work cannot begin, or not go on."""

    message: str


Tell = Callable[[object], None]
Work = Callable[[Tell], Coroutine[Any, Any, None]]
_Events = queue.SimpleQueue[object]


def happening(work: Work) -> Iterator[object]:
    """What some work tells, as it tells it, and `Refused` where it ends before its end.

    To be called in the main thread, once. Raises what the work raises and no person can do anything about.
    """
    events: _Events = queue.SimpleQueue()
    working = _Working(work, events)
    signal.signal(signal.SIGTERM, lambda *_: working.stop())
    threading.Thread(target=working.run, daemon=True).start()
    threading.Thread(target=_watch, args=(os.getppid(), working.stop), daemon=True).start()
    while (event := events.get()) is not None:
        if isinstance(event, BaseException):
            raise event
        yield event


def _watch(parent: int, stop: Callable[[], None]) -> None:
    """Stop when the process that started this one is gone."""
    while os.getppid() == parent:
        time.sleep(_OFTEN)
    stop()


class _Working:
    """Some work in a thread of its own; signals come to the main one."""

    def __init__(self, work: Work, events: _Events) -> None:
        self._work = work
        self._events = events
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def run(self) -> None:
        """Work to the end. Blocks."""
        asyncio.set_event_loop(self._loop)
        try:
            self._task = self._loop.create_task(self._work(self._events.put))
            if not self._stopped:
                self._loop.run_until_complete(self._task)
        except (UsageError, UndecidedError) as error:
            self._events.put(Refused(str(error)))
        except ChildError as error:
            self._events.put(Refused(last_line(error)))
        except asyncio.CancelledError:
            self._events.put(Refused("stopped"))
        except BaseException as error:  # noqa: BLE001 - the other thread raises it
            self._events.put(error)
        finally:
            self._events.put(None)

    def stop(self) -> None:
        """End it at once; what it did not tell is lost. Safe for threads."""
        self._stopped = True
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
