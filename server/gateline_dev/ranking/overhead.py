"""What comparing costs beyond the tests themselves: time, and disk for each candidate.

`python -m gateline_dev.ranking.overhead` makes a project whose suite takes some seconds of a processor,
compares candidates of it by the command, and prints what was wanted beside what was measured, and the load.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_TESTS = 20
_FILES = 300
"""Beside what is tested: a repository of some size, which no candidate changes."""
_LINES = 120
_TICK = 0.1
_CODE = """\
import time


def burned(seconds):
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass
    return True


def answer():
    return 0
"""
_SETTINGS = "[tool.gateline.types]\nenabled = false\n\n[tool.gateline.tests]\ntotal-timeout = 3600\n"
_GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass(frozen=True, slots=True)
class Cost:
    """One comparison. Times are in seconds, sizes in bytes."""

    suite: float
    """Of the base, alone."""
    suite_processor: float
    wall: float
    processor: float
    """Of all processes together."""
    peak: int
    """Of the folders of all checkouts."""
    tree: int
    """Of the files of one checkout."""
    changed: int
    """Of the files that a candidate changes."""
    load: tuple[float, float]
    """Processes that want a processor, in the mean of a minute: before, and after."""


def measured(folder: Path, seconds: float, candidates: int) -> Cost:
    """Make the project in a folder, and compare so many candidates of it."""
    environment = {
        **os.environ,
        **_GIT,
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    project = folder / "project"
    names = _make(project, seconds, candidates, environment)
    spent, begun = _children(), time.perf_counter()
    subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        cwd=project,
        env=environment,
        check=True,
        capture_output=True,
    )
    suite, suite_processor = time.perf_counter() - begun, _children() - spent
    before = os.getloadavg()[0]
    watch = _Watch(folder / "cache" / "gateline" / "compare")
    spent = _children()
    begun = time.perf_counter()
    with watch:
        command = (
            sys.executable,
            "-m",
            "gateline",
            "compare",
            *names,
            "--no-cache",
            "--python",
            sys.executable,
        )
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )
    wall = time.perf_counter() - begun
    if done.returncode not in (0, 3):
        raise SystemExit(f"the comparison ended with {done.returncode}: {done.stderr}")
    print(done.stdout.splitlines()[0], flush=True)
    tracked = (project / name for name in _git(project, environment, "ls-files").splitlines())
    changed = _size(project / "burning.py")
    load = before, os.getloadavg()[0]
    return Cost(
        suite, suite_processor, wall, _children() - spent, watch.peak, sum(map(_size, tracked)), changed, load
    )


def told(cost: Cost, candidates: int) -> Iterator[str]:
    """What was wanted beside what was measured."""
    cores = len(os.sched_getaffinity(0))
    wanted = 1.25 * candidates * cost.suite / cores + 10
    kept = cost.wall <= wanted
    kib = [size / 1024 for size in (cost.peak / (candidates + 1), cost.tree, cost.changed)]
    beyond = cost.processor - (candidates + 1) * cost.suite_processor
    yield f"{candidates} candidates, {cores} cores, load {cost.load[0]:.1f} to {cost.load[1]:.1f}"
    yield f"suite alone {cost.suite:.1f} s"
    yield f"wall {cost.wall:.1f} s, wanted {wanted:.1f} s: {_held(kept)}"
    yield f"processor {cost.processor:.1f} s, of that {beyond:.1f} s beyond the suites"
    yield f"disk for each checkout {kib[0]:.0f} KiB, its files {kib[1]:.0f}, the changed one {kib[2]:.0f}"
    yield f"  no more than what is changed: {_held(kib[0] <= kib[2])}"


def _held(is_held: bool) -> str:
    return "held" if is_held else "not held"


class _Watch:
    """The most bytes that a folder takes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.peak = 0

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._is_over.wait(_TICK):
            found = sum(
                _size(Path(folder) / name) for folder, _, names in os.walk(self._folder) for name in names
            )
            self.peak = max(self.peak, found)


def _make(project: Path, seconds: float, candidates: int, environment: Mapping[str, str]) -> list[str]:
    """A project with a suite of so many seconds, and branches that change one function each."""
    (project / "rest").mkdir(parents=True)
    for number in range(_FILES):
        lines = "".join(f"VALUE_{line} = {number * line}\n" for line in range(_LINES))
        (project / "rest" / f"part_{number}.py").write_text(lines)
    (project / "pyproject.toml").write_text(_SETTINGS)
    (project / "burning.py").write_text(_CODE)
    each = seconds / _TESTS
    tests = (f"\n\ndef test_{number}():\n    assert burned({each})\n" for number in range(_TESTS))
    (project / "test_burning.py").write_text("from burning import burned\n" + "".join(tests))
    _git(project, environment, "init", "-q", "-b", "main")
    _commit(project, environment)
    names = [f"candidate-{number}" for number in range(candidates)]
    for number, name in enumerate(names):
        _git(project, environment, "checkout", "-q", "-b", name, "main")
        (project / "burning.py").write_text(_CODE.replace("return 0", f"return {number + 1}"))
        _commit(project, environment)
    _git(project, environment, "checkout", "-q", "main")
    return names


def _commit(project: Path, environment: Mapping[str, str]) -> None:
    _git(project, environment, "add", "-A")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    _git(project, environment, *who, "commit", "-q", "-m", "a")


def _git(project: Path, environment: Mapping[str, str], *words: str) -> str:
    done = subprocess.run(
        ("git", *words), cwd=project, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def _children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _size(file: Path) -> int:
    try:
        return file.lstat().st_blocks * 512
    except OSError:
        return 0


def main(arguments: Sequence[str]) -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.ranking.overhead", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="that the suite takes")
    parser.add_argument("--candidates", type=int, default=5)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="gateline-overhead-") as folder:
        cost = measured(Path(folder), asked.seconds, asked.candidates)
    print("\n".join(told(cost, asked.candidates)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
