"""Which interpreters do not run in a workspace that is not trusted, and what answers in their place."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from mypy import pyinfo

from gateline.session.workspace.untrusted_interpreter import is_inside, stand_in


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for place in (root / ".venv/bin", tmp_path / "outside/bin"):
        place.mkdir(parents=True)
        (place / "python").symlink_to(sys.executable)
    (tmp_path / "link").symlink_to(root / ".venv")
    (root / "own").symlink_to(tmp_path / "outside")
    (root / "half/").mkdir()
    (root / "half/bin").symlink_to(tmp_path / "outside/bin")
    return root


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("project/.venv/bin/python", True),
        ("project/nowhere/bin/python", True),
        ("project/own/bin/python", True),
        ("project/half/bin/python", True),
        ("project/../project/.venv/bin/python", True),
        ("link/bin/python", True),
        ("outside/bin/python", False),
        ("projects/bin/python", False),
    ],
)
def test_a_program_lies_where_any_of_its_names_is(
    tmp_path: Path, root: Path, path: str, inside: bool
) -> None:
    assert is_inside(tmp_path / path, root) is inside


def test_a_workspace_behind_a_link_is_the_same(tmp_path: Path, root: Path) -> None:
    (tmp_path / "other").symlink_to(root)
    assert is_inside(root / ".venv/bin/python", tmp_path / "other")


def test_interpreters_elsewhere_stay(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    for python in (sys.executable, str(tmp_path / "outside/bin/python"), Path(sys.executable).name):
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        assert stand_in(python, root, tmp_path / "cache") == python
    assert not (tmp_path / "cache").exists()


def test_a_name_that_is_found_in_the_workspace_is_replaced(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(root / ".venv/bin"))
    assert Path(stand_in("python", root, tmp_path / "cache")).is_relative_to(tmp_path / "cache")


def search_dirs(python: str) -> tuple[list[str], list[str]]:
    """As mypy asks for them."""
    command = [python, pyinfo.__file__, "getsearchdirs"]
    environ = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | {"PYTHONSAFEPATH": "1"}
    found: tuple[list[str], list[str]] = ast.literal_eval(
        subprocess.check_output(command, env=environ).decode()
    )
    return found


@pytest.mark.parametrize("name", [".venv", "env 'ü'"])
def test_it_answers_as_the_environment_would(tmp_path: Path, name: str) -> None:
    root = tmp_path / "project"
    venv.create(root / name, symlinks=True)
    (site,) = (root / name).glob("lib/python*/site-packages")
    (root / "src").mkdir()
    (site / "editable.pth").write_text(f"# ours\n\n{root / 'src'}\nimport os; os.environ['RAN'] = 'yes'\n")
    python = str(root / name / "bin/python")
    answered = search_dirs(stand_in(python, root, tmp_path / "cache"))
    assert answered == search_dirs(python)
    assert str(root / "src") in answered[0]


def test_it_follows_the_environment_each_time(tmp_path: Path, root: Path) -> None:
    python = str(root / ".venv/bin/python")
    first = stand_in(python, root, tmp_path / "cache")
    assert search_dirs(first) == ([], [])
    (root / ".venv/lib/python3.12/site-packages").mkdir(parents=True)
    assert stand_in(python, root, tmp_path / "cache") == first
    assert search_dirs(first)[1] == [str(root / ".venv/lib/python3.12/site-packages")]


def test_without_a_place_for_it_our_own_answers(
    tmp_path: Path, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").touch()
    assert stand_in(str(root / ".venv/bin/python"), root, tmp_path / "cache") == sys.executable
    assert ".venv/bin/python are unknown" in caplog.text


def test_it_is_written_only_where_it_says_something_else(tmp_path: Path, root: Path) -> None:
    python = str(root / ".venv/bin/python")
    made = Path(stand_in(python, root, tmp_path / "cache"))
    whole, at = made.read_bytes(), made.stat().st_mtime_ns
    assert Path(stand_in(python, root, tmp_path / "cache")).stat().st_mtime_ns == at
    made.write_bytes(b"\xff damaged")
    stand_in(python, root, tmp_path / "cache")
    assert made.read_bytes() == whole
