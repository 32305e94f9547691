"""What a loop keeps beside its result: troubles that end nothing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from gateline.refinement.state import Failing, Kind, LoopState, Verdict, Way
from gateline.session.refinement.stored import end_loop, find_loop
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.store.metrics import MetricsStore

FAILS = Verdict("require-iteration", 59.0, passed=8, failing=(Failing("test_a.py::a", "TypeError"),))


def test_a_loop_ends_though_its_metrics_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def keep(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(MetricsStore, "keep", keep)
    database = Database(state_of(tmp_path) / DATABASE)
    Loops(database).begin(LoopState("loop-1", "goal", (Way("autodebug"),), "c", "t0", start=FAILS))
    database.close()
    with caplog.at_level(logging.WARNING):
        state = end_loop(tmp_path, "loop-1", "cancelled")
    assert state.ended and state.ended.kind is Kind.CANCELLED
    assert find_loop(tmp_path, "loop-1") == state
    assert "metrics were not kept: the disk is full" in caplog.text
