"""Plain `python -m pytest` of some tests, and what became of each."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline_dev.runner import recorder

PLUGIN = "gateline_recorder"
OPTIONS = ("-q", "-p", PLUGIN, "--tb=line", "--continue-on-collection-errors")
_PATIENCE = 900.0
Endings = dict[str, list[str]]
"""By identifier: how each test of that name ended, with the type of what was raised."""


@dataclass(frozen=True)
class ColdPytest:
    """The project and the interpreter of its tests."""

    root: Path
    python: str
    environment: Mapping[str, str]

    def named(self, ids: Sequence[str]) -> Endings:
        """Run these as a person names them; no identifiers: all."""
        with tempfile.TemporaryDirectory(prefix="gateline-cold-") as name:
            given = Path(name, "ids.txt")
            given.write_text("\n".join(ids), encoding="utf-8")
            return self._run(Path(name), [f"@{given}"] if ids else [])

    def chosen(self, ids: Sequence[str], *, followed: bool = False) -> Endings:
        """Run these after everything was collected; `followed` by coverage."""
        with tempfile.TemporaryDirectory(prefix="gateline-cold-") as name:
            only = Path(name, "ids.json")
            only.write_text(json.dumps(list(ids)), encoding="utf-8")
            before = ("-m", "coverage", "run", f"--data-file={name}/coverage", f"--rcfile={os.devnull}")
            return self._run(Path(name), [], {recorder.ONLY: str(only)}, before if followed else ())

    def _run(
        self,
        folder: Path,
        arguments: Sequence[str],
        more: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> Endings:
        record = prepare(folder)
        searched = os.pathsep.join(filter(None, (str(folder), self.environment.get("PYTHONPATH"))))
        told = {"PYTHONPATH": searched, recorder.RECORD: str(record), **(more or {})}
        subprocess.run(
            [self.python, *before, "-m", "pytest", *OPTIONS, "-o", f"cache_dir={folder}/cache", *arguments],
            cwd=self.root,
            env={**os.environ, **self.environment, **told},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
        return read(record)


def prepare(folder: Path) -> Path:
    """Lay the plug-in into a folder; the file that it writes."""
    shutil.copy(recorder.__file__, folder / f"{PLUGIN}.py")
    return folder / "record.jsonl"


def read(record: Path) -> Endings:
    """What the plug-in wrote."""
    found: Endings = {}
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    for name, ending, kind in map(json.loads, lines):
        found.setdefault(name, []).append(f"{ending} {kind}".rstrip())
    return found
