"""Small projects with tests, and runners that must leave nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from runner_project import MakeRunner, RunnerProject


@pytest_asyncio.fixture
async def make(tmp_path: Path) -> AsyncIterator[MakeRunner]:
    """Makes projects; afterwards nothing may be left of their processes, files and folders."""
    made: list[RunnerProject] = []

    def one(files: dict[str, str], **options: object) -> RunnerProject:
        made.append(RunnerProject(tmp_path / f"project{len(made)}", files, options))
        return made[-1]

    yield one
    for project in made:
        await project.runner.stop()
        project.must_have_left_nothing()
