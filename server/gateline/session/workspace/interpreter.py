"""Which Python the project's code belongs to: chosen from files; nothing is run to find it.

What a person said is taken as it is. Else the candidates are, in this order: uv's `UV_PROJECT_ENVIRONMENT`,
`.venv` and `venv` in the root, then above it in the same repository; `VIRTUAL_ENV`, conda's; the environments
of poetry, pdm, hatch and pipenv outside of the folder; pyenv's `.python-version`; `python3` or `python` on
PATH; gateline's own. The first that can import the test runner is chosen, and the first where none can; of
those that belong to no project, the first that has coverage as well.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gateline.session.workspace import environments
from gateline.session.workspace.environments import Project
from gateline.session.workspace.importable import can_import

RUNNER = "pytest"
COVERAGE = "coverage"
OWN = "gateline's own"
_WINDOWS = ("Scripts/python.exe", "python.exe", "bin/python.exe")
_PROGRAMS = _WINDOWS if os.name == "nt" else ("bin/python", "bin/python3")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python executable and why it was chosen."""

    path: str
    origin: str
    has_runner: bool = True
    """Whether it can import pytest, as its files say."""
    passed_over: tuple[str, ...] = ()
    """Those before it, each with the reason."""
    packages: str = ""
    """The one whose packages types are told by, where that is another: the project's, without a runner."""

    @property
    def why(self) -> str:
        """Why it was chosen, and what was passed over."""
        missing = "" if self.has_runner else f", but it has no {RUNNER}"
        over = f"; passed over: {', '.join(self.passed_over)}" if self.passed_over else ""
        return f"{self.origin}{missing}{over}"

    @property
    def of_packages(self) -> str:
        """The interpreter whose packages types are told by."""
        return self.packages or self.path


@dataclass(frozen=True, slots=True)
class _Candidate:
    python: Path
    origin: str
    is_environment: bool = True
    """It belongs to a project or was activated; else it is whatever the machine has."""


def find_interpreter(
    root: Path,
    environ: Mapping[str, str],
    given: str | None = None,
    *,
    origin: str = "given by the client",
    trusted: bool = True,
) -> Interpreter:
    """The interpreter for the project in `root`, and what was passed over. Blocks.

    `given` is a program, or the folder of an environment. Where the project is not `trusted`, no interpreter
    is taken that only its files name.
    """
    if given:
        python = _given(root, environ, given)
        return Interpreter(python, origin, can_import(Path(python), RUNNER, environ))
    notes: list[str] = []
    found = _distinct(_candidates(Project(root, environ, trusted), notes))
    able = [one for one in found if can_import(one.python, RUNNER, environ)]
    chosen = _best(able, environ) if able else found[0]
    for one in found[: found.index(chosen)]:
        lacks = COVERAGE if one in able else RUNNER
        notes.append(f"{one.origin} ({shown(str(one.python), root, environ)}): no {lacks}")
    packages = "" if chosen is found[0] or not found[0].is_environment else str(found[0].python)
    return Interpreter(str(chosen.python), chosen.origin, bool(able), tuple(notes), packages)


def _best(able: list[_Candidate], environ: Mapping[str, str]) -> _Candidate:
    """The first; of those that belong to no project, the first that can measure coverage, too."""
    if able[0].is_environment:
        return able[0]
    own = [one for one in able if one.is_environment]
    return next((one for one in (*own, *able) if can_import(one.python, COVERAGE, environ)), able[0])


def shown(path: str, root: Path, environ: Mapping[str, str] = os.environ) -> str:
    """A path for people: from the root or the home folder, where it lies there."""
    for folder, mark in ((root, ""), (root.resolve(), ""), (Project(root, environ).person, "~/")):
        try:
            return mark + Path(path).relative_to(folder).as_posix()
        except ValueError:
            continue
    return path


def _given(root: Path, environ: Mapping[str, str], given: str) -> str:
    path = Project(root, environ).expanded(given)
    if path.is_dir() and (python := _python(path)) is not None:
        return str(python)
    if path.exists() or "/" in given or os.sep in given:
        return str(path)
    return shutil.which(given, path=environ.get("PATH")) or given


_TOOLS = {
    "poetry": environments.of_poetry,
    "pdm": environments.of_pdm,
    "hatch": environments.of_hatch,
    "pipenv": environments.of_pipenv,
}


def _candidates(project: Project, notes: list[str]) -> Iterator[_Candidate]:
    yield from _of_folders(project, notes)
    yield from _activated(project, notes)
    for tool, search in _TOOLS.items():
        for place in search(project):
            python = place if place.is_file() and os.access(place, os.X_OK) else _python(place)
            if python is not None:
                yield _Candidate(python, f"{tool}'s environment")
    for place in environments.of_pyenv(project):
        if (python := _python(place)) is not None:
            yield _Candidate(python, f"pyenv's {place.name}", (place / "pyvenv.cfg").is_file())
    yield from _of_machine(project)


def _of_folders(project: Project, notes: list[str]) -> Iterator[_Candidate]:
    """The environments that lie in the project, or that uv is told to use in their place."""
    if said := project.environ.get("UV_PROJECT_ENVIRONMENT"):
        yield from _or_note(project.expanded(said), "UV_PROJECT_ENVIRONMENT", notes)
    for name in (".venv", "venv"):
        folder = project.root / name
        if (folder / "pyvenv.cfg").is_file():
            yield from _or_note(folder, f"{name} in the project", notes)
    for above in _above(project.root):
        folder = above / ".venv"
        if (folder / "pyvenv.cfg").is_file():
            yield from _or_note(folder, f".venv in {above.name}, above the project", notes)


def _above(root: Path) -> Iterator[Path]:
    """The folders around the root within its repository; none where there is no repository."""
    chain = (root, *root.parents)
    top = next((number for number, folder in enumerate(chain) if (folder / ".git").exists()), 0)
    yield from chain[1 : top + 1]


def _activated(project: Project, notes: list[str]) -> Iterator[_Candidate]:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if said := project.environ.get(variable):
            yield from _or_note(Path(said), variable, notes)


def _or_note(folder: Path, origin: str, notes: list[str]) -> Iterator[_Candidate]:
    python = _python(folder)
    if python is None:
        notes.append(f"{origin}: there is no Python in it")
    else:
        yield _Candidate(python, origin)


def _of_machine(project: Project) -> Iterator[_Candidate]:
    """What the shell would run, and gateline's own."""
    own = Path(sys.prefix)
    for name in ("python3", "python"):
        found = _on_path(name, project)
        if found is not None and found.parent.parent not in (own, own.resolve()):
            yield _Candidate(found, f"{name} on PATH", is_environment=False)
    yield _Candidate(Path(sys.executable), OWN, is_environment=False)


def _on_path(name: str, project: Project) -> Path | None:
    """The first of that name on PATH; of pyenv's programs, which only choose, what they would choose."""
    shims = project.home("PYENV_ROOT", ".pyenv") / "shims"
    for folder in project.environ.get("PATH", "").split(os.pathsep):
        if folder and Path(folder) == shims:
            chosen = (*environments.of_pyenv(project), *environments.of_shims(project))
            found = next((python for place in chosen if (python := _python(place)) is not None), None)
        else:
            named = shutil.which(name, path=folder) if folder else None
            found = Path(named) if named else None
        if found is not None:
            return found
    return None


def _distinct(found: Iterator[_Candidate]) -> list[_Candidate]:
    """Each once, by its first reason."""
    by_python: dict[Path, _Candidate] = {}
    for candidate in found:
        by_python.setdefault(candidate.python, candidate)
    return list(by_python.values())


def _python(folder: Path) -> Path | None:
    """The program in an environment; None where there is none that runs."""
    for name in _PROGRAMS:
        python = folder / name
        # A link to a Python that is gone is none.
        if python.is_file() and os.access(python, os.X_OK):
            return python
    return None
