"""The checks themselves: each passes, fails with a reason, or is not known, with the reason for that."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateline.services.isolation.enclosure import Enclosure
from gateline.services.isolation.finished import UnfinishedError, finished
from gateline.services.project_checks import backend

LINT_SECONDS = 30.0
BUILD_SECONDS = 120.0
_LEGACY = "setuptools.build_meta:__legacy__"
"""The backend where none is named (PEP 517)."""
_SHOWN = 3
_LONGEST = 300
"""Characters of a reason that comes from a candidate."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one check of one tree ended."""

    passed: bool | None
    """None: not measured."""
    reason: str = ""
    """Why it failed, or was not measured."""
    is_unfinished: bool = False
    """Whether it did not come to its end, which it may another time."""


@dataclass(frozen=True, slots=True)
class Place:
    """A checkout that a check may write into, with what closes it in."""

    root: Path
    home: Path
    python: str
    enclosure: Enclosure

    async def lint(self, words: Sequence[str], changed: Sequence[str]) -> Outcome:
        """Run the project's lint command; it passes with exit status 0. `changed` paths are looked for."""
        told = " ".join(words)
        program = _program(words[0], self.python)
        if not program:
            return Outcome(None, f"{words[0]} is neither beside {self.python} nor in PATH")
        folders = os.pathsep.join([str(Path(self.python).parent), os.environ.get("PATH", os.defpath)])
        command = self.enclosure.command(("/usr/bin/env", f"PATH={folders}", program, *words[1:]), self.home)
        try:
            done = await finished(command, self.root, LINT_SECONDS, with_errors=True)
        except UnfinishedError as error:
            return Outcome(None, f"`{told}` {error}", is_unfinished=True)
        if not done.status:
            return Outcome(True)
        lines = self._naming(done.written, changed)
        return Outcome(False, f"`{told}` ends with {done.status}" + (f": {lines}" if lines else ""))

    async def build(self) -> Outcome:
        """Build a wheel as PEP 517 has it, without a network, by a backend that is installed already."""
        try:
            order = _backend_of(self.root)
        except ValueError as error:
            return Outcome(False, str(error))
        if order is None:
            return Outcome(None, "the project names no build backend")
        folder = self.home / "wheel"
        folder.mkdir()
        program = ("/usr/bin/env", "PYTHONHASHSEED=0", self.python, backend.__file__)
        command = self.enclosure.command(program, self.home)
        given = json.dumps({**order, "folder": str(folder)}).encode()
        try:
            done = await finished(command, self.root, BUILD_SECONDS, given)
        except UnfinishedError as error:
            return Outcome(None, f"it {error}", is_unfinished=True)
        match _read(done.written):
            case {"problem": "", "missing": False}:
                return Outcome(True)
            case {"problem": str(), "missing": True}:
                return Outcome(None, f"the backend {order['module']} is not installed beside {self.python}")
            case {"problem": str(problem), "missing": False}:
                return Outcome(False, self._plain(problem))
        return Outcome(False, f"the build ends with {done.status} and says nothing")

    def _naming(self, written: bytes, changed: Sequence[str]) -> str:
        """The first lines that name a changed file: others, as with times, differ from run to run."""
        rows = written.decode("utf-8", "replace").splitlines()
        found = [row for row in rows if any(path in row for path in changed)]
        return "; ".join(self._plain(row) for row in found[:_SHOWN])

    def _plain(self, text: str) -> str:
        """Without the folder of the checkout, and on one line."""
        return " ".join(text.replace(f"{self.root}/", "").replace(f"{self.home}/", "").split())[:_LONGEST]


def _program(name: str, python: str) -> str:
    """Where a program is: beside the interpreter, else in PATH; a path is as it is; empty: nowhere."""
    if "/" in name:
        return name
    beside = Path(python).with_name(name)
    return str(beside) if beside.is_file() else shutil.which(name) or ""


def _backend_of(root: Path) -> dict[str, Any] | None:
    """What builds a project; None where nothing does. Raises ValueError for what cannot be read."""
    file = root / "pyproject.toml"
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as error:
        raise ValueError("pyproject.toml cannot be read") from error
    table = found.get("build-system")
    if table is None and not any((root / name).is_file() for name in ("setup.py", "setup.cfg")):
        return None
    rows = table if table is not None else {}
    named = rows.get("build-backend", _LEGACY) if isinstance(rows, dict) else None
    if not isinstance(named, str):
        raise ValueError("build-system of pyproject.toml has no valid build-backend")
    module, _, object_ = named.partition(":")
    path = rows.get("backend-path", [])
    if not isinstance(path, list) or not all(isinstance(one, str) for one in path):
        raise ValueError("build-system.backend-path of pyproject.toml is not a list of folders")
    return {"module": module, "object": object_, "path": path}


def _read(written: bytes) -> object:
    try:
        return json.loads(written)
    except ValueError:
        return None
