"""The project's own lint command and its build: what fails with a candidate and not at the base blocks it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gateline.cli.compare import compare
from gateline.services.isolation.enclosure import Enclosure, of_interpreter, strongest
from gateline.services.isolation.finished import UnfinishedError, finished
from gateline.services.project_checks import backend
from gateline.services.project_checks.checks import Outcome, Place
from gateline.session.compare.project_checks import Checked, all_ended
from support.repositories import Repository

pytestmark = pytest.mark.timeout(300)
BACKEND = """\
import ast
import pathlib


def build_wheel(folder, config_settings=None, metadata_directory=None):
    for file in pathlib.Path().glob("*.py"):
        assert "forbidden" not in file.read_text() or file.name == "backend.py", f"{file}: forbidden"
    pathlib.Path("left_behind.py").write_text("")
    pathlib.Path(folder, "made.whl").write_bytes(b"")
    return "made.whl"
"""
BUILD = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
SETTINGS = "[tool.gateline.types]\nenabled = false\n"
LINT = '[tool.gateline.compare]\nlint = ["python", "linter.py"]\n'
LINTER = """\
import pathlib, sys

bad = [file for file in sorted(pathlib.Path().glob("*.py")) if "shouting" in file.read_text()]
bad = [file for file in bad if file.name != "linter.py"]
for file in bad:
    print(f"{file}:1: do not shout")
sys.exit(len(bad))
"""
BASE = {
    "pyproject.toml": SETTINGS + LINT + BUILD,
    "backend.py": BACKEND,
    "linter.py": LINTER,
    "half.py": "def half(value):\n    raise NotImplementedError\n",
    "test_half.py": "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
}
RIGHT = "def half(value):\n    return value / 2\n"


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository.folder)
    return repository


def told(project: Repository, base: Mapping[str, str], *words: str, **texts: str) -> Mapping[str, Any]:
    project.commit("base", **base)
    for name, text in texts.items():
        project.git("checkout", "-q", "-b", name, "main")
        project.commit(name, **{"half.py": text})
    project.git("checkout", "-q", "main")
    done = CliRunner().invoke(compare, [*texts, *words, "--python", sys.executable, "--output", "json"])
    assert done.exit_code in (0, 1, 3), done.output
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


def blocked(found: Mapping[str, Any]) -> Mapping[str, list[tuple[str, str]]]:
    rows = found["ranking"]["rows"]
    return {row["name"]: [(one["check"], one["reason"]) for one in row["blocked"]] for row in rows}


@pytest.mark.deep
def test_what_fails_the_projects_own_checks_is_blocked_and_its_tests_are_skipped(
    project: Repository,
) -> None:
    texts = {"right": RIGHT, "loud": f"# shouting\n{RIGHT}", "unbuilt": f"# forbidden\n{RIGHT}"}
    found = told(project, BASE, **texts)
    assert found["ranking"]["winner"] == "right"
    assert blocked(found) == {
        "right": [],
        "loud": [("lint", "`python linter.py` ends with 1: half.py:1: do not shout")],
        "unbuilt": [("build", "AssertionError: half.py: forbidden")],
    }
    correctness = found["ranking"]["rows"][0]["categories"][0]
    assert {"lint", "build"} <= set(correctness["measured"])
    assert not any("not measured" in note for note in found["notes"])


@pytest.mark.deep
def test_what_the_base_fails_blocks_nobody_and_is_said(project: Repository) -> None:
    base = {**BASE, "other.py": "# shouting, and forbidden\n"}
    found = told(project, base, right=RIGHT, other=RIGHT.replace("2", "2.0"))
    assert blocked(found) == {"right": [], "other": []}
    assert found["notes"][:2] == [
        "lint was not measured: it fails at the base: `python linter.py` ends with 1",
        "build was not measured: it fails at the base: AssertionError: other.py: forbidden",
    ]
    assert "build" in found["ranking"]["rows"][0]["categories"][0]["missing"]


@pytest.mark.deep
def test_nothing_is_run_where_nothing_is_to_be_run(project: Repository) -> None:
    found = told(project, BASE, "--tests", "none", right=RIGHT, loud=f"# shouting\n{RIGHT}")
    assert blocked(found) == {"right": [], "loud": []}
    assert any("the build, and a lint command" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("files", "passed", "reason"),
    [
        ({}, None, "the project names no build backend"),
        ({"pyproject.toml": "[project"}, False, "pyproject.toml cannot be read"),
        (
            {"pyproject.toml": "build-system = 3"},
            False,
            "build-system of pyproject.toml has no valid build-backend",
        ),
        ({"pyproject.toml": "[build-system]\nbuild-backend = 3"}, False, "has no valid build-backend"),
        (
            {"pyproject.toml": BUILD.replace('["."]', '"."')},
            False,
            "backend-path of pyproject.toml is not a list",
        ),
        ({"pyproject.toml": '[build-system]\nbuild-backend = "not_there.api"'}, None, "not_there.api is not"),
        ({"pyproject.toml": BUILD}, False, "ModuleNotFoundError: No module named 'backend'"),
        ({"pyproject.toml": BUILD, "backend.py": "import not_there"}, False, "named 'not_there'"),
        ({"pyproject.toml": BUILD, "backend.py": "x = 1"}, False, "has no attribute 'build_wheel'"),
        ({"pyproject.toml": BUILD, "backend.py": "import os; os._exit(3)"}, False, "ends with 3 and says"),
        (
            {"pyproject.toml": BUILD, "backend.py": 'def build_wheel(folder):\n    return "a.whl"'},
            False,
            "no wheel was written",
        ),
        ({"pyproject.toml": BUILD, "backend.py": BACKEND}, True, ""),
    ],
)
async def test_builds(tmp_path: Path, files: Mapping[str, str], passed: bool | None, reason: str) -> None:
    place = made(tmp_path, files)
    found = await place.build()
    assert found.passed is passed, found
    assert reason in found.reason
    assert str(tmp_path) not in found.reason


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("python", "-c", "raise SystemExit(0)"), Outcome(True)),
        (
            ("python", "-c", "raise SystemExit(2)"),
            Outcome(False, "`python -c raise SystemExit(2)` ends with 2"),
        ),
        (("not-there",), Outcome(None, f"not-there is neither beside {sys.executable} nor in PATH")),
    ],
)
async def test_lint_commands(tmp_path: Path, words: tuple[str, ...], expected: Outcome) -> None:
    assert await made(tmp_path, {}).lint(words, ()) == expected


async def test_a_check_that_does_not_end_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateline.services.project_checks.checks.LINT_SECONDS", 1.0)
    words = ("python", "-c", "import time; time.sleep(600)")
    found = await made(tmp_path, {}).lint(words, ())
    assert found == Outcome(None, f"`{' '.join(words)}` did not end within 1 s", is_unfinished=True)


async def test_a_check_that_writes_without_end_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateline.services.isolation.finished._MOST_BYTES", 1_000_000)
    words = ("python", "-c", "while True: print('x' * 1000)")
    found = await made(tmp_path, {}).lint(words, ())
    assert found == Outcome(None, f"`{' '.join(words)}` wrote more than 1 MB", is_unfinished=True)


@pytest.mark.parametrize(
    ("found", "is_whole"),
    [
        (Checked(Outcome(None, "the project names no build backend")), True),
        (Checked(Outcome(False, "a.py: forbidden"), Outcome(True)), True),
        (Checked(Outcome(None, "it did not end within 120 s", is_unfinished=True)), False),
        (Checked(Outcome(True), Outcome(None, "`lint` did not end", is_unfinished=True)), False),
    ],
)
def test_what_came_late_is_told_from_what_cannot_be_measured(found: Checked, is_whole: bool) -> None:
    passed = Checked(Outcome(True), Outcome(True))
    assert all_ended(passed, {"good": found}) is all_ended(found, {"good": passed}) is is_whole


async def test_a_program_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    with pytest.raises(UnfinishedError, match="could not be started: No such file or directory"):
        await finished(("/not/there",), tmp_path, 1.0)


def made(folder: Path, files: Mapping[str, str]) -> Place:
    root, home = folder / "tree", folder / "home"
    root.mkdir()
    home.mkdir()
    for name, text in files.items():
        (root / name).write_text(text)
    readable = (Path(backend.__file__).parent, *of_interpreter(Path(sys.executable)))
    enclosure = Enclosure(strongest()).granting(readable=readable, writable=(root,))
    return Place(root, home, sys.executable, enclosure)
