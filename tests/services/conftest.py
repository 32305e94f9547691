"""Projects with type checkers that are ended, whatever a test did to them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from type_project import Make, TypeProject, far_sides


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def primed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What mypy remembers of the standard library. It looks itself whether that still holds."""
    base = tmp_path_factory.mktemp("primed")
    (base / "project").mkdir()
    project = TypeProject(base / "project", base / "cache")
    try:
        await project.type({"first.py": "import os\n"})
    finally:
        await project.checker.stop()
    assert project.errors("first.py") == []
    return base / "cache"


@pytest_asyncio.fixture
async def project(tmp_path: Path, primed: Path) -> AsyncIterator[Make]:
    """Makes checkers of one folder; with the same cache unless told otherwise."""
    folder, cache = tmp_path / "project", tmp_path / "cache"
    folder.mkdir()
    shutil.copytree(primed, cache)
    made: list[TypeProject] = []

    def make(cache: Path = cache, **options: object) -> TypeProject:
        made.append(TypeProject(folder, cache, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        await one.checker.stop()
    assert far_sides() == set(), "stopped, but still there"
