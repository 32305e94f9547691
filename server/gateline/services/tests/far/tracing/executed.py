"""Which functions ran while the tests were collected: their results are in the collected state.

A function that ran cannot be exchanged later: what it computed (a constant, a registration, a list of
parameters) would still be that of its old body.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, Callable

_TOOLS = (3, 4)
"""Identifiers that `sys.monitoring` leaves to whoever comes."""


class Executed:
    """Notes the first line of each piece of code that runs, by real path, between `start` and `stop`."""

    def __init__(self, ours: Callable[[str], bool]) -> None:
        self.lines: dict[str, set[int]] = {}
        self._ours = ours
        self._known: dict[str, set[int] | None] = {}
        self._tool = 0
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._listening = False
        self.is_cheap = self._monitoring is not None
        """Whether listening costs nearly nothing."""

    def start(self) -> None:
        """Begin to listen."""
        self._listening = True
        monitoring = self._monitoring
        if monitoring is None:
            sys.settrace(self._traced)
            threading.settrace(self._traced)
            return
        self._tool = next(tool for tool in _TOOLS if monitoring.get_tool(tool) is None)
        monitoring.use_tool_id(self._tool, "gateline")
        monitoring.register_callback(self._tool, monitoring.events.PY_START, self._begun)
        monitoring.set_events(self._tool, monitoring.events.PY_START)

    def stop(self) -> None:
        """Listen no more."""
        if not self._listening:
            return
        if self._monitoring is None:
            sys.settrace(None)
            threading.settrace(None)
            return
        self._monitoring.set_events(self._tool, 0)
        self._monitoring.free_tool_id(self._tool)

    def add(self, filename: str, line: int) -> None:
        """The code that begins on this line ran, too."""
        self.lines.setdefault(os.path.realpath(filename), set()).add(line)

    def _begun(self, code: Any, _offset: int) -> Any:
        self._note(code)
        # Once is enough: from now on this code costs nothing.
        return self._monitoring.DISABLE

    def _traced(self, frame: Any, _event: str, _argument: Any) -> None:
        self._note(frame.f_code)

    def _note(self, code: Any) -> None:
        if code.co_name == "<module>":
            return
        name = code.co_filename
        if name not in self._known:
            real = os.path.realpath(name)
            self._known[name] = self.lines.setdefault(real, set()) if self._ours(real) else None
        lines = self._known[name]
        if lines is not None:
            lines.add(code.co_firstlineno)
