"""Consent that is taken back while an engine works: what runs ends, and nothing runs afterwards."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from gateline.resident.connection import connect
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.setup import test_command as command_of
from gateline.session.workspace.workspace import open_workspace
from support.repositories import Repository

PATIENCE = 60.0
WAITS = (
    "import os, pathlib, time\n\nfrom cart import total\n\n\ndef test_total():\n"
    "    with pathlib.Path({runs!r}).open('a') as told:\n        print(os.getpid(), file=told)\n"
    "    time.sleep(600)\n    assert total([1, 2]) == 3\n"
)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never was so"
        time.sleep(0.1)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Where each run of the test says which process it is, a line each."""
    return tmp_path / "runs"


@pytest.fixture
def trusted(shop: Repository, runs: Path) -> Iterator[Path]:
    """The root of a project whose person agreed that its tests run, with a change."""
    root = shop.folder
    shop.commit(**{"test_cart.py": WAITS.format(runs=str(runs))})
    shop.write("cart.py", (root / "cart.py").read_text().replace("sum(prices)", "sum([*prices])"))
    Consents().remember(root, command_of(open_workspace(root, {})), Answer.ALLOWED, datetime.now(UTC))
    yield root
    Consents().forget(root)
    shop.git("reset", "--hard", "--quiet")


def test_taken_back_it_ends_what_runs_and_lets_nothing_run(trusted: Path, runs: Path) -> None:
    final = {"level": "final", "patience": 0}
    with connect(str(trusted), seconds=30) as session:
        engine = session.registration.pid
        session.ask("gateline/check", final, 60)
        until(lambda: bool(processes(runs)))
        revoke = [sys.executable, "-m", "gateline", "trust", "--revoke"]
        done = subprocess.run(revoke, cwd=trusted, capture_output=True, text=True, check=True)
        assert "consent revoked" in done.stdout
        # Nobody asks: the engine sees it by itself. A run may have taken another's place until it did.
        until(lambda: not any(psutil.pid_exists(run) for run in processes(runs)))
        begun: list[int] = []
        for _ in range(2):
            answer = session.ask("gateline/check", {**final, "patience": 60_000}, 90)
            assert answer["evaluation"]["tests"]["run"] == 0
            assert "not trusted" in answer["evaluation"]["tests"]["reason"]
            begun = begun or processes(runs)
            assert not any(psutil.pid_exists(run) for run in begun)
        assert processes(runs) == begun
        assert session.registration.pid == engine and psutil.pid_exists(engine)


def processes(runs: Path) -> list[int]:
    """The processes in which the test began, in that order."""
    return [int(line) for line in runs.read_text().split()] if runs.exists() else []
