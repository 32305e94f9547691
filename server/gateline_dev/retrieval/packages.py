"""The projects whose tasks are used: pinned distributions, fetched by pip into the user's cache."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gateline_dev.bench.projects import PROJECTS, Project, fetch
from gateline_dev.retrieval.wheels import unpacked


@dataclass(frozen=True)
class Package:
    """A project, and the folders of it that are used."""

    project: Project
    folder: str = ""
    """Only this one; "" for all."""
    wheel: bool = False
    """Whether its wheel is used: it has no tests."""

    @property
    def name(self) -> str:
        """As the tables tell it."""
        return f"{self.project.name}/{self.folder}" if self.folder else self.project.name

    def root(self) -> Path:
        """The unpacked distribution. Raises UnavailableError without an index."""
        if self.wheel:
            return unpacked(f"{self.project.name}=={self.project.version}")
        return fetch(self.project) / self.folder


def _wheel(name: str, version: str) -> Package:
    return Package(Project(name, version, "", ""), wheel=True)


def _project(name: str, version: str, sha256: str) -> Project:
    return Project(name, version, sha256, "")


_KNOWN = {project.name: project for project in PROJECTS}
LEARNED = (
    Package(_KNOWN["rich"]),
    Package(
        _project("werkzeug", "3.1.9", "55ca7c70a75689be937aa27f8ff4b018f06ff4838fc73045560bf0f5a1291060")
    ),
    Package(_KNOWN["httpx"]),
    _wheel("aiohttp", "3.14.5"),
    _wheel("celery", "5.7.0"),
    _wheel("djangorestframework", "3.18.3"),
    _wheel("pyramid", "2.1"),
    _wheel("scrapy", "2.19.0"),
    _wheel("tornado", "6.6.1"),
)
"""What the weights are fitted on; no vectors were tuned there."""
UNSEEN = (
    Package(_KNOWN["django"], "django"),
    Package(_project("pytest", "9.2.0", "97c4f3b1f3c7414aa36465e09b8220f1d03627993bd51b1282e193753c80557b")),
    Package(
        _project("starlette", "1.10.0", "b8399098d4c1e3522734f7235dc79b1fc967f96cf139c81e0fa30479e0685f9b")
    ),
)
"""What they are tested on: nothing was fitted, tuned or chosen there."""
