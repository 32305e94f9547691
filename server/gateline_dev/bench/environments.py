"""Virtual environments for the peers and for what the projects import, kept in the user's cache."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

CACHE = user_cache_path("gateline") / "bench"
_READY = "ready"


class UnavailableError(Exception):
    """Something could not be fetched or installed; the message is pip's last word."""


def environment(name: str, requirements: Sequence[str]) -> Path:
    """A virtual environment with exactly these; made at the first time, and when they change.

    Raises UnavailableError when pip cannot install them.
    """
    digest = sha256("\n".join(requirements).encode()).hexdigest()[:8]
    folder = CACHE / "environments" / f"{name}-{digest}"
    # Environments know their own path, so they cannot be made elsewhere and moved.
    if not (folder / _READY).exists():
        print(f"installing {', '.join(requirements)}", file=sys.stderr, flush=True)
        venv.create(folder, clear=True, with_pip=True)
        pip(folder / "bin" / "python", "install", *requirements)
        (folder / _READY).touch()
    return folder


def requirements(file: Path) -> list[str]:
    """The requirements that a file names, one a line, without its comments."""
    rows = (row.strip() for row in file.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row and not row.startswith("#")]


def pip(python: str | Path, command: str, *arguments: str) -> None:
    """Run pip quietly. Raises UnavailableError."""
    flags = ("--quiet", "--disable-pip-version-check")
    done = subprocess.run(
        [python, "-m", "pip", command, *flags, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise UnavailableError(lines[-1] if lines else f"pip {command} ended with {done.returncode}")
