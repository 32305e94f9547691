"""`gateline compare --cluster` with a real scheduler and real workers: the answer of this machine alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.repositories import Repository

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = [pytest.mark.deep, pytest.mark.timeout(600)]

SLOW = "import time\n\n\ndef test_slow():\n    time.sleep({seconds})\n"
PROJECT = {
    "pyproject.toml": "[tool.gateline.types]\nenabled = false\n",
    "median.py": "def median(values):\n    raise NotImplementedError\n\n\ndef kept():\n    return 1\n",
    "test_median.py": """\
import pytest
from median import kept, median


def test_kept():
    assert kept() == 1


@pytest.mark.parametrize("values, middle", [([3], 3), ([1, 9, 2], 2), ([1, 2], 1.5), ([4, 1, 3, 2], 2.5)])
def test_median(values, middle):
    assert median(values) == middle
""",
}
BODIES = {
    "right": "    import statistics\n    return statistics.median(values)\n",
    "no-doubles": """\
    ordered = sorted(set(values))
    half = len(ordered) // 2
    return (ordered[half] + ordered[~half]) / 2
""",
    "also-right": """\
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
""",
}
NAMES = (*BODIES, "broken")


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    repository.commit("base", **PROJECT, **{"test_slow.py": SLOW.format(seconds=1)})
    text = PROJECT["median.py"]
    changed = {
        **{name: text.replace("    raise NotImplementedError\n", body) for name, body in BODIES.items()},
        "broken": text.replace("return 1", "return 2"),
    }
    for name, content in changed.items():
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(name, **{"median.py": content})
    repository.git("checkout", "-q", "main")
    return repository


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask, until the context ends."""
    process = subprocess.Popen(
        (sys.executable, "-m", "dask", *command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler on this machine, without workers."""
    file = tmp_path / "scheduler.json"
    how = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with started("scheduler", *how) as process:
        until = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert process.poll() is None and time.monotonic() < until, "no scheduler"
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"]


@contextmanager
def cluster(tmp_path: Path, workers: int) -> Iterator[tuple[str, Sequence[subprocess.Popen[bytes]]]]:
    from distributed import Client

    with scheduler(tmp_path) as address, ExitStack() as stack:
        how = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path / "dask"))
        made = [stack.enter_context(started("worker", address, *how)) for _ in range(workers)]
        with Client(address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)
        yield address, made


def asking(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = ("compare", *arguments, "--no-cache", "--output", "json", "--python", sys.executable)
    return subprocess.Popen(
        (sys.executable, "-m", "gateline", *command),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def asked(folder: Path, *arguments: str, ends: int = 0) -> Any:
    process = asking(folder, *arguments)
    out, err = process.communicate(timeout=400)
    assert process.returncode == ends, err
    return json.loads(out) if out else err


def at_work(worker: subprocess.Popen[bytes]) -> bool:
    """Whether tests of a candidate run below a worker."""
    try:
        below = psutil.Process(worker.pid).children(recursive=True)
        return any("bwrap" in one.name() or "launcher" in " ".join(one.cmdline()) for one in below)
    except psutil.Error:
        return False


def test_the_answer_is_that_of_this_machine_also_where_a_worker_is_killed(
    project: Repository, tmp_path: Path
) -> None:
    alone = asked(project.folder, *NAMES)
    assert alone["ranking"]["winner"]
    with cluster(tmp_path, 2) as (address, workers):
        assert asked(project.folder, *reversed(NAMES), "--cluster", address) == alone
        places = [
            place for place in (tmp_path / "cache" / "gateline" / "cluster").iterdir() if place.is_dir()
        ]
        assert places and not any(file for place in places for file in place.iterdir())

        process = asking(project.folder, *NAMES, "--cluster", address)
        until = time.monotonic() + 120
        while not at_work(workers[0]):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "the worker was given nothing"
            time.sleep(0.02)
        below = psutil.Process(workers[0].pid).children(recursive=True)
        os.kill(workers[0].pid, signal.SIGKILL)
        out, err = process.communicate(timeout=400)
        assert process.returncode == 0, err
        assert json.loads(out) == alone
        _, left = psutil.wait_procs(below, timeout=20)
        assert left == []


def test_what_cannot_be_used_is_told(project: Repository, tmp_path: Path) -> None:
    away = asked(project.folder, *NAMES, "--cluster", "tcp://10.1.2.3:8786", ends=2)
    assert "tcp://10.1.2.3:8786 is not on this machine, and not encrypted" in away
    with scheduler(tmp_path) as address:
        none = asked(project.folder, *NAMES, "--cluster", address, ends=2)
        assert f"{address} has no workers; start one with `dask worker {address}`" in none
    gone = asked(project.folder, *NAMES, "--cluster", address, ends=2)
    assert f"no scheduler answered at {address} within 10 s" in gone
