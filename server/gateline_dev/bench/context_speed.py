"""Context retrieval: how soon it answers after a cold and a warm start, while asked, and after an edit."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gateline.session.context_process import HOLDER
from gateline_dev.bench.trial import Trial

CHUNKS, MEGABYTES = "context chunks", "context MB"
KINDS = (
    "context cold",
    "context whole",
    "context warm",
    "context words",
    "context place",
    "context around",
    "context edit",
)


async def context_speed(trial: Trial) -> None:
    """Each start is a process of its own; the folder of the edited file's package is what is indexed."""
    root = trial.copy.root / trial.project.target.split("/")[0]
    for _ in range(trial.plan.starts):
        with tempfile.TemporaryDirectory(prefix="gateline-context-") as cache:
            cold = await _run(root, cache)
            warm = await _run(root, cache, "all")
        _add(trial, "context cold", [cold["start"]])
        _add(trial, "context whole", [cold["whole"]])
        _add(trial, "context warm", [warm["start"]])
        for kind, name in (("words", "words"), ("place", "places"), ("around", "around"), ("edit", "edits")):
            _add(trial, f"context {kind}", warm[name])
        trial.result.note(CHUNKS, cold["chunks"])
        trial.result.note(MEGABYTES, warm["megabytes"])


def _add(trial: Trial, kind: str, seconds: Iterable[float]) -> None:
    for second in seconds:
        trial.result.samples(kind).add(second)


async def _run(root: Path, *arguments: str) -> dict[str, Any]:
    command = ("-m", "gateline_dev.retrieval.speed", str(root), *arguments)
    # As in the product: on one thread, as numpy's others would wait for a core that something else has.
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, **HOLDER}
    )
    said, _ = await process.communicate()
    if process.returncode:
        raise OSError(f"the measurement ended with {process.returncode}")
    found: dict[str, Any] = json.loads(said)
    return found
