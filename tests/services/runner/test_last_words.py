"""What a run told last counts, however shortly after that it ended."""

from __future__ import annotations

import os
from typing import Any, cast

import pytest

from gateline.services.tests.far import framing
from gateline.services.tests.far.collecting import Collecting
from gateline.services.tests.far.running import Running
from gateline.services.tests.far.waiting import Waiting

TOLD = [
    {"kind": "begin", "id": "test_a"},
    {"kind": "test", "id": "test_a", "outcome": "passed"},
    {"kind": "begin", "id": "test_b"},
]
DONE = [{"kind": "test", "id": "test_b", "outcome": "passed"}, {"kind": "done", "unknown": []}]
NOBODY = 1 << 30
"""A process that there is not."""


class Ended:
    """A collector whose run told something and ended; nothing is ever seen of it but its end."""

    descriptor = -1

    def __init__(self, told: list[dict[str, Any]]) -> None:
        self.told = told
        self.stack = self

    def stay(self) -> None: ...

    def run(self, order: dict[str, Any], results: int) -> dict[str, Any]:
        framing.write(results, *(self.told if "test_a" in order["ids"] else DONE))
        return {"kind": "running", "pid": NOBODY}

    def ended(self) -> int:
        return 1 << 8

    def failure(self, message: str, kind: str, phase: str) -> dict[str, Any]:
        return {"message": message}


class Late(Waiting):
    """Sees an end at once, and what was told only when nothing else is waited for."""

    def until(self, descriptors: list[int], deadline: float | None) -> list[int]:
        if Ended.descriptor in descriptors:
            return [Ended.descriptor]
        return super().until(descriptors, deadline)


@pytest.mark.parametrize(
    ("told", "outcomes"),
    [
        ([*TOLD, *DONE], {"test_a": "passed", "test_b": "passed"}),
        (TOLD, {"test_a": "passed", "test_b": "crashed"}),
        (TOLD[:1], {"test_a": "crashed", "test_b": "passed"}),
    ],
)
def test_what_a_run_told_before_it_ended_is_heard(
    told: list[dict[str, Any]], outcomes: dict[str, str]
) -> None:
    heard: list[dict[str, Any]] = []
    requests, _ = pipe = os.pipe()
    limits = {"test": 9.0, "total": 9.0, "memory": 0, "processes": 9}
    request = {"ids": ["test_a", "test_b"], "overlay": {}, "coverage": False, "arcs": [], "limits": limits}
    collecting = cast("Collecting", Ended(told))
    try:
        running = Running(
            {**request, "recollect": False}, collecting, Late(requests), lambda *events: heard.extend(events)
        )
        running.go()
    finally:
        for end in pipe:
            os.close(end)
    assert {event["id"]: event["outcome"] for event in heard if event["kind"] == "test"} == outcomes
