"""Which Python a project runs on, told without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.model.newer_syntax import OWN
from gateline.session.workspace.interpreter import Interpreter
from gateline.session.workspace.python_version import newest_python

SAID = {
    "nothing": ("pyproject.toml", "", 0),
    "at least": ("pyproject.toml", '[project]\nrequires-python = ">=3.41"\n', 41),
    "a range": ("pyproject.toml", '[project]\nrequires-python = ">=3.41.2, <3.50"\n', 41),
    "a series": ("pyproject.toml", '[project]\nrequires-python = "==3.41.*"\n', 41),
    "at most": ("pyproject.toml", '[project]\nrequires-python = "<3.41"\n', 0),
    "poetry": ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.41 || ^3.45"\n', 41),
    "mypy": ("pyproject.toml", '[tool.mypy]\npython_version = "3.41"\n', 41),
    "mypy.ini": ("mypy.ini", "[mypy]\npython_version = 3.41\n", 41),
    "ruff": ("pyproject.toml", '[tool.ruff]\ntarget-version = "py341"\n', 41),
    "ruff.toml": ("ruff.toml", 'target-version = "py341"\n', 41),
    "setuptools": ("setup.cfg", "[options]\npython_requires = >=3.41\n", 41),
    "pyenv": (".python-version", "3.41.7\n", 41),
    "an older one": ("pyproject.toml", '[project]\nrequires-python = ">=3.8"\n', 0),
    "broken": ("pyproject.toml", "[project\n", 0),
}


@pytest.mark.parametrize(("name", "text", "minor"), SAID.values(), ids=SAID)
def test_the_newest_that_files_demand(tmp_path: Path, name: str, text: str, minor: int) -> None:
    (tmp_path / name).write_text(text)
    assert newest_python(tmp_path, Interpreter("/no/such/python", "")) == max(OWN, (3, minor))


@pytest.mark.parametrize("line", ["version = 3.41.1", "version_info = 3.41.1.final.0"])
def test_the_version_of_an_environment(tmp_path: Path, line: str) -> None:
    (tmp_path / "pyvenv.cfg").write_text(f"home = /usr/bin\n{line}\n")
    assert newest_python(tmp_path, Interpreter(str(tmp_path / "bin/python"), "")) == (3, 41)


def test_a_program_that_is_called_as_its_version_is(tmp_path: Path) -> None:
    assert newest_python(tmp_path, Interpreter("/opt/bin/python3.41", "")) == (3, 41)
