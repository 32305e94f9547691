"""The far side of a refinement loop: a process of its own, which ends with the loop.

SIGTERM ends the loop's agents and processes before it ends; what was stored can be gone on with. So does the
end of the process that started this one: an agent may work for minutes, in which nobody reads the pipe.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator

from gateline.services import far
from gateline.services.child import ChildError, last_line
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.refinement.loop import refine
from gateline.session.refinement.requests import Doing, Event, Refused, Run

STOPPED = "stopped"
_OFTEN = 1.0
"""Seconds between two looks at who started this process."""
_Events = queue.SimpleQueue[Event | BaseException | None]


def answer(request: Run) -> Iterator[Event]:
    """What happens, as it happens; the last state is the end of the loop."""
    events: _Events = queue.SimpleQueue()
    working = _Working(request, events)
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
    """One loop in a thread of its own; signals come to the main one."""

    def __init__(self, request: Run, events: _Events) -> None:
        self._request = request
        self._events = events
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def run(self) -> None:
        """Run the loop to its end. Blocks."""
        asyncio.set_event_loop(self._loop)
        try:
            self._task = self._loop.create_task(self._refined())
            if not self._stopped:
                self._loop.run_until_complete(self._task)
        except (UsageError, UndecidedError) as error:
            self._events.put(Refused(str(error)))
        except ChildError as error:
            self._events.put(Refused(last_line(error)))
        except asyncio.CancelledError:
            self._events.put(Refused(STOPPED))
        except BaseException as error:  # noqa: BLE001 - the other thread raises it
            self._events.put(error)
        finally:
            self._events.put(None)

    def stop(self) -> None:
        """End it at once; a round that is under way is lost. Safe for threads."""
        self._stopped = True
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def _refined(self) -> None:
        request = self._request
        found = await refine(
            request.root, request.asked, None, lambda step: self._events.put(Doing(step)), self._events.put
        )
        self._events.put(found.state)


if __name__ == "__main__":
    far.serve(answer)
