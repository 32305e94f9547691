"""The real projects that servers are measured on: pinned source distributions, fetched by pip."""

from __future__ import annotations

import shutil
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from gateline_dev.bench.environments import CACHE, pip

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Project:
    """A source distribution and the file in it that is edited."""

    name: str
    version: str
    sha256: str
    target: str
    files: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Written into each copy: what the distribution leaves out."""
    short: str | None = None
    """A file of about 500 lines, for whole evaluations."""


PROJECTS = (
    Project(
        "httpx",
        "0.28.1",
        "75e98c5f16b0f35b567856f597f06ff2270a374470a5c2392242528e3e3e42fc",
        "httpx/_client.py",
        short="httpx/_main.py",
    ),
    Project(
        "rich",
        "15.0.0",
        "edd07a4824c6b40189fb7ac9bc4c52536e9780fbbfbddf6f1e2502c31b068c36",
        "rich/console.py",
    ),
    Project(
        "django",
        "5.2.19",
        "ad03d8abc51dbff95ebf34b27123cf0c26a3b62db7ba0cd520783686362533d1",
        "django/db/models/query.py",
        # Nearly nothing in it is annotated, and mypy skips what is not unless told otherwise.
        {"mypy.ini": "[mypy]\ncheck_untyped_defs = True\n"},
    ),
)

DEPENDENCIES = (
    "anyio==4.11.0",
    "asgiref==3.10.0",
    "certifi==2025.10.5",
    "click==8.3.0",
    "h2==4.3.0",
    "httpcore==1.0.9",
    "idna==3.11",
    "markdown-it-py==4.0.0",
    "pygments==2.19.2",
    "sqlparse==0.5.3",
)
"""What the projects import; every server is pointed to one environment with these."""


BLACK = Project(
    "black",
    "26.10.1",
    "5f9f83beae62437e060dafd53d7f1fc327e3d3494f74d72ee5c2b73eb90fc4e7",
    "src/black/linegen.py",
)
BLACK_DEPENDENCIES = (
    "mypy-extensions==1.1.0",
    "packaging==25.0",
    "pathspec==1.0.4",
    "platformdirs==4.5.0",
    "pytokens==0.4.1",
)
"""What it imports beside `DEPENDENCIES`."""


def fetch(project: Project) -> Path:
    """The unpacked project, downloaded at the first time. Raises UnavailableError without an index."""
    folder = CACHE / "projects" / f"{project.name}-{project.version}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=folder.parent))
        # Whole or not at all: an interrupted run leaves nothing that looks finished.
        try:
            _unpack(_download(project), making)
            making.rename(folder)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    return folder


def _download(project: Project) -> Path:
    folder = CACHE / "downloads"
    folder.mkdir(parents=True, exist_ok=True)
    wish = folder / f"{project.name}.txt"
    wish.write_text(f"{project.name}=={project.version} --hash=sha256:{project.sha256}\n", encoding="utf-8")
    # Only this one must be a source distribution: what builds its metadata may come as wheels.
    choice = ["--no-deps", "--no-binary", project.name, "--require-hashes", "--requirement", str(wish)]
    pip(sys.executable, "download", *choice, "--dest", str(folder))
    return folder / f"{project.name}-{project.version}.tar.gz"


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        for member in tar:
            _, _, inside = member.name.partition("/")
            if inside:
                tar.extract(member.replace(name=inside), folder, filter="data")
