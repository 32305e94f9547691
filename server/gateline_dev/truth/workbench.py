"""A project as a git repository on a branch, with an interpreter of its own: changes are laid there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import portalocker

from gateline_dev.truth.subjects import Subject, own_environment
from gateline_dev.truth.tree import Edit, Tree

_IDENTITY = ("-c", "user.name=truth", "-c", "user.email=truth@example.invalid", "-c", "commit.gpgsign=false")
_BASE = "refs/truth/base"
_IGNORED = (
    "__pycache__/",
    "*.pyc",
    ".pytest_cache/",
    ".hypothesis/",
    ".coverage",
    ".mypy_cache/",
    ".ruff_cache/",
)


class Standing(StrEnum):
    """Where git has a change when it is judged."""

    COMMITTED = "committed"
    """On the branch."""
    WORK_TREE = "work-tree"
    """Saved, not staged; new files are untracked."""
    STAGED = "staged"
    """In the index, judged with `--staged`."""
    STAGED_ALONE = "staged-alone"
    """In the index, while the work tree has the base's files again; judged with `--staged`."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """For `gateline check`."""
        return ("--staged",) if self in (Standing.STAGED, Standing.STAGED_ALONE) else ()


@dataclass(frozen=True)
class Workbench:
    """The folder of one project: its repository, environment, caches and reports."""

    subject: Subject
    folder: Path

    @property
    def root(self) -> Path:
        """The repository."""
        return self.folder / self.subject.name

    @property
    def python(self) -> str:
        """The interpreter that has the project and its test requirements."""
        return str(self.folder / "environment" / "bin" / "python")

    @cached_property
    def environment(self) -> dict[str, str]:
        """Variables of what is run here: a home and caches of its own, the environment on PATH."""
        kept = {key: os.environ[key] for key in ("LANG", "TMPDIR", "TZ") if key in os.environ}
        venv = self.folder / "environment"
        home = self.folder / "home"
        return {
            **kept,
            "PATH": os.pathsep.join((str(venv / "bin"), os.environ["PATH"])),
            "VIRTUAL_ENV": str(venv),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
        }

    def prepare(self, packages: Path) -> None:
        """Make the repository and the environment, where they are not there yet."""
        (self.folder / "home").mkdir(parents=True, exist_ok=True)
        own_environment(self.folder / "environment", self.root / self.subject.source, packages)
        if not (self.root / ".git" / _BASE).exists():
            shutil.rmtree(self.root, ignore_errors=True)
            left_out = shutil.ignore_patterns(*self.subject.leave_out) if self.subject.leave_out else None
            shutil.copytree(self.subject.unpacked(), self.root, symlinks=True, ignore=left_out)
            self.git("init", "-q", "-b", "main")
            with (self.root / ".git/info/exclude").open("a", encoding="utf-8") as exclude:
                exclude.write("\n".join((*_IGNORED, "")))
            # Also what a `.gitignore` names: a distribution has files that were made.
            self.git("add", "-A", "-f")
            self.git("commit", "-q", "-m", "as distributed")
            self.git("update-ref", _BASE, "HEAD")
        self.reset()

    @cached_property
    def tree(self) -> Tree:
        """The committed files."""
        paths = self.git("ls-files", "-z", "--", ".").split("\0")
        files = {p: (self.root / p).read_bytes() for p in paths if p and (self.root / p).is_file()}
        return Tree(files, self.subject.package, self.subject.source)

    def git(self, *arguments: str) -> str:
        """Run git in the repository. Raises CalledProcessError."""
        command = ["git", *_IDENTITY, *arguments]
        return subprocess.run(
            command, cwd=self.root, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    def reset(self) -> None:
        """Back to the base on a fresh branch, nothing beside it."""
        (self.root / ".git/shallow").unlink(missing_ok=True)
        self.git("reset", "-q", "--hard")
        self.git("checkout", "-q", "-B", "change", _BASE)
        self.git("update-ref", "refs/heads/main", _BASE)
        self.git("clean", "-qfdx")

    def write(self, files: Mapping[str, bytes | None]) -> None:
        """Lay an edit into the work tree."""
        for path, content in files.items():
            file = self.root / path
            if content is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)

    def lay(self, edit: Edit, standing: Standing) -> None:
        """From a fresh base: the edit, as git is to have it."""
        self.reset()
        self.write(edit.files)
        if standing is Standing.WORK_TREE:
            return
        self.git("add", "-A")
        if standing is Standing.COMMITTED:
            self.git("commit", "-q", "--allow-empty", "-m", "a change")
        elif standing is Standing.STAGED_ALONE:
            self._restore(edit.files)

    def _restore(self, paths: Iterable[str]) -> None:
        """The work tree of some paths as the base has them, the index as it is."""
        for path in paths:
            file = self.root / path
            if path in self.tree.files:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(self.tree.files[path])
            else:
                file.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from the bench in a folder; wait for them."""
    folder.mkdir(parents=True, exist_ok=True)
    with portalocker.Lock(folder / "lock", timeout=None, flags=portalocker.LOCK_EX):
        yield
