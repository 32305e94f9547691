"""Whatever is chosen of a project's tests, the warm runner says what plain pytest says.

Each text in `warm/` is a small project; what stands below `edited/` are its unsaved texts.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from cold_forks import QUIET, ColdForks
from runner_project import MakeRunner, RunnerProject

from gateline_dev.runner import warm
from gateline_dev.runner.compare import differing
from gateline_dev.runner.subsets import subset
from support import text_cases

pytestmark = [pytest.mark.deep, pytest.mark.timeout(60)]

FILES = sorted((Path(__file__).parent / "warm").glob("*.txt"))
SUBSETS = 3
"""All tests, and two parts of them."""


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ColdForks]:
    forks = ColdForks(tmp_path_factory.mktemp("cold"))
    yield forks
    forks.close()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_any_tests_in_any_order(make: MakeRunner, cold: ColdForks, tmp_path: Path, file: Path) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    edited = case.under("edited")
    saved = {f.name: f.text for f in case.files if not f.name.startswith("edited/")}
    project = make(saved, environment=QUIET)
    for number, overlay in enumerate([{}, edited] if edited else [{}]):
        copy = tmp_path / f"cold{number}" / project.root.name
        await _compare(project, cold, copy, overlay, Random(f"{file.stem} {number}"))


async def _compare(
    project: RunnerProject, cold: ColdForks, copy: Path, overlay: dict[str, str], dice: Random
) -> None:
    await project.runner.discover(overlay)
    project.temporary = project.runner._private
    assert project.runner.collection is not None
    ids = list(dict.fromkeys(item.id for item in project.runner.collection.items))
    for number in range(SUBSETS):
        wanted = subset(number, ids, dice)
        shown, unsaid = await warm.run(project.runner, wanted, overlay)
        # Cold runs leave behind what they write.
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(project.root, copy)
        for path, text in overlay.items():
            (copy / path).write_text(text, encoding="utf-8")
        truth = cold.run(copy, sorted(wanted, key=ids.index) if number else ())
        wrong = {test: (shown.get(test), truth.get(test)) for test in differing(shown, truth)}
        assert (wrong, unsaid) == ({}, ""), f"warm and cold of {len(wanted)} tests"
