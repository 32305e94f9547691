"""What many tests need: a repository that knows nothing of the machine it is on."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from type_project import TypeProject, Warm

from gateline.session.types.setup import types_cache
from support.forked import forked_children
from support.repositories import Repository

# The same examples every time; and none is too slow because others use the machine, too.
settings.register_profile(
    "anywhere", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("anywhere")


@pytest.fixture(scope="session", autouse=True)
def own_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is written where the person keeps things, and no environment that is active here takes part."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        # A socket's name is short; the folders of tests are not.
        with TemporaryDirectory(prefix="gl-") as run:
            patch.setenv("XDG_RUNTIME_DIR", run)
            for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CI"):
                patch.delenv(name, raising=False)
            yield


@pytest.fixture(scope="session")
def standard_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What mypy remembers of the standard library. It looks itself whether that still holds."""
    run = tmp_path_factory.getbasetemp()
    # Of the processes that run tests beside this one the first makes it for all.
    base = (run.parent if "PYTEST_XDIST_WORKER" in os.environ else run) / "standard-library"
    base.mkdir(exist_ok=True)
    with (base / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / "made").exists():
            _typed_once(base)
            (base / "made").touch()
    return base / "cache"


def _typed_once(base: Path) -> None:
    (base / "project").mkdir()
    project = TypeProject(base / "project", base / "cache")

    async def fill() -> None:
        try:
            await project.type({"first.py": "import os, pickle, subprocess\n"})
        finally:
            await project.checker.stop()

    # In a thread of its own: who asks may be in a loop already.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, fill()).result()
    assert project.errors("first.py") == []


@pytest.fixture(scope="session")
def warm(standard_library: Path) -> Warm:
    """Spares the first check of a folder the standard library."""

    def copy(root: Path) -> None:
        shutil.copytree(standard_library, types_cache(root, sys.executable))

    return copy


@pytest.fixture
def without_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spares the type checker's start where nothing of it is looked at, and decides without it."""
    monkeypatch.setenv("GATELINE_TYPES__ENABLED", "false")
    monkeypatch.setenv("GATELINE_GATES__EVIDENCE", "0")


@pytest.fixture
def forked() -> Iterator[None]:
    """Spares the children of gateline an interpreter's start, where that is not what is tested."""
    with forked_children():
        yield


@pytest.fixture
def quiet_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No configuration of the person or the machine takes part."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp()))


@pytest.fixture
def repository(tmp_path: Path, quiet_git: None) -> Repository:
    """An empty repository whose branch is called main."""
    folder = tmp_path / "project"
    folder.mkdir()
    made = Repository(folder)
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update tests/cases` writes what was found into the text cases."""
    parser.addoption("--update", action="store_true", help="write what was found into the text cases")
