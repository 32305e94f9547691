"""Where tools keep the environments of a project: told from files, as each tool names its folders.

Nothing is run. Each tool is asked only where the project has its marks: a table in `pyproject.toml`, a lock
file. `docs/decisions/0015-marks-and-interpreters.md` says by which versions this was tried.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

_PATH_OF_PDM = ".pdm-python"
_VERSION = re.compile(r"-py(\d+)\.(\d+)$")
_NOT_NORMAL = re.compile(r"[-_.]+")


@dataclass(frozen=True)
class Project:
    """A folder, what its files say of tools, and the variables that those read."""

    root: Path
    environ: Mapping[str, str]
    trusted: bool = True
    """Whether programs may run that only the project's own files name."""

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """`pyproject.toml`; empty where there is none that can be read."""
        return read_toml(self.root / "pyproject.toml")

    @property
    def tools(self) -> Mapping[str, Any]:
        """The table `[tool]`."""
        return table(self.settings, "tool")

    @property
    def name(self) -> str:
        """Of the distribution, normalised; "" without one."""
        for place in (table(self.settings, "project"), table(self.tools, "poetry")):
            if isinstance(name := place.get("name"), str):
                return _NOT_NORMAL.sub("-", name).lower()
        return ""

    @property
    def backend(self) -> str:
        """The build backend."""
        return str(table(self.settings, "build-system").get("build-backend", ""))

    def has(self, *names: str) -> bool:
        """Whether any of these files stands in the root."""
        return any((self.root / name).is_file() for name in names)

    @property
    def places(self) -> list[Path]:
        """The root as the tools may know it: with and without its links followed."""
        return list(dict.fromkeys((self.root.resolve(), self.root.absolute())))

    def home(self, variable: str, *below: str) -> Path:
        """The folder that a variable names, or else one below the person's home."""
        said = self.environ.get(variable)
        return Path(said) if said else self.person.joinpath(*below)

    @property
    def person(self) -> Path:
        """The home folder."""
        named = self.environ.get("USERPROFILE" if os.name == "nt" else "HOME")
        return Path(named) if named else Path.home()

    def folder(self, kind: str, tool: str) -> Path:
        """Where a tool keeps its `data`, `cache` or `config` on this system, as platformdirs says."""
        if os.name == "nt":
            local = self.home("LOCALAPPDATA", "AppData", "Local") / tool
            return local / "Cache" if kind == "cache" else local
        if sys.platform == "darwin":
            return self.person / "Library" / ("Caches" if kind == "cache" else "Application Support") / tool
        variable, *below = _XDG[kind]
        return self.home(variable, *below) / tool

    def expanded(self, path: str) -> Path:
        """A path as a person writes it, from the root."""
        if path == "~" or path.startswith("~/"):
            return self.person / path[2:]
        return Path(os.path.normpath(self.root / path))


_XDG = {
    "data": ("XDG_DATA_HOME", ".local", "share"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "config": ("XDG_CONFIG_HOME", ".config"),
}


def read_toml(file: Path) -> Mapping[str, Any]:
    """The tables of a file; empty where it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def table(parent: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A table in another; empty where it is none."""
    found = parent.get(name)
    return found if isinstance(found, dict) else {}


def of_poetry(project: Project) -> Iterator[Path]:
    """`{cache}/virtualenvs/{name}-{hash}-py3.X`: the one that `poetry env use` chose, then the newest."""
    if "poetry" not in project.tools and not project.has("poetry.lock") and "poetry" not in project.backend:
        return
    folder = _virtualenvs_of_poetry(project)
    chosen = read_toml(folder / "envs.toml")
    for place in project.places:
        name = re.sub(r'[ $`!*@"\\\r\n\t]', "_", project.name or "non-package-mode")[:42]
        base = f"{name}-{_hash(os.path.normcase(place))}"
        found = [path for path in _below(folder, f"{base}-py") if _VERSION.search(path.name)]
        minor = str(table(chosen, base).get("minor", ""))
        by_choice = {path: (path.name == f"{base}-py{minor}", _version(path)) for path in found}
        yield from sorted(found, key=by_choice.__getitem__, reverse=True)


def _virtualenvs_of_poetry(project: Project) -> Path:
    own = read_toml(project.root / "poetry.toml") if project.trusted else {}
    config = project.environ.get("POETRY_CONFIG_DIR") or project.folder("config", "pypoetry")
    whole = read_toml(Path(config) / "config.toml")
    cache = project.environ.get("POETRY_CACHE_DIR") or own.get("cache-dir") or whole.get("cache-dir")
    caches = project.expanded(str(cache)) if cache else project.folder("cache", "pypoetry")
    said = project.environ.get("POETRY_VIRTUALENVS_PATH")
    said = said or table(own, "virtualenvs").get("path") or table(whole, "virtualenvs").get("path")
    if not said:
        return caches / "virtualenvs"
    named = str(said).replace("{cache-dir}", str(caches)).replace("{project-dir}", str(project.root))
    return project.expanded(named)


def of_pdm(project: Project) -> Iterator[Path]:
    """The interpreter in `.pdm-python`; then `{data}/pdm/venvs/{folder}-{hash}-…`."""
    if project.trusted and (said := _line(project.root / _PATH_OF_PDM)) is not None:
        yield Path(said)
    if "pdm" not in project.tools and not project.has("pdm.lock", "pdm.toml"):
        return
    config = project.folder("config", "pdm") / "config.toml"
    said = table(read_toml(config), "venv").get("location")
    folder = project.expanded(str(said)) if said else project.folder("data", "pdm") / "venvs"
    for place in project.places:
        digest = hashlib.md5(place.as_posix().encode(), usedforsecurity=False).digest()
        yield from sorted(_below(folder, f"{place.name}-{_text(digest)}-"), reverse=True)


def of_hatch(project: Project) -> Iterator[Path]:
    """`{data}/hatch/env/virtual/{name}/{hash}/…`: the default environment, and those for tests."""
    if "hatch" not in project.tools and not project.has("hatch.toml") and "hatchling" not in project.backend:
        return
    said = project.environ.get("HATCH_DATA_DIR")
    folder = (Path(said) if said else project.folder("data", "hatch")) / "env" / "virtual"
    whole = read_toml(project.folder("config", "hatch") / "config.toml")
    own = table(table(whole, "dirs"), "env").get("virtual")
    folder = project.expanded(str(own)) if own and not said else folder
    in_file = table(read_toml(project.root / "hatch.toml"), "envs")
    environments = {**table(table(project.tools, "hatch"), "envs"), **in_file}
    for name in ("default", "hatch-test", "test", "tests", *environments):
        path = table(environments, name).get("path")
        if project.trusted and isinstance(path, str):
            yield project.expanded(path)
    for place in project.places:
        found = folder / project.name / _hash(str(place))
        yield found / project.name
        yield from (path for path in sorted(_below(found, "")) if "test" in path.name)


def of_pipenv(project: Project) -> Iterator[Path]:
    """`{WORKON_HOME}/{folder}-{hash}`, or what the file `.venv` names."""
    if not project.has("Pipfile"):
        return
    said = project.environ.get("WORKON_HOME")
    below = (".virtualenvs",) if os.name == "nt" else (".local", "share", "virtualenvs")
    data = project.environ.get("XDG_DATA_HOME")
    folder = Path(data, "virtualenvs") if data and os.name != "nt" else project.person.joinpath(*below)
    folder = project.expanded(os.path.expandvars(said)) if said else folder
    in_file = _line(project.root / ".venv") if project.trusted else None
    for named in (project.environ.get("PIPENV_CUSTOM_VENV_NAME"), in_file):
        if named:
            yield project.root / named if "/" in named else folder / named
    for place in project.places:
        name = re.sub(r'[ &$`!*@"()\[\]\\\r\n\t]', "_", place.name)[:42]
        digest = _text(hashlib.sha256(str(place / "Pipfile").encode()).digest()[:6])
        yield folder / f"{name}-{digest}"
        yield from sorted(_below(folder, f"{name}-{digest}-"), reverse=True)


def of_pyenv(project: Project) -> Iterator[Path]:
    """What `.python-version` names, in the root or above it: an environment, or the newest of a version."""
    folder = project.home("PYENV_ROOT", ".pyenv") / "versions"
    named = project.environ.get("PYENV_VERSION")
    yield from _of_pyenv(folder, named.split(":") if named else _of_version_file(project.root))


def of_shims(project: Project) -> Iterator[Path]:
    """What pyenv's programs on PATH would run where no file says which: its own `version`."""
    folder = project.home("PYENV_ROOT", ".pyenv")
    yield from _of_pyenv(folder / "versions", (_line(folder / "version") or "").split())


def _of_pyenv(folder: Path, names: list[str]) -> Iterator[Path]:
    for name in names:
        if (folder / name).is_dir():
            yield folder / name
        elif re.fullmatch(r"[\d.]+", name):
            found = [path for path in _below(folder, f"{name}.") if _numbers(path.name)]
            yield from sorted(found, key=lambda path: _numbers(path.name), reverse=True)[:1]


def _of_version_file(root: Path) -> list[str]:
    for folder in (root, *root.parents):
        try:
            lines = (folder / ".python-version").read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        plain = (line.partition("#")[0].strip() for line in lines)
        return [line.removeprefix("python-") for line in plain if line]
    return []


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(map(int, name.split("."))) if re.fullmatch(r"\d+(?:\.\d+)*", name) else ()


def _below(folder: Path, prefix: str) -> list[Path]:
    """The folders in another whose names begin so."""
    try:
        return [path for path in folder.iterdir() if path.name.startswith(prefix) and path.is_dir()]
    except OSError:
        return []


def _version(path: Path) -> tuple[int, int]:
    found = _VERSION.search(path.name)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _hash(path: str) -> str:
    """As poetry and hatch tell projects of one name apart."""
    return _text(hashlib.sha256(path.encode()).digest())


def _text(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).decode()[:8]


def _line(file: Path) -> str | None:
    """The one line of a small file; None where it is none."""
    try:
        return file.read_text(encoding="utf-8").strip() or None if file.is_file() else None
    except (OSError, UnicodeDecodeError):
        return None
