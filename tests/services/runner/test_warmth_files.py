"""Files that come, go or change around a collected state, and that it must not miss."""

from __future__ import annotations

import pytest
from runner_project import MakeRunner

pytestmark = pytest.mark.timeout(120)

CHANGES = [
    ("test_new.py", "def test_new(): pass\n", "test_new.py::test_new"),
    ("conftest.py", "import pytest\n\n@pytest.fixture\ndef added(): return 1\n", ""),
    ("pytest.ini", "[pytest]\npython_functions = check_*\n", ""),
    ("helper.py", "VALUE = 1\n", ""),
]


@pytest.mark.parametrize(("path", "text", "test"), CHANGES)
async def test_new_files_are_found(make: MakeRunner, path: str, text: str, test: str) -> None:
    project = make({"test_it.py": "def test_it(): pass\n\ndef check_it(): pass\n"})
    assert await project.endings() == {"test_it.py::test_it": "passed"}
    unsaved = await project.answer(overlay={path: text})
    project.write({path: text})
    saved = await project.answer()
    for run in (unsaved, saved):
        assert run.recollected != ""
        names = {result.id for result in run.results}
        assert names == (
            {"test_it.py::check_it"} if path == "pytest.ini" else {"test_it.py::test_it", test} - {""}
        )


async def test_a_file_that_was_read_at_import_counts(make: MakeRunner) -> None:
    project = make(
        {
            "cases.json": "[1]",
            "test_it.py": """
                import json, pathlib, pytest

                CASES = json.loads(pathlib.Path(__file__).with_name("cases.json").read_text())

                @pytest.mark.parametrize("n", CASES)
                def test_it(n): pass
            """,
        }
    )
    assert len(await project.endings()) == 1
    assert len(await project.endings(overlay={"cases.json": "[1, 2]"})) == 2
    project.write({"cases.json": "[1, 2, 3]"})
    assert len(await project.endings()) == 3


async def test_a_deleted_module_is_missed(make: MakeRunner) -> None:
    project = make({"lib.py": "X = 1\n", "test_it.py": "def test_it():\n    import lib\n"})
    assert await project.endings() == {"test_it.py::test_it": "passed"}
    (project.root / "lib.py").unlink()
    project.before = project.state()
    assert await project.endings() == {"test_it.py::test_it": "failed"}


async def test_a_module_that_only_a_test_imports_is_fresh_in_each_run(make: MakeRunner) -> None:
    project = make(
        {"late.py": "X = 1\n", "test_it.py": "def test_it():\n    import late\n    assert late.X == 1\n"}
    )
    assert await project.endings() == {"test_it.py::test_it": "passed"}
    run = await project.answer(overlay={"late.py": "X = 2\n"})
    assert (run.recollected, run.results[0].ending) == ("", "failed")


async def test_a_file_can_be_taken_for_absent(make: MakeRunner) -> None:
    """As at the base of a change, where what the change adds is not there."""
    project = make(
        {
            "lib.py": "X = 1\n",
            "test_it.py": "import lib\ndef test_it(): pass\n",
            "test_new.py": "def test_new(): pass\n",
        }
    )
    assert len(await project.endings()) == 2
    run = await project.answer(overlay={"test_new.py": None})
    assert [result.id for result in run.results] == ["test_it.py::test_it"]
    run = await project.answer(overlay={"lib.py": None})
    assert [result.id for result in run.results] == ["test_new.py::test_new"]
    assert project.runner.collection is not None
    assert "No module named 'lib'" in project.runner.collection.errors[0].failure.explanation
    assert len(await project.endings()) == 2
