"""Virtual environments for the peers and for what the projects import."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from gateline_dev.bench.cache import CACHE

_READY = "ready"


def environment(name: str, requirements: Sequence[str]) -> Path:
    """A virtual environment with exactly these; made at the first time, and when they change.

    Raises CalledProcessError when pip cannot install them.
    """
    digest = sha256("\n".join(requirements).encode()).hexdigest()[:8]
    folder = CACHE / "environments" / f"{name}-{digest}"
    # Environments know their own path, so they cannot be made elsewhere and moved.
    if not (folder / _READY).exists():
        print(f"installing {', '.join(requirements)}", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        _install(folder, requirements)
        (folder / _READY).touch()
    return folder


def _install(folder: Path, requirements: Sequence[str]) -> None:
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *requirements], check=True, stdout=sys.stderr)
