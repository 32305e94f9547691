"""Waiting for several things at once, without missing that gateline asks to stop, or is gone."""

from __future__ import annotations

import os
import select
import time
from typing import Any

from . import framing


class GoneError(Exception):
    """Nobody asks any more."""


class StoppedError(Exception):
    """The request that is being answered is not wanted any more."""


class Waiting:
    """The pipe on which requests come, and whatever else is waited for."""

    def __init__(self, requests: int) -> None:
        self._requests = requests
        self._frames = framing.Frames()
        self._next: list[dict[str, Any]] = []

    def request(self) -> dict[str, Any]:
        """The next one. A `stop` that came too late is none. Raises GoneError."""
        while True:
            while not self._next:
                self._read()
            request = self._next.pop(0)
            if request["do"] != "stop":
                return request

    def until(self, descriptors: list[int], deadline: float | None) -> list[int]:
        """Those that can be read; none when the deadline (of `time.monotonic`) is over.

        Raises StoppedError and GoneError.
        """
        while True:
            seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready = select.select([self._requests, *descriptors], [], [], seconds)[0]
            if self._requests in ready:
                self._read()
                self._stop()
                ready.remove(self._requests)
            if ready or (deadline is not None and time.monotonic() >= deadline):
                return ready

    def _stop(self) -> None:
        for place, request in enumerate(self._next):
            if request["do"] == "stop":
                del self._next[: place + 1]
                raise StoppedError

    def _read(self) -> None:
        data = os.read(self._requests, 1 << 16)
        if not data:
            raise GoneError
        self._next.extend(self._frames.feed(data))
