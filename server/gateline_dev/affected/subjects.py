"""The projects whose tests are run, each as distributed, with an environment of its own."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateline_dev.bench.environments import environment
from gateline_dev.bench.projects import PROJECTS, Project, fetch

_PYTEST = ("pytest==9.0.2", "coverage==7.12.0")
_HTTPX = next(project for project in PROJECTS if project.name == "httpx")
_TOOLZ = Project(
    "toolz",
    "1.0.0",
    "2c86e3d9a04798ac556793bced838816296a2f085017664e4995cb40a1047a02",
    "toolz/itertoolz.py",
)
_CACHETOOLS = Project(
    "cachetools",
    "6.2.2",
    "8e6d266b25e539df852251cfd6f990b4bc3a141db73b939058d809ebd2590fc6",
    "src/cachetools/__init__.py",
)
_INFLECTION = Project(
    "inflection",
    "0.5.1",
    "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417",
    "inflection/__init__.py",
)


@dataclass(frozen=True)
class Subject:
    """A project with what its tests need."""

    project: Project
    package: str
    """The folder whose files are edited."""
    source: str = ""
    """The folder that modules are imported from, where that is not the root."""
    requirements: tuple[str, ...] = ()


SUBJECTS = {
    "toolz": Subject(_TOOLZ, "toolz"),
    "cachetools": Subject(_CACHETOOLS, "src/cachetools", source="src"),
    "inflection": Subject(_INFLECTION, "inflection"),
    "httpx": Subject(
        _HTTPX,
        "httpx",
        requirements=(
            "anyio==4.11.0",
            "brotli==1.1.0",
            "certifi==2025.10.5",
            "chardet==5.2.0",
            "click==8.3.0",
            "cryptography==46.0.3",
            "h2==4.3.0",
            "httpcore==1.0.9",
            "idna==3.11",
            "pygments==2.19.2",
            "rich==14.2.0",
            "socksio==1.0.0",
            "trio==0.32.0",
            "trustme==1.2.1",
            "uvicorn==0.38.0",
            "zstandard==0.25.0",
        ),
    ),
}


@dataclass(frozen=True)
class Copy:
    """A copy that may be written to, and the interpreter of its tests."""

    root: Path
    python: str
    package: str
    environment: dict[str, str]
    """Variables for its tests."""

    def files(self) -> list[str]:
        """All Python files, relative to the root, sorted."""
        return sorted(file.relative_to(self.root).as_posix() for file in self.root.rglob("*.py"))

    def sources(self) -> list[str]:
        """Those of the package that are no tests."""
        ours = [path for path in self.files() if path.startswith(f"{self.package}/")]
        return [path for path in ours if "/tests/" not in path]

    def text(self, path: str) -> str:
        """What a file holds."""
        return (self.root / path).read_text(encoding="utf-8")


@contextmanager
def copied(subject: Subject) -> Iterator[Copy]:
    """A fresh copy, removed at the end. Raises UnavailableError when the project cannot be had."""
    source = fetch(subject.project)
    python = sys.executable
    if subject.requirements:
        folder = environment(f"tests-{subject.project.name}", (*_PYTEST, *subject.requirements))
        python = str(folder / "bin" / "python")
    with _copied(source) as root:
        # What is installed beside us is not the project's.
        quiet = {} if subject.requirements else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        searched = {"PYTHONPATH": str(root / subject.source)} if subject.source else {}
        yield Copy(root, python, subject.package, {**quiet, **searched})


@contextmanager
def checkout(source: Path, package: str, python: str) -> Iterator[Copy]:
    """A copy of a checkout of one's own, removed at the end; `python` has all that its tests need."""
    with _copied(source.resolve()) as root:
        yield Copy(root, python, package, {"PYTHONPATH": str((root / package).parent)})


@contextmanager
def _copied(source: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="gateline-affected-", ignore_cleanup_errors=True) as name:
        root = Path(name).resolve() / source.name
        shutil.copytree(source, root, symlinks=True)
        yield root
