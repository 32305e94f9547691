"""The product's door: `gateline check` as a person runs it, and what it said."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateline_dev.truth.workbench import Standing, Workbench

PATIENCE = 900.0
"""Seconds for one verdict."""
_PASSING = ("accept", "conditional-accept")


@dataclass(frozen=True)
class Verdict:
    """What `gateline check` said."""

    code: int | None
    """None: it did not end."""
    outcome: str
    """Its decision, or why there is none."""
    seconds: float
    said: Mapping[str, Any]
    """The JSON, where there is one."""
    stderr: str = ""

    @property
    def is_passing(self) -> bool:
        """Whether a person or CI would go on."""
        return self.outcome in _PASSING or self.code == 0

    @property
    def floors(self) -> list[str]:
        """Codes of new findings that are floors, with their tool."""
        rows = [row for row in self.said.get("findings", ()) if row.get("weight") == "floor"]
        return sorted({str(row["code"]) for row in rows if row.get("novelty") != "old"})

    @property
    def reasons(self) -> list[str]:
        """The decision's reasons, or the last words on standard error."""
        told = self.said.get("decision", {}).get("reasons")
        return list(told) if told else self.stderr.strip().splitlines()[-2:]

    @property
    def stops_for_tests(self) -> bool:
        """Whether a test is among what stops it."""
        return self.outcome == "require-iteration" and "GTL201" in self.floors


def program() -> str:
    """The `gateline` of this environment: started by `-m`, it would import modules of the project."""
    return str(Path(sys.executable).with_name("gateline"))


def command(standing: Standing, *more: str) -> list[str]:
    """How a change is judged."""
    return ["check", *standing.arguments, *more]


def ask(bench: Workbench, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Verdict:
    """Judge what lies on the bench."""
    out = bench.folder / "verdict.json"
    out.unlink(missing_ok=True)
    began = time.perf_counter()
    try:
        done = subprocess.run(
            [program(), *arguments, "--output", f"json={out}", "--output", "concise"],
            cwd=bench.root,
            env={**bench.environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Verdict(None, "did not end", time.perf_counter() - began, {})
    seconds = time.perf_counter() - began
    said = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    outcome = said.get("decision", {}).get("outcome") or _by_code(done.returncode)
    return Verdict(done.returncode, outcome, seconds, said, done.stderr)


def _by_code(code: int) -> str:
    return {0: "accept", 1: "refused", 2: "mistake", 3: "undecided"}.get(code, f"exit code {code}")
