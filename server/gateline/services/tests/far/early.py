"""What somebody waits for runs before all others, in a process of its own.

In one process files run only in the order in which they were collected, as an ordinary pytest runs them: some
tests pass only because of what others leave behind, or only before that. So what is wanted sooner runs
twice. What it says here is told at once, and counts no longer than until it has run in its place.
"""

from __future__ import annotations

import time
from typing import Any

from .running import Running

_MOST = 1.0
"""Seconds that all others wait for it."""
_LONG = 0.3
"""Seconds after which the others do not wait again: what is around those tests costs too much."""


class Early(Running):
    """The tests of the file that a request names first, unless it was collected first."""

    def go(self) -> None:
        """Until they have run, or took too long. Raises FailedError, StoppedError and GoneError."""
        collecting = self._collecting
        collected = collecting.tests
        self._left = first_file(self._request["ids"] or [], collected)
        file = self._left[0].partition("::")[0] if self._left else ""
        # Where each run collects anew, the first result would come later, not sooner.
        if not file or collecting.cold or file in collecting.slow:
            return
        begun = time.monotonic()
        self._end = begun + _MOST
        try:
            self._one()
        finally:
            # The time of another collection is not its own.
            if collecting.tests is collected and time.monotonic() - begun > _LONG:
                collecting.slow.add(file)

    def _order(self) -> dict[str, Any]:
        return {**super()._order(), "coverage": False, "arcs": [], "early": True}

    def _heard(self, events: list[dict[str, Any]]) -> None:
        results = [{**event, "early": True} for event in events if event["kind"] == "test"]
        self._is_done = any(event["kind"] in ("done", "crash") for event in events)
        if results:
            self._tell(*results)

    def _overdrawn(self, pid: int) -> tuple[str, str] | None:
        return ("timeout", "") if time.monotonic() >= self._end else None

    def _lose(self, fate: tuple[str, str]) -> None:
        """What becomes of it is found out in its place."""


def first_file(wanted: list[str], collected: list[str]) -> list[str]:
    """The tests of the file that is wanted first; none where it was collected before all others."""
    ranks = {test: rank for rank, test in enumerate(collected)}
    known = [test for test in wanted if test in ranks]
    if not known:
        return []
    first, before = (test.partition("::")[0] for test in (known[0], min(known, key=ranks.__getitem__)))
    return [] if first == before else [test for test in known if test.partition("::")[0] == first]
