"""Which ty is run."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gateline.session.workspace.untrusted_interpreter import is_inside
from gateline.session.workspace.workspace import Workspace

NEXT_STEP = "install it (pip install 'gateline[ty]'), or set types.engine = \"mypy\""
MISSING = f"ty was not found: {NEXT_STEP}"


@dataclass(frozen=True, slots=True)
class Ty:
    """An executable, and why it was chosen."""

    path: str
    origin: str


def find_ty(workspace: Workspace, *, trusted: bool, search: str | None = None) -> Ty | None:
    """Look beside gateline, then on `search` (the PATH), then in the project's environment.

    What lies in the workspace is the project's code: it is taken only when the workspace is trusted.
    """
    for folder, origin in _places(workspace, search):
        path = shutil.which("ty", path=folder)
        own = origin == _OWN
        if path is not None and (own or trusted or not is_inside(Path(path), workspace.root)):
            return Ty(os.path.abspath(path), origin)  # noqa: PTH100 (a link keeps its name)
    return None


_OWN = "installed with gateline"


def _places(workspace: Workspace, search: str | None) -> Iterator[tuple[str, str]]:
    yield str(Path(sys.executable).parent), _OWN
    on_path = os.environ.get("PATH", os.defpath) if search is None else search
    for folder in filter(None, on_path.split(os.pathsep)):
        yield folder, "on PATH"
    yield str(Path(workspace.interpreter.path).parent), "in the project's environment"
