"""What ruff says of a candidate, and not of the base, where the project is set up for it."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 30.0
_FILES = ("ruff.toml", ".ruff.toml")

Complaints = Counter[tuple[str, str, str]]
"""Path, code and message."""


def ruff_of(root: Path, python: str) -> str:
    """The program, where the workspace `root` has settings for it; empty without either. Blocks."""
    if not any((root / name).is_file() for name in _FILES) and not _in_pyproject(root):
        return ""
    return beside(python)


def beside(python: str) -> str:
    """The program of an interpreter's environment, else that on PATH; empty without any. Blocks."""
    own = Path(python).with_name("ruff")
    return str(own) if own.is_file() else shutil.which("ruff") or ""


async def complaints(ruff: str, root: Path, paths: Sequence[str]) -> Complaints | None:
    """What it says of these files, relative to `root`; None where it could not be asked."""
    there = [path for path in paths if path.endswith(".py") and (root / path).is_file()]
    if not there:
        return Counter()
    command = (ruff, "check", "--no-cache", "--exit-zero", "--output-format", "json", "--", *there)
    try:
        done = await asyncio.to_thread(
            subprocess.run, command, cwd=root, capture_output=True, timeout=_SECONDS, check=False
        )
        rows = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return Counter((_below(row["filename"], root), row["code"] or "", row["message"]) for row in rows)


def worse(candidate: Complaints | None, base: Complaints | None) -> tuple[str, ...] | None:
    """What the candidate has more of than the base; None where either is not known."""
    if candidate is None or base is None:
        return None
    return tuple(f"{path}: {code} {message}".strip() for path, code, message in sorted(candidate - base))


def _in_pyproject(root: Path) -> bool:
    try:
        text = (root / "pyproject.toml").read_text(encoding="utf-8")
        return "ruff" in tomllib.loads(text).get("tool", {})
    except (OSError, ValueError):
        return False


def _below(file: str, root: Path) -> str:
    path = Path(file)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
