"""The pinned projects (`projects.toml`), unpacked, and the environment of their tests."""

from __future__ import annotations

import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateline_dev.bench.environments import CACHE as BENCH
from gateline_dev.bench.environments import environment
from gateline_dev.bench.projects import Project, fetch

CACHE = BENCH.parent / "truth"
_PINS = Path(__file__).with_name("projects.toml")


@dataclass(frozen=True)
class Subject:
    """A project with its tests."""

    name: str
    package: str
    """The folder, or the one module, whose code is edited."""
    source: str = ""
    """The folder that modules are imported from, where that is not the root."""
    project: Project | None = None
    """Where it is fetched from; None: `folder` has it."""
    folder: Path | None = None
    leave_out: tuple[str, ...] = ()
    """Files that are not committed: their tests are slow, or need what a distribution lacks."""

    def unpacked(self) -> Path:
        """Its files as distributed. Raises UnavailableError without an index."""
        if self.folder is not None or self.project is None:
            return self.folder or Path()
        return fetch(self.project)


def subjects(pins: Path = _PINS) -> dict[str, Subject]:
    """All projects that a file pins, by name."""
    return {row["name"]: _subject(row) for row in _read(pins)["project"]}


def _subject(row: dict[str, Any]) -> Subject:
    return Subject(
        row["name"],
        row["package"],
        row.get("source", ""),
        Project(row["name"], row["version"], row["sha256"], row["package"]),
        leave_out=tuple(row.get("leave_out", ())),
    )


def _read(pins: Path) -> dict[str, Any]:
    return tomllib.loads(pins.read_text(encoding="utf-8"))


def requirements(pins: Path = _PINS) -> tuple[str, ...]:
    """What the tests of all these projects need, pinned."""
    return tuple(_read(pins)["requirements"])


def shared_environment(pins: Path = _PINS) -> Path:
    """One environment with the test requirements of all these projects. Raises UnavailableError."""
    return environment(pins.parent.name, requirements(pins))


def own_environment(folder: Path, source: Path, packages: Path) -> Path:
    """A virtual environment in which a project is installed as an editable one is; its interpreter.

    `packages` is the `site-packages` of what its tests need: it stands after the project.
    """
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, clear=True, with_pip=False, symlinks=True)
    (site_packages(folder) / "project.pth").write_text(f"{source}\n{packages}\n", encoding="utf-8")
    return python


def site_packages(environment: Path) -> Path:
    """Where a virtual environment keeps its packages."""
    (site,) = environment.glob("lib/python*/site-packages")
    return site
