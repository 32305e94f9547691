"""Which interpreter is chosen: environments of each tool, the runner's, and what is passed over."""

from __future__ import annotations

import hashlib
import os
import sys
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from gateline.session.workspace.importable import can_import
from gateline.session.workspace.interpreter import OWN, find_interpreter, shown

pytestmark = pytest.mark.skipif(os.name == "nt", reason="environments as they lie on POSIX")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "my shop"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "My_Shop.App"\n')
    return folder


def environment(folder: Path, runner: bool = True, *, plain: bool = True) -> Path:
    """An environment with a program that must not be run, and perhaps with pytest."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    if plain:
        (folder / "pyvenv.cfg").write_text("home = /nowhere\n")
    site = folder / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    if runner:
        (site / "pytest").mkdir()
        (site / "pytest" / "__init__.py").touch()
    return python


def hashed(path: str, kind: str = "sha256", length: int = 32) -> str:
    digest = hashlib.new(kind, path.encode()).digest()[:length]
    return urlsafe_b64encode(digest).decode()[:8]


def add(root: Path, text: str) -> None:
    file = root / "pyproject.toml"
    file.write_text(f"{file.read_text()}\n{text}\n")


def poetry(root: Path, home: Path) -> Path:
    add(root, "[tool.poetry]\npackage-mode = false")
    folder = home / ".cache" / "pypoetry" / "virtualenvs"
    environment(folder / f"my-shop-app-{hashed(str(root))}-py3.9")
    return environment(folder / f"my-shop-app-{hashed(str(root))}-py3.12")


def chosen_by_poetry(root: Path, home: Path) -> Path:
    poetry(root, home)
    folder = home / ".cache" / "pypoetry" / "virtualenvs"
    name = f"my-shop-app-{hashed(str(root))}"
    (folder / "envs.toml").write_text(f'[{name}]\nminor = "3.9"\npatch = "3.9.1"\n')
    return folder / f"{name}-py3.9" / "bin" / "python"


def poetry_elsewhere(root: Path, home: Path) -> Path:
    (root / "poetry.lock").touch()
    config = home / ".config" / "pypoetry" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[virtualenvs]\npath = "~/envs"\n')
    return environment(home / "envs" / f"my-shop-app-{hashed(str(root))}-py3.11")


def hatch(root: Path, home: Path) -> Path:
    add(root, '[build-system]\nbuild-backend = "hatchling.build"')
    folder = home / ".local" / "share" / "hatch" / "env" / "virtual" / "my-shop-app" / hashed(str(root))
    environment(folder / "my-shop-app", runner=False)
    return environment(folder / "hatch-test.py3.11")


def pdm(root: Path, home: Path) -> Path:
    python = environment(home / "anywhere")
    (root / ".pdm-python").write_text(f"{python}\n")
    return python


def pdm_named(root: Path, home: Path) -> Path:
    add(root, "[tool.pdm]")
    name = f"{root.name}-{hashed(root.as_posix(), 'md5')}-3.11"
    return environment(home / ".local" / "share" / "pdm" / "venvs" / name)


def pipenv(root: Path, home: Path) -> Path:
    (root / "Pipfile").touch()
    name = f"my_shop-{hashed(str(root / 'Pipfile'), length=6)}"
    return environment(home / ".local" / "share" / "virtualenvs" / name)


def pipenv_named(root: Path, home: Path) -> Path:
    (root / "Pipfile").touch()
    (root / ".venv").write_text("shop\n")
    return environment(home / ".local" / "share" / "virtualenvs" / "shop")


def pyenv(root: Path, home: Path) -> Path:
    (root / ".python-version").write_text("# ours\n3.12\n")
    for version in ("3.12.9", "3.1.2", "3.13.1"):
        environment(home / ".pyenv" / "versions" / version, plain=False)
    python = environment(home / ".pyenv" / "versions" / "3.12.10", plain=False)
    (python.parents[1] / "lib" / "python3.11" / "site-packages" / "coverage.py").touch()
    return python


def pyenv_environment(root: Path, home: Path) -> Path:
    (root / ".python-version").write_text("shop\n")
    return environment(home / ".pyenv" / "versions" / "shop")


def above(root: Path, home: Path) -> Path:
    (root.parent / ".git").mkdir()
    return environment(root.parent / ".venv")


TOOLS = (
    poetry,
    chosen_by_poetry,
    poetry_elsewhere,
    hatch,
    pdm,
    pdm_named,
    pipenv,
    pipenv_named,
    pyenv,
    pyenv_environment,
    above,
)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
def test_the_environment_of_each_tool_is_found(
    root: Path, home: Path, tool: Callable[[Path, Path], Path]
) -> None:
    python = tool(root, home)
    found = find_interpreter(root, {"HOME": str(home), "PATH": "/nowhere"})
    assert found.path == str(python)
    assert found.has_runner


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
def test_that_of_another_project_is_not(
    root: Path, home: Path, tmp_path: Path, tool: Callable[[Path, Path], Path]
) -> None:
    tool(root, home)
    other = tmp_path / "elsewhere" / "other"
    other.mkdir(parents=True)
    (other / ".git").mkdir()
    (other / "pyproject.toml").write_text('[project]\nname = "My_Shop.App"\n[tool.poetry]\n[tool.pdm]\n')
    assert find_interpreter(other, {"HOME": str(home), "PATH": "/nowhere"}).origin == OWN


VARIABLES = ("UV_PROJECT_ENVIRONMENT", "VIRTUAL_ENV", "CONDA_PREFIX")


@pytest.mark.parametrize("variable", VARIABLES)
def test_variables_name_one(root: Path, home: Path, variable: str) -> None:
    python = environment(home / "env", plain=variable != "CONDA_PREFIX")
    found = find_interpreter(root, {"HOME": str(home), variable: str(home / "env")})
    assert (found.path, found.origin) == (str(python), variable)


def test_uv_counts_from_the_root(root: Path) -> None:
    python = environment(root / ".env" / "uv")
    assert find_interpreter(root, {"UV_PROJECT_ENVIRONMENT": ".env/uv"}).path == str(python)


@pytest.mark.parametrize("variable", VARIABLES)
def test_one_that_is_gone_is_passed_over_and_said(root: Path, home: Path, variable: str) -> None:
    python = environment(home / "bin-only", plain=False)
    (home / "bin-only" / "lib" / "python3.11" / "site-packages" / "coverage.py").touch()
    environ = {variable: str(home / "gone"), "PATH": str(python.parent)}
    found = find_interpreter(root, environ)
    assert (found.path, found.origin) == (str(python), "python on PATH")
    assert found.passed_over == (f"{variable}: there is no Python in it",)


def test_the_one_with_the_runner_wins_and_types_stay_with_the_project(root: Path, home: Path) -> None:
    plain = environment(root / ".venv", runner=False)
    python = environment(home / "env")
    found = find_interpreter(root, {"VIRTUAL_ENV": str(home / "env")})
    assert (found.path, found.of_packages) == (str(python), str(plain))
    assert found.why == "VIRTUAL_ENV; passed over: .venv in the project (.venv/bin/python): no pytest"


def test_without_any_runner_it_is_the_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = environment(root / ".venv", runner=False)
    monkeypatch.setattr(sys, "executable", "/nowhere/bin/python")
    found = find_interpreter(root, {"PATH": "/nowhere"})
    assert (found.path, found.has_runner, found.packages) == (str(plain), False, "")
    assert found.why == ".venv in the project, but it has no pytest"


def test_of_those_of_no_project_the_one_with_coverage_wins(root: Path, home: Path) -> None:
    bare = environment(home / "bare", plain=False)
    found = find_interpreter(root, {"PATH": str(bare.parent)})
    assert (found.origin, found.packages) == (OWN, "")
    assert found.passed_over == (f"python on PATH ({bare}): no coverage",)
    (home / "bare" / "lib" / "python3.11" / "site-packages" / "coverage.py").touch()
    assert find_interpreter(root, {"PATH": str(bare.parent)}).path == str(bare)


def test_that_of_the_project_wins_over_all_others(root: Path, home: Path) -> None:
    plain = environment(root / ".venv")
    pyenv(root, home)
    found = find_interpreter(root, {"HOME": str(home), "VIRTUAL_ENV": str(home / ".pyenv/versions/3.12.9")})
    assert (found.path, found.why) == (str(plain), ".venv in the project")


def test_what_a_person_said_is_taken_as_it_is(root: Path, home: Path) -> None:
    environment(root / ".venv")
    python = environment(home / "env", runner=False)
    for given in (str(python), str(home / "env"), "~/env"):
        found = find_interpreter(root, {"HOME": str(home)}, given, origin="said")
        assert (found.path, found.origin, found.has_runner) == (str(python), "said", False)


@pytest.mark.parametrize("tool", [pdm, pipenv_named], ids=lambda tool: tool.__name__)
def test_what_only_the_projects_files_name_is_not_taken_without_trust(
    root: Path, home: Path, tool: Callable[[Path, Path], Path]
) -> None:
    tool(root, home)
    assert find_interpreter(root, {"HOME": str(home), "PATH": ""}, trusted=False).origin == OWN


def test_pyenvs_programs_only_choose(root: Path, home: Path) -> None:
    shim = environment(home / ".pyenv" / "shims", plain=False)
    shims = home / ".pyenv" / "shims"
    (shims / "python3").write_text(shim.read_text())
    (shims / "python3").chmod(0o755)
    python = environment(home / ".pyenv" / "versions" / "3.11.7", plain=False)
    (home / ".pyenv" / "version").write_text("3.11.7\n")
    (python.parents[1] / "lib" / "python3.11" / "site-packages" / "coverage.py").touch()
    found = find_interpreter(root, {"HOME": str(home), "PATH": str(shims)})
    assert (found.path, found.origin) == (str(python), "python3 on PATH")


def test_packages_are_found_by_links_and_behind_an_environment(tmp_path: Path) -> None:
    base = environment(tmp_path / "base", plain=False)
    linked = tmp_path / "src"
    (linked / "pytest").mkdir(parents=True)
    (linked / "pytest" / "__init__.py").touch()
    by_link = environment(tmp_path / "linked", runner=False)
    (tmp_path / "linked" / "lib" / "python3.11" / "site-packages" / "x.pth").write_text(f"{linked}\n")
    behind = environment(tmp_path / "behind", runner=False)
    alone = environment(tmp_path / "alone", runner=False)
    for folder, shares in (("behind", "true"), ("alone", "false")):
        said = f"home = {base.parent}\ninclude-system-site-packages = {shares}\n"
        (tmp_path / folder / "pyvenv.cfg").write_text(said)
    can = [can_import(python, "pytest", {}) for python in (base, by_link, behind, alone)]
    assert can == [True, True, True, False]


def test_paths_are_shown_from_the_root_or_the_home(root: Path, home: Path) -> None:
    environ = {"HOME": str(home)}
    paths = (root / ".venv/bin/python", home / "env/bin/python", Path("/usr/bin/python3"))
    told = [shown(str(path), root, environ) for path in paths]
    assert told == [".venv/bin/python", "~/env/bin/python", "/usr/bin/python3"]
