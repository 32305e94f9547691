"""How long an agent waits for `gate_check` over a warm connection, beside the tools run by themselves.

One file of httpx is edited again and again; each text is judged before it is written and after. Prints
Markdown. In brackets stand milliseconds of processor time of all processes of the engine: others on the
machine add to the rest. Beside it, of the same change: a new mypy with an empty cache, bandit, and the
tests that name the module, with pytest.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import psutil
from mcp import Client

from gateline.resident.registration import registrations
from gateline_dev.affected.subjects import SUBJECTS, copied
from gateline_dev.agents.client import agent, call, git, private
from gateline_dev.bench.environments import UnavailableError

_TARGETS = {"p50": 150.0, "p95": 500.0}
"""Milliseconds that an agent may wait for one changed file."""
_FILES = ("httpx/_main.py", "httpx/_models.py")
"""Of about 500 lines, and of about 1,300."""
_ADDED = "\n\ndef added_{0}(number: int) -> str:\n    return number + {0}\n"
_WARM = 3


@dataclass
class Times:
    """Milliseconds, by the wall and of the processor."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    fresh: int = 0

    def row(self, what: str) -> str:
        """A row of the table."""
        p50, p95 = statistics.median(self.wall), statistics.quantiles(self.wall, n=20)[-1]
        met = "yes" if p50 <= _TARGETS["p50"] and p95 <= _TARGETS["p95"] else "no"
        cost = f"{statistics.median(self.processor):.0f}"
        return f"| {what} | {p50:.0f} ({cost}) | {p95:.0f} | {self.fresh} of {len(self.wall)} | {met} |"


async def measured(client: Client, root: Path, path: str, rounds: int) -> tuple[Times, Times]:
    """Edits of one file: judged before they are written, and after."""
    file = root / path
    before = file.read_text(encoding="utf-8")
    proposed, written = Times(), Times()
    for number in range(-_WARM, rounds):
        text = before + _ADDED.format(number + _WARM)
        into = (proposed, written) if number >= 0 else (Times(), Times())
        await _timed(client, root, {"texts": [{"path": path, "text": text}]}, into[0])
        file.write_text(text, encoding="utf-8")
        await _timed(client, root, {}, into[1])
        file.write_text(before, encoding="utf-8")
        await call(client, "gate_check", {"wait": 60})
    return proposed, written


async def _timed(client: Client, root: Path, arguments: dict[str, object], into: Times) -> None:
    used, began = _processor(root), perf_counter()
    answer = await call(client, "gate_check", {"wait": 60, **arguments})
    into.wall.append((perf_counter() - began) * 1000)
    into.processor.append((_processor(root) - used) * 1000)
    into.fresh += answer["fresh"] and any(row["code"] == "GTL110" for row in answer["findings"])


def _processor(root: Path) -> float:
    """Seconds of the processor that the engine and its processes took so far."""
    engines = [psutil.Process(found.pid) for found in registrations(str(root))]
    living = [process for engine in engines for process in (engine, *engine.children(recursive=True))]
    return sum(sum(process.cpu_times()[:2]) for process in living)


def by_themselves(root: Path, path: str, python: str) -> dict[str, float]:
    """Seconds of the tools that somebody would run without us, each as a new process."""
    module = Path(path).stem.strip("_")
    tests = [str(file) for file in root.glob("tests/**/test_*.py") if module in file.name] or ["tests"]
    with tempfile.TemporaryDirectory() as cache:
        commands = {
            "mypy": [sys.executable, "-m", "mypy", "--python-executable", python, "--cache-dir", cache, path],
            "bandit": [sys.executable, "-m", "bandit", "-q", path],
            "pytest": [python, "-m", "pytest", "-q", "-x", *tests],
        }
        return {name: _seconds(command, root) for name, command in commands.items()}


def _seconds(command: Sequence[str], root: Path) -> float:
    began = perf_counter()
    subprocess.run(command, cwd=root, capture_output=True, check=False, timeout=600)
    return perf_counter() - began


async def run(rounds: int) -> None:
    """Measure and print."""
    with copied(SUBJECTS["httpx"]) as copy, tempfile.TemporaryDirectory(prefix="gl-") as short:
        root = copy.root
        git(root, "init", "--quiet", "--initial-branch", "main")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "base")
        own = {**private(Path(short)), "GATELINE_PYTHON": copy.python}
        os.environ.update(own)
        print(f"Load at the start {os.getloadavg()[0]:.1f}; {rounds} edits of each file.\n")
        print("| gate_check, ms | p50 | p95 | fresh, with the type error | within 150 and 500 |")
        print("|---|---|---|---|---|")
        async with agent(root, own) as client:
            await call(client, "gate_check", {"wait": 120})
            for path in _FILES:
                proposed, written = await measured(client, root, path, rounds)
                print(proposed.row(f"{path}, not written yet"), flush=True)
                print(written.row(f"{path}, written"), flush=True)
        print("\n| by themselves, s | " + " | ".join(("mypy", "bandit", "pytest")) + " |\n|---|---|---|---|")
        for path in _FILES:
            took = by_themselves(root, path, copy.python)
            print(f"| {path} | " + " | ".join(f"{seconds:.1f}" for seconds in took.values()) + " |")


def main() -> int:
    """Measure; 0 whatever was measured, also where httpx cannot be had, which is said."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.agents.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="edits of each file")
    chosen = parser.parse_args()
    if shutil.which("git") is None:
        print("not measured: there is no git")
        return 0
    try:
        asyncio.run(run(chosen.rounds))
    except UnavailableError as error:
        print(f"not measured: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
