"""The far side of the type checker: mypy in a process of its own, one workspace root each.

Only this module and its neighbours import mypy.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psutil

from gateline.services import far
from gateline.services.types.messages import Answer, Foresee, Glance, Peek, Plain, Preview, Start, Update
from gateline.services.types.resident import prewarm as foresight
from gateline.services.types.resident.prewarm import Foresight, Record
from gateline.services.types.resident.resident import Resident
from gateline.services.types.runs.plain import run_plainly
from gateline.services.types.runs.run import BlockedError, CrashError, PluginError, SettingsError


class FarMypy:
    """Answers the requests of `services.types.messages`."""

    def __init__(self) -> None:
        self.foresight = Foresight()
        self._resident: Resident | None = None

    def settle(self) -> None:
        """Keep Python's collector off what was built, and note how: what nobody should wait for."""
        if self._resident is not None and self._resident.is_fresh:
            self._resident.is_fresh = False
            gc.collect()
            gc.freeze()
            foresight.write(Record(self._resident.setup, tuple(self._resident.names)))

    def answer(self, request: Any) -> Iterator[Answer]:
        """One answer to each request. Raises CrashError when mypy failed: the resident engine is lost."""
        began = time.perf_counter()
        try:
            answer = self._answer(request)
        except BlockedError as error:
            answer = Answer(blocked=str(error))
        except PluginError as error:
            answer = Answer(no_data=str(error))
        except SettingsError as error:
            answer = Answer(blocked=f"mypy cannot be run: {error}")
        except CrashError:
            self._resident = None
            raise
        memory = psutil.Process().memory_info().rss
        beforehand = self.foresight.seconds if answer.foreseen else 0
        yield replace(answer, memory=memory, seconds=time.perf_counter() - began + beforehand)

    def _answer(self, request: Any) -> Answer:
        match request:
            case Start():
                return self._start(request)
            case Update():
                assert self._resident is not None, "asked before the start"
                return self._resident.update(request)
            case Peek():
                assert self._resident is not None, "asked before the start"
                return self._resident.peek(request.texts)
            case Preview():
                assert self._resident is not None, "asked before the start"
                return self._resident.preview(request.path, request.text)
            case Plain():
                return self.foresight.glanced(request) or run_plainly(
                    request, scratch=self.foresight.scratch(request)
                )
        raise TypeError(f"unknown request {type(request).__name__}")

    def hear(self, hint: Any) -> None:
        """Do beforehand what will probably be asked for."""
        match hint:
            case Foresee():
                self.foresight.build(hint)
            case Glance():
                self.foresight.glance(hint)

    def _start(self, request: Start) -> Answer:
        if (taken := self.foresight.take(request)) is not None:
            self._resident, answer = taken
            return answer
        self._resident = Resident(request.setup)
        return self._resident.start(request.texts, primed=request.primed)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        checker = FarMypy()
        far.serve(checker.answer, checker.settle, checker.hear)
