"""The process that gateline speaks with: nothing of the user's runs in it, so it always answers.

Its children are collectors; theirs are runs. It hands results on, watches the time, and sees to it that
nothing is left when a run or gateline itself ends.
"""

from __future__ import annotations

from typing import Any, Callable

from . import framing, sandbox
from .collecting import Collecting, FailedError
from .early import Early
from .running import Running
from .tracing.outline import Outliner
from .waiting import GoneError, StoppedError, Waiting


class Keeper:
    """Answers requests, one at a time; `stop` ends the one that is being answered."""

    def __init__(self, requests: int, replies: int) -> None:
        self._replies = replies
        self._waiting = Waiting(requests)
        self._collecting: Collecting | None = None
        self._outliners: dict[str, Outliner] = {}
        """By the settings of coverage."""
        self._answers: dict[str, Callable[[dict[str, Any]], None]] = {
            "begin": self._begin,
            "collect": self._collect,
            "run": self._run,
            "outline": self._outline,
        }

    def serve(self) -> None:
        """Until gateline is gone."""
        sandbox.adopt_orphans()
        try:
            while True:
                self._answer(self._waiting.request())
        except (GoneError, BrokenPipeError):
            return
        finally:
            if self._collecting is not None:
                self._collecting.close()

    def _answer(self, request: dict[str, Any]) -> None:
        try:
            self._answers[request["do"]](request)
            self._reply("end", None)
        except StoppedError:
            self._reply("end", None)
        except FailedError as failed:
            self._reply("error", str(failed))

    def _reply(self, kind: str, value: Any) -> None:
        framing.write(self._replies, [kind, value])

    def _part(self, *events: dict[str, Any]) -> None:
        framing.write(self._replies, *(["part", event] for event in events))

    def _begin(self, request: dict[str, Any]) -> None:
        """The first request: what holds for all others. Answered by what the system allows."""
        self._collecting = Collecting(request, self._waiting, self._part)
        self._part({"kind": "begun", **self._collecting.facts()})

    def _collect(self, request: dict[str, Any]) -> None:
        self._collected().ready(request["overlay"], request["arcs"])

    def _run(self, request: dict[str, Any]) -> None:
        if request["early"]:
            Early(request, self._collected(), self._waiting, self._part).go()
        Running(request, self._collected(), self._waiting, self._part).go()

    def _outline(self, request: dict[str, Any]) -> None:
        settings = request["settings"]
        outliner = self._outliners.get(repr(settings))
        if outliner is None:
            try:
                outliner = self._outliners[repr(settings)] = Outliner(settings)
            except ImportError as error:
                raise FailedError(f"coverage cannot be imported: {error}") from None
            except Exception as error:  # noqa: BLE001 - coverage's own error class is another one in each version
                raise FailedError(f"coverage cannot read its settings: {error}") from None
        for path, text in request["texts"].items():
            self._part({"kind": "outline", "path": path, "outline": outliner.outline(path, text)})

    def _collected(self) -> Collecting:
        if self._collecting is None:
            raise FailedError("the request `begin` must come first")
        return self._collecting
