"""Collects what is told in answer to one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from gateline.services.tests import reading
from gateline.services.tests.run import CollectionError, Run
from gateline.testing.result import Ending, Result
from gateline.testing.trace import Trace


class Taking:
    """The answer so far."""

    def __init__(self, on_result: Callable[[Result], None] | None = None) -> None:
        self._on_result = on_result
        self._early: dict[str, Ending] = {}
        """What was told of tests that had still to run in their place."""
        self._results: list[Result] = []
        self._begun: float | None = None
        self._opening: tuple[str, float] | None = None
        self._traces: dict[str, Trace] = {}
        self._unknown: tuple[str, ...] = ()
        self._left: tuple[str, ...] = ()
        self._recollected = ""
        self.errors: tuple[CollectionError, ...] = ()
        """Why nothing could be collected."""
        self.contents: Mapping[str, str] = {}
        self.reason = ""

    def begin(self, contents: Mapping[str, str]) -> None:
        """A run begins, of these contents."""
        self.contents = contents
        if self._begun is None:
            self._begun = perf_counter()

    def heard(self, part: dict[str, Any]) -> None:
        """Take one part of the answer."""
        match part["kind"]:
            case "test":
                self._take(reading.result(part), is_early=part.get("early", False))
            case "trace":
                trace = reading.trace(part)
                earlier = self._traces.get(trace.test)
                # Two tests may have one identifier.
                self._traces[trace.test] = trace if earlier is None else earlier.with_other(trace)
            case "done":
                self._unknown = tuple(part["unknown"])
            case "left":
                self._left = tuple(part["ids"])
            case "stale":
                self._recollected = part["reason"]

    def _take(self, result: Result, *, is_early: bool) -> None:
        if self._opening is None and self._begun is not None:
            self._opening = result.id, perf_counter() - self._begun
        if self._on_result is not None and self._early.get(result.id) is not result.ending:
            self._on_result(result)
        if is_early:
            self._early[result.id] = result.ending
        else:
            self._results.append(result)

    def run(self) -> Run:
        """All of it."""
        return Run(
            results=tuple(self._results),
            opening=self._opening,
            traces=tuple(self._traces.values()),
            contents=self.contents,
            unknown=self._unknown,
            left=self._left,
            recollected=self._recollected,
            errors=self.errors,
            reason=self.reason,
        )
