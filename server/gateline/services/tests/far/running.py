"""One request to run tests: as many runs as it takes, each watched until it ends."""

from __future__ import annotations

import os
import time
from typing import Any, Callable

from . import framing, processes
from .collecting import Collecting, FailedError
from .waiting import Waiting

_TICK = 0.1
"""Seconds between two looks at how many processes there are."""
_FAILED = frozenset({"failed", "error", "timeout", "crashed"})
_OVER = "over"
"""The fate of a run whose time for all tests is over."""


class Running:
    """Runs the tests of one request, and tells what becomes of each."""

    def __init__(
        self,
        request: dict[str, Any],
        collecting: Collecting,
        waiting: Waiting,
        tell: Callable[..., None],
    ) -> None:
        self._request = request
        self._collecting = collecting
        self._waiting = waiting
        self._tell = tell
        self._limits = request["limits"]
        self._left: list[str] = []
        self._end = 0.0
        self._deadline = 0.0
        self._current = ""
        self._is_done = False
        self._frames = framing.Frames()

    def go(self) -> None:
        """Until all have run. Raises FailedError, StoppedError and GoneError."""
        wanted = self._request["ids"]
        if not self._request["recollect"]:
            self._collecting.stay()
        elif wanted is None:
            self._collecting.ready(self._request["overlay"], self._request["arcs"])
        else:
            self._collecting.renew()
        if wanted is None:
            wanted = self._collecting.tests
        # One that is given twice would be torn down for itself, and run the second time without fixtures.
        self._left = list(dict.fromkeys(wanted))
        self._end = time.monotonic() + self._limits["total"]
        while self._left and time.monotonic() < self._end:
            self._one()
        if self._left:
            self._tell({"kind": "left", "ids": self._left})

    def _one(self) -> None:
        """A run of what is left. One that ends early costs only the test that it was at."""
        near, far = os.pipe()
        try:
            try:
                begun = self._collecting.run(self._order(), far)
            finally:
                os.close(far)
            self._tell(begun)
            self._follow(begun["pid"], near)
        finally:
            os.close(near)

    def _order(self) -> dict[str, Any]:
        taken = {name: self._request[name] for name in ("overlay", "coverage", "arcs", "recollect")}
        told = {"memory": self._limits["memory"], "early": False}
        return {"do": "run", "ids": self._left, **told, **taken}

    def _follow(self, pid: int, source: int) -> None:
        self._is_done, self._current, self._frames = False, "", framing.Frames()
        before = len(self._left)
        self._prolong()
        fate = None
        try:
            fate = self._watched(pid, source)
        finally:
            processes.end_group(pid)
            status = self._collecting.ended()
            self._tell({"kind": "ran"})
        # One that told of a test and ended then (`pytest.exit`) needs nothing more than another run.
        if not self._is_done and (self._current or len(self._left) == before):
            self._lose(fate or ("crashed", f"the process ended ({processes.ending(status)})"))

    def _watched(self, pid: int, source: int) -> tuple[str, str] | None:
        """Hand on what a run tells until it ends; why it has to be ended, when it does not end by itself."""
        ended = self._collecting.descriptor
        while not self._is_done:
            tick = time.monotonic() + _TICK
            ready = self._waiting.until([source, ended], min(self._deadline, self._end, tick))
            if source in ready:
                if not self._took(source):
                    return None
            elif ended in ready:
                self._take_rest(source)
                return None
            else:
                fate = self._overdrawn(pid)
                if fate is not None:
                    return fate
        return None

    def _took(self, source: int) -> bool:
        """Take what was told; False when nobody tells anything any more."""
        data = os.read(source, 1 << 16)
        self._heard(list(self._frames.feed(data)))
        return bool(data)

    def _take_rest(self, source: int) -> None:
        """Take what a run told before it ended, also what came between looking for that and for the end."""
        while source in self._waiting.until([source], 0.0) and self._took(source):
            pass

    def _heard(self, events: list[dict[str, Any]]) -> None:
        told = []
        try:
            for event in events:
                self._note(event)
                told.append(event)
        finally:
            self._tell(*told)

    def _note(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if kind == "begin":
            self._current = event["id"]
            self._prolong()
        elif kind == "test":
            self._current = ""
            self._left.remove(event["id"])
            if self._request.get("until_failure") and event["outcome"] in _FAILED:
                self._finish()
        elif kind == "done":
            self._finish()
        elif kind == "crash":
            raise FailedError(event["failure"]["message"])

    def _finish(self) -> None:
        self._is_done = True
        self._left = []

    def _prolong(self) -> None:
        self._deadline = time.monotonic() + self._limits["test"]

    def _overdrawn(self, pid: int) -> tuple[str, str] | None:
        """Which limit is passed, if one is: an outcome and its message."""
        now = time.monotonic()
        if now >= self._deadline:
            self._collecting.stack.interrupt(pid)
            return "timeout", "it took more than {:g} s".format(self._limits["test"])
        if now >= self._end:
            return _OVER, ""
        if processes.count_below(pid) > self._limits["processes"]:
            return "crashed", "it started more than {} processes".format(self._limits["processes"])
        return None

    def _lose(self, fate: tuple[str, str]) -> None:
        """The test that a run was at when it ended early has no other result than that.

        Where the time for all was over it has none at all: it is left, as those after it.
        """
        outcome, message = fate
        if outcome == _OVER:
            return
        if not self._current:
            raise FailedError(f"the tests could not be run: {message}")
        self._left.remove(self._current)
        kind = "Timeout" if outcome == "timeout" else "Crash"
        failure = self._collecting.stack.failure(message, kind, "call")
        self._tell({"kind": "test", "id": self._current, "outcome": outcome, "failure": failure})
        self._current = ""
        if self._request.get("until_failure"):
            self._left = []
