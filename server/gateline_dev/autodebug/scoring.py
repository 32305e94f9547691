"""Runs the corpus's own scorer on the server of repairs, and joins what both say of each case."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCORER = "score.py"


@dataclass(frozen=True)
class Scored:
    """What became of a case, by the corpus's oracle and by our log."""

    id: str
    corpus: str
    """`mutation` or `wild`."""
    category: str
    fixed: bool
    clean: bool
    """Fixed, and no harm was done."""
    exact: bool
    harm: tuple[str, ...]
    seconds: float
    soonest: float
    """Seconds after which the first repair was verified."""
    first: bool
    """The first repair that was tried was taken."""
    offered: bool
    """Something was verified."""
    attempts: tuple[str, ...] = ()


def score(folder: Path, python: str, jobs: int, options: Sequence[str], seconds: float) -> list[Scored]:
    """Score the cases that `options`, as the scorer knows them, choose.

    After `seconds` nothing new is tried for a case.

    Raises CalledProcessError when the scorer failed.
    """
    with tempfile.TemporaryDirectory(prefix="autodebug-score-") as scratch:
        log, out = Path(scratch, "log"), Path(scratch, "out.json")
        log.touch()
        command = [sys.executable, str(folder / SCORER), "-j", str(jobs), "--python", python]
        server = [sys.executable, "-m", "gateline_dev.autodebug.serve", "--python", python, "--log", str(log)]
        server += ["--seconds", str(seconds)]
        given = ["--serve", "--cmd-timeout", str(3 * seconds), "--json", str(out), *options, "--", *server]
        subprocess.run([*command, *given], check=True, stdout=sys.stderr)
        told = {row["id"]: row for row in map(json.loads, log.read_text(encoding="utf-8").splitlines())}
        return [_scored(row, told.get(row["id"], {})) for row in json.loads(out.read_text(encoding="utf-8"))]


def _scored(row: dict[str, Any], told: dict[str, Any]) -> Scored:
    return Scored(
        row["id"],
        row["corpus"],
        row["category"],
        bool(row["fixed"]),
        bool(row["clean"]),
        bool(row["exact"]),
        tuple(kind for kind in row["harm"] if kind != "other-files"),
        row["seconds"],
        told.get("soonest", row["seconds"]),
        bool(told.get("first")),
        bool(told.get("success")),
        (told.get("error", ""), *told.get("attempts", ())),
    )
