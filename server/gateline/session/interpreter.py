"""Which Python the project's code belongs to."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python executable and why it was chosen."""

    path: str
    origin: str


def find_interpreter(root: Path, environ: Mapping[str, str], given: str | None = None) -> Interpreter:
    """What the client gave, else the project's `.venv` or `venv`, else the active one, else our own."""
    if given:
        return Interpreter(given, "given by the client")
    for name in (".venv", "venv"):
        python = _python(root / name)
        if (root / name / "pyvenv.cfg").is_file() and python.exists():
            return Interpreter(str(python), f"{name} in the project")
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        folder = environ.get(variable)
        if folder and _python(Path(folder)).exists():
            return Interpreter(str(_python(Path(folder))), variable)
    return Interpreter(sys.executable, "gateline's own")


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
