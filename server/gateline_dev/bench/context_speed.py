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

from gateline.session.context.process import HOLDER
from gateline_dev.bench.trial import Trial

CHUNKS, MEGABYTES = "context chunks", "context MB"
KINDS = (
    "context cold",
    "context whole",
    "context warm",
    "context usable",
    "context usable again",
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
            cold = await said_by("speed", root, cache)
            warm = await said_by("speed", root, cache, "all")
            usable = [await said_by("first_answers", root, cache=cache) for _ in range(2)]
        add(trial, "context cold", [cold["start"]])
        add(trial, "context whole", [cold["whole"]])
        add(trial, "context warm", [warm["start"]])
        for kind, started in zip(("usable", "usable again"), usable, strict=True):
            add(trial, f"context {kind}", [started["first"]])
        for kind, name in (("words", "words"), ("place", "places"), ("around", "around"), ("edit", "edits")):
            add(trial, f"context {kind}", warm[name])
        trial.result.note(CHUNKS, cold["chunks"])
        trial.result.note(MEGABYTES, warm["megabytes"])


def add(trial: Trial, kind: str, seconds: Iterable[float]) -> None:
    """Take measured seconds down."""
    for second in seconds:
        trial.result.samples(kind).add(second)


async def said_by(module: str, root: Path, *arguments: str, cache: str = "") -> dict[str, Any]:
    """What a module of `gateline_dev.retrieval` prints of a folder. Raises OSError."""
    command = ("-m", f"gateline_dev.retrieval.{module}", str(root), *arguments)
    # As in the product: on one thread, as numpy's others would wait for a core that something else has.
    environment = os.environ | HOLDER | ({"XDG_CACHE_HOME": cache} if cache else {})
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE, env=environment
    )
    said, _ = await process.communicate()
    if process.returncode:
        raise OSError(f"the measurement ended with {process.returncode}")
    found: dict[str, Any] = json.loads(said)
    return found
