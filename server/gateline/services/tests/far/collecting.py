"""The keeper's collector: started when it is needed, replaced when it no longer stands for the texts."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import Any, Callable

from . import failures, processes, sandbox, starting
from .channel import Channel
from .contents.texts import Texts
from .stack import Stack
from .waiting import Waiting

_ATTEMPTS = 3
"""Collections for one request: files that change meanwhile make them useless."""
_PROMPT = 60.0
"""Seconds within which a collected state must say whether it stands for new texts."""


class FailedError(Exception):
    """Nothing can be run; the message says why."""


_RESTLESS = FailedError("files of the project change while its tests are collected")


class Collecting:
    """Holds at most one collector."""

    def __init__(
        self, setup: dict[str, Any], waiting: Waiting, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        self._waiting = waiting
        self._tell = tell
        self._pid = 0
        self._channel: Channel | None = None
        self._deadline = 0.0
        self._limit: float = setup["limits"]["collection"]
        self.cold: str = setup["cold"] or starting.forbidden()
        """Why the tests are collected anew for each run; empty while they are not."""
        self.tests: list[str] = []
        """Their identifiers, when they are collected."""
        self.slow: set[str] = set()
        """Files of this collection for which all others would have to wait."""
        self._is_collected = False
        texts = Texts(setup["root"])
        self.stack = Stack(texts, setup["private"])
        self._sandbox = (
            sandbox.probe(texts.folder, setup["private"], setup["network"])
            if setup["sandbox"]
            else sandbox.Sandbox(False, False, False)
        )
        self._setup = {**setup, "sandbox": list(self._sandbox), "stack": self.stack.fileno()}

    def facts(self) -> dict[str, Any]:
        """What the system allows."""
        closed = {"files": self._sandbox.files, "network": self._sandbox.network}
        return {"python": ".".join(map(str, sys.version_info[:3])), "cold": self.cold, **closed}

    def ready(self, overlay: dict[str, Any], arcs: list[str]) -> None:
        """Have a collection that stands for these texts. Raises FailedError, StoppedError and GoneError."""
        self.renew()
        for _ in range(_ATTEMPTS):
            self._collect(overlay, arcs)
            if self.cold or self._asked({"do": "check", "overlay": overlay}) is not None:
                return
        raise _RESTLESS

    def run(self, order: dict[str, Any], results: int) -> dict[str, Any]:
        """Have a run started that answers on this pipe: its identifier, and which texts were patched in.

        Raises FailedError, StoppedError and GoneError.
        """
        for _ in range(_ATTEMPTS):
            self._collect(order["overlay"], order["arcs"])
            answer = self._asked(order, results)
            if answer is not None:
                return answer
        raise _RESTLESS

    @property
    def descriptor(self) -> int:
        """Can be read when the run has ended."""
        assert self._channel is not None
        return self._channel.descriptor

    def ended(self) -> int:
        """After a run's last word: how it ended. What it started is ended, too."""
        if self.cold:
            return self.end()
        status = self._received()["status"]
        self.tidy()
        return int(status)

    def tidy(self) -> None:
        """End what a run left, and empty its folder where no sandbox did."""
        processes.end_children([self._pid])
        if not self._sandbox.files:
            shutil.rmtree(os.path.join(self._setup["private"], "tmp"), ignore_errors=True)

    def end(self) -> int:
        """End the collector and what it started: how it ended."""
        if self._channel is None:
            return 0
        self._channel.close()
        self._channel, self._is_collected = None, False
        status = processes.end(self._pid)
        self._pid = 0
        self.tidy()
        return status

    def close(self) -> None:
        """End everything, and leave nothing."""
        self.end()
        shutil.rmtree(self._setup["private"], ignore_errors=True)

    def renew(self) -> None:
        """Before a request: without a safe fork a collection serves once, and at once."""
        if self.cold:
            self.end()

    def stay(self) -> None:
        """Before a request that leaves the collection as it is. Raises FailedError where there is none."""
        if self.cold or not self._is_collected:
            raise FailedError("the tests have not been collected; collect them first")

    # One collector, from its start to its first word

    def _collect(self, overlay: dict[str, Any], arcs: list[str]) -> None:
        if self._channel is None:
            self._start(overlay, arcs)
        while not self._is_collected:
            event = self._event()
            if event["kind"] == "failed":
                raise self._failed(event["errors"])
            self._take(event, overlay, arcs)

    def _start(self, overlay: dict[str, Any], arcs: list[str]) -> None:
        self._tell({"kind": "collecting"})
        self._deadline = time.monotonic() + self._limit
        self.stack.clear()
        texts = {"overlay": overlay, "arcs": arcs}
        self._pid, self._channel = starting.start({**self._setup, **texts, "warm": not self.cold})

    def _take(self, event: dict[str, Any], overlay: dict[str, Any], arcs: list[str]) -> None:
        threads = event.pop("threads")
        if threads and not self.cold:
            # A child of a process with threads has none of them, but waits for their locks.
            self.cold = f"{threads} threads run after the tests were collected"
            self._tell({"kind": "cold", "reason": self.cold})
            self.end()
            self._start(overlay, arcs)
            return
        self._is_collected = True
        self.tests = [test["id"] for test in event["tests"]]
        self.slow.clear()
        self._tell(event)

    def _event(self) -> dict[str, Any]:
        """What the collector tells while it collects."""
        assert self._channel is not None
        while True:
            if not self._waiting.until([self._channel.descriptor], self._deadline):
                self.stack.interrupt(self._pid)
                self.end()
                raise self._stuck(f"collecting the tests took more than {self._limit:g} s", "Timeout")
            events = self._channel.read()
            if events is None:
                how = processes.ending(self.end())
                raise self._stuck(f"the process exited while it collected the tests ({how})", "Crash")
            if events:
                return events[0]

    def _stuck(self, message: str, kind: str) -> FailedError:
        return self._failed([{**self.stack.failure(message, kind, "collect"), "id": ""}])

    def _failed(self, errors: list[dict[str, Any]]) -> FailedError:
        self.end()
        if not errors:
            # pytest itself refused: a wrong argument, or a wrong configuration.
            told = failures.usage_error(self.stack.text())
            errors = [{**self.stack.failure(told, "UsageError", "collect"), "id": ""}]
        self._tell({"kind": "failed", "errors": errors})
        return FailedError(errors[0]["message"])

    # A collector that is there

    def _asked(self, order: dict[str, Any], results: int | None = None) -> dict[str, Any] | None:
        """The answer to an order; None when the collection is not that of the texts any more, and gone."""
        assert self._channel is not None
        self.stack.clear()
        try:
            self._channel.send(order, results)
        except OSError:
            raise self._lost() from None
        answer = self._received()
        if answer["kind"] == "broken":
            raise FailedError(answer["reason"])
        if answer["kind"] != "refused":
            return answer
        if not order.get("recollect", True):
            raise FailedError(f"the tests must be collected again: {answer['reason']}")
        self.end()
        self._tell({"kind": "stale", "reason": answer["reason"]})
        return None

    def _received(self) -> dict[str, Any]:
        """The next message, whatever else is wanted: it belongs to no other order."""
        assert self._channel is not None
        message = self._channel.next(_PROMPT)
        if message is None:
            raise self._lost()
        return message

    def _lost(self) -> FailedError:
        how = processes.ending(self.end())
        return FailedError(f"the process with the collected tests has ended ({how})")
