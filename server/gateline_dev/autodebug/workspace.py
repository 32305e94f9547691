"""A case of the corpus as somebody has it who meets its error: a git repository, and a command that fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DESCRIPTION = ".autodebug.json"
_WRITTEN = "repaired.diff"
_GIT = ("git", "-c", "user.name=corpus", "-c", "user.email=corpus@localhost", "-c", "core.autocrlf=false")
_CHECKING = frozenset({"check_untyped_defs", "follow_imports", "ignore_missing_imports"})
"""Options of mypy that decide what it reports, and not how."""
_SECONDS = 60.0
"""After which the command that shows the error is ended."""


@dataclass(frozen=True)
class Workspace:
    """A copy of a case, committed as it is, with the environment that its tests need."""

    root: Path
    told: Mapping[str, Any]
    """What the corpus tells of the case."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables of somebody who activated the corpus's environment."""
        python = Path(self.told["python"])
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        return {
            **kept,
            "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(python.parent.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }

    def seen(self) -> str:
        """What the command prints that shows the error."""
        command = [self.told["python"] if word == "{python}" else word for word in self.told["entry"]]
        return self.run(command).stdout

    def run(self, command: Sequence[str], given: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command as in a shell, with both streams as one. Raises TimeoutExpired."""
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_SECONDS,
        )

    def apply(self, difference: str) -> None:
        """Change files as a difference says. Raises ValueError where git cannot."""
        if "\n@@ " in difference:
            patch = self.root.parent / _WRITTEN
            patch.write_text(difference, encoding="utf-8", errors="surrogateescape")
            answer = self.run([*_GIT, "apply", "--whitespace=nowarn", str(patch)])
            if answer.returncode:
                raise ValueError(f"git cannot apply what was shown: {answer.stdout}")

    def put_back(self, folder: Path) -> bool:
        """Copy the files that were changed or added to the case's folder; whether there is any."""
        listed = self.run([*_GIT, "status", "--porcelain", "-z", "--untracked-files=all"]).stdout
        changed = [row[3:] for row in listed.split("\0") if row]
        for name in changed:
            if (file := self.root / name).is_file():
                shutil.copyfile(file, folder / name)
        return bool(changed)


@contextmanager
def workspace_of(folder: Path) -> Iterator[Workspace]:
    """The case in a folder; removed in the end."""
    told = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="autodebug-", dir=folder.parent) as scratch:
        root = Path(scratch, "case")
        shutil.copytree(folder, root, ignore=shutil.ignore_patterns(DESCRIPTION))
        made = Workspace(root, told)
        _keep_options(root, told["entry"])
        made.run([*_GIT, "init", "-q"])
        (root / ".git" / "info" / "exclude").write_text("__pycache__/\n.mypy_cache/\n.pytest_cache/\n")
        made.run([*_GIT, "add", "--all"])
        made.run([*_GIT, "commit", "-q", "-m", "all of it"])
        yield made


def _keep_options(root: Path, entry: Sequence[str]) -> None:
    """Have mypy's settings say what the command's options do, as in a project that is checked so."""
    options = [word[2:] for word in entry if word.startswith("--")] if "mypy" in entry else []
    known = {name: value for name, value in map(_setting, options) if name in _CHECKING}
    if known and not any((root / name).exists() for name in ("mypy.ini", ".mypy.ini")):
        rows = "".join(f"{name} = {value}\n" for name, value in known.items())
        (root / "mypy.ini").write_text(f"[mypy]\n{rows}", encoding="utf-8")


def _setting(option: str) -> tuple[str, str]:
    name, _, value = option.partition("=")
    return name.replace("-", "_"), value or "True"
