"""Which code called which, noted by the profiler of the standard library, which is made in C.

From Python 3.12 on there can be only one profiler, and tests may want to be it: there nothing is noted.
"""

from __future__ import annotations

import _lsprof
import concurrent
import dis
import os
import sys
import threading
from typing import Any, Dict, Set

_Steps = Dict[str, Set[Any]]
_IS_SHARED = sys.version_info < (3, 12)
_START = threading.Thread.start.__code__
_POOLS = tuple(os.path.join(path, "futures", "") for path in concurrent.__path__)


class Calls:
    """What was called between `begin` and `end`, until `forget`."""

    def __init__(self) -> None:
        self._profiler: Any = None
        self._is_on = False
        self._is_whole = _IS_SHARED
        """Whether all was noted: nobody else took the profiler's place."""
        self._callers: dict[int, Any] | None = None
        self._lines: dict[int, tuple[Any, set[int]]] = {}
        self._real: dict[str, str] = {}

    def begin(self) -> None:
        """Note calls of this thread from now on."""
        if not _IS_SHARED or sys.getprofile() is not None:
            self._is_whole = False
            return
        if self._profiler is None:
            self._profiler = _lsprof.Profiler(subcalls=True, builtins=False)
        self._is_on = True
        self._profiler.enable()

    def end(self) -> None:
        """Note no more."""
        if self._is_on and not self._is_displaced():
            self._profiler.disable()
        self._is_on = False

    def forget(self) -> None:
        """Begin anew."""
        was_on = self._is_on
        self.end()
        self._profiler = self._callers = None
        self._is_whole = _IS_SHARED
        if was_on:
            self.begin()

    def below(self, code: Any, steps: _Steps) -> _Steps:
        """Those steps that this code may have executed, or what it called: all of them, if nobody knows."""
        callers = self._noted()
        if not self._is_whole or id(code) not in callers:
            return steps
        reached = {id(code): code}
        waiting = [code]
        while waiting:
            caller = callers.get(id(waiting.pop()))
            called = [one.code for one in (caller.calls if caller else None) or ()]
            fresh = {id(one): one for one in called if id(one) not in reached}
            reached.update(fresh)
            waiting.extend(fresh.values())
        codes = list(reached.values())
        return steps if any(map(_is_of_threads, codes)) else self._within(codes, steps)

    def _is_displaced(self) -> bool:
        now: Any = sys.getprofile()
        self._is_whole = self._is_whole and now is self._profiler
        return now is not self._profiler

    def _noted(self) -> dict[int, Any]:
        """What the profiler says of each piece of code that ran, by its identity: two can be equal."""
        if self._callers is None:
            if self._is_on:
                self._is_displaced()
            stats = self._profiler.getstats() if self._profiler is not None else ()
            self._callers = {id(one.code): one for one in stats}
        return self._callers

    def _within(self, codes: list[Any], steps: _Steps) -> _Steps:
        names = {self._path(name): name for name in steps}
        lines: dict[str, set[int]] = {}
        for code in codes:
            name = names.get(self._path(code.co_filename))
            if name is not None:
                lines.setdefault(name, set()).update(self._lines_of(code))
        return {name: {step for step in steps[name] if _is_in(step, some)} for name, some in lines.items()}

    def _lines_of(self, code: Any) -> set[int]:
        # Kept with its code: so the identity remains its own.
        if id(code) not in self._lines:
            found = {line for _, line in dis.findlinestarts(code) if line is not None}
            self._lines[id(code)] = (code, found)
        return self._lines[id(code)][1]

    def _path(self, name: str) -> str:
        if name not in self._real:
            self._real[name] = os.path.realpath(name)
        return self._real[name]


def _is_of_threads(code: Any) -> bool:
    """Whether something else may have run meanwhile, whose calls nobody notes."""
    return code is _START or code.co_filename.startswith(_POOLS)


def _is_in(step: Any, lines: set[int]) -> bool:
    return step in lines if isinstance(step, int) else step[0] in lines or step[1] in lines
