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
_SECONDS = 120
"""After which a case is given up."""


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
    """Of gateline alone."""
    proof: str
    """How far the repair was verified: `V1` to `V3`; empty without any."""
    told: str = ""
    """What gateline said."""


def score(folder: Path, python: str, jobs: int, options: Sequence[str], door: str) -> list[Scored]:
    """Score the cases that `options`, as the scorer knows them, choose, asking gateline through a door.

    Raises CalledProcessError when the scorer failed.
    """
    with tempfile.TemporaryDirectory(prefix="autodebug-score-") as scratch:
        log, out = Path(scratch, "log"), Path(scratch, "out.json")
        log.touch()
        command = [sys.executable, str(folder / SCORER), "-j", str(jobs), "--python", python]
        server = [sys.executable, "-m", "gateline_dev.autodebug.serve", "--door", door, "--log", str(log)]
        given = ["--serve", "--cmd-timeout", str(_SECONDS), "--json", str(out), *options, "--", *server]
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
        told.get("seconds", row["seconds"]),
        told.get("proof", ""),
        told.get("told", ""),
    )
