"""Hooks of coding agents: what each edit of an agent waits for, and what the engine costs at rest."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, perf_counter, sleep

import psutil

from gateline.resident.connection import GoneError, connect
from gateline.resident.registration import ENGINE, registrations
from gateline_dev.bench.results import quantile
from gateline_dev.bench.trial import Trial

EDIT, PEERS = "hook edit", "cold mypy and bandit"
FIRST, START = "first hook s", "hook start, CPU ms above python -S"
IDLE, MEGABYTES = "engine idle CPU %", "engine MB"
_STARTS = 15
_PATIENCE = 120.0
"""Seconds for the engine to have looked at everything once."""
_TEXT = '\n\ndef measured_{n}(a: int) -> int:\n    """Return something."""\n    return a + {n}{wrong}\n'


async def agent_hooks(trial: Trial) -> None:
    """Raises OSError where no engine can be started."""
    with tempfile.TemporaryDirectory(prefix="gl-") as run:
        own = {"XDG_RUNTIME_DIR": run, "XDG_STATE_HOME": run}
        await asyncio.to_thread(_measured, trial, {**os.environ, **trial.copy.environment, **own})


def _measured(trial: Trial, environment: Mapping[str, str]) -> None:
    root = trial.copy.root
    file = root / (trial.project.short or trial.project.target)
    kept, before = dict(os.environ), file.read_text(encoding="utf-8")
    os.environ.update(environment)
    try:
        trial.result.note(FIRST, _hook(root, file, environment))
        _edit(file, before, 999)
        _wait_for_engine(root)
        for number in range(trial.plan.sites * 5):
            _edit(file, before, number)
            trial.result.samples(EDIT).add(_hook(root, file, environment))
        trial.result.samples(PEERS).add(_peers(trial, file))
        trial.result.note(START, _start(environment))
        _at_rest(trial)
    finally:
        file.write_text(before, encoding="utf-8")
        _end_engine(root)
        os.environ.clear()
        os.environ.update(kept)


def _edit(file: Path, before: str, number: int) -> None:
    """Every other text has a type error."""
    wrong = ' + ""' if number % 2 else ""
    file.write_text(before + _TEXT.format(n=number, wrong=wrong), encoding="utf-8")


def _end_engine(root: Path) -> None:
    for registration in registrations(str(root)):
        if registration.kind == ENGINE:
            psutil.Process(registration.pid).terminate()


def _hook(root: Path, file: Path, environment: Mapping[str, str]) -> float:
    """Seconds from the start of a hook's process to its end."""
    given = {"file_path": str(file), "old_string": "", "new_string": ""}
    event = {"session_id": "bench", "cwd": str(root), "tool_name": "Edit", "tool_input": given}
    began = perf_counter()
    _run([*_COMMAND, "--event", "PostToolUse"], environment, json.dumps(event).encode())
    return perf_counter() - began


_COMMAND = (sys.executable, "-m", "gateline", "hook", "--agent", "claude")


def _wait_for_engine(root: Path) -> None:
    until = monotonic() + _PATIENCE
    while monotonic() < until:
        with connect(str(root), seconds=30) as session:
            asked = {"level": "early", "patience": 30_000, "asker": "claude:bench"}
            if session.ask("gateline/check", asked, 60)["fresh"]:
                return
    raise OSError(f"the engine did not answer within {_PATIENCE:g} s")


def _start(environment: Mapping[str, str]) -> float:
    """CPU milliseconds of a hook that asks nobody, above a Python that does nothing."""
    event = json.dumps({"hook_event_name": "SessionStart", "cwd": "/"}).encode()
    pairs = [
        (_cpu(list(_COMMAND), environment, event), _cpu([sys.executable, "-S", "-c", "pass"], environment))
        for _ in range(_STARTS)
    ]
    ours, bare = (quantile(values, 0.5) or 0.0 for values in zip(*pairs, strict=True))
    return (ours - bare) * 1000


def _cpu(command: Sequence[str], environment: Mapping[str, str], data: bytes = b"") -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(command, environment, data)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _peers(trial: Trial, file: Path) -> float:
    """Seconds of what an agent would run instead, without anything kept from before."""
    began = perf_counter()
    with tempfile.TemporaryDirectory() as cache:
        for command in (
            ("mypy", "--cache-dir", cache, str(trial.target)),
            ("bandit", "-q", str(trial.target)),
        ):
            _run([sys.executable, "-m", *command], trial.copy.environment, at=trial.copy.root)
    return perf_counter() - began


def _at_rest(trial: Trial) -> None:
    """Memory and processor of the engine and what it started, while nobody asks."""
    engine = next((r for r in registrations(str(trial.copy.root)) if r.kind == ENGINE), None)
    if engine is None:
        raise GoneError("the engine has ended")
    tree = [psutil.Process(engine.pid), *psutil.Process(engine.pid).children(recursive=True)]
    before, began = _seconds(tree), perf_counter()
    sleep(min(trial.plan.idle, 20))
    trial.result.note(IDLE, (_seconds(tree) - before) / (perf_counter() - began) * 100)
    trial.result.note(MEGABYTES, sum(process.memory_full_info().pss for process in tree) / 1e6)


def _seconds(processes: Sequence[psutil.Process]) -> float:
    return sum(process.cpu_times().user + process.cpu_times().system for process in processes)


def _run(
    command: Sequence[str], environment: Mapping[str, str], data: bytes = b"", at: Path | None = None
) -> None:
    given = {**os.environ, **environment}
    subprocess.run(command, input=data, env=given, cwd=at, capture_output=True, check=False, timeout=600)
