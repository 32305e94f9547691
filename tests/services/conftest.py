"""Projects with type checkers that are ended, whatever a test did to them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from type_project import Make, TypeProject, far_sides


@pytest_asyncio.fixture
async def project(tmp_path: Path, standard_library: Path) -> AsyncIterator[Make]:
    """Makes checkers of one folder; with the same cache unless told otherwise."""
    folder, cache = tmp_path / "project", tmp_path / "cache"
    folder.mkdir()
    shutil.copytree(standard_library, cache)
    made: list[TypeProject] = []

    def make(cache: Path = cache, **options: object) -> TypeProject:
        made.append(TypeProject(folder, cache, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        await one.checker.stop()
    assert far_sides() == set(), "stopped, but still there"
