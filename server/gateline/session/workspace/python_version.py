"""The newest Python that a project runs on: whether syntax that gateline's own Python refuses is an error."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gateline.model.newer_syntax import OWN, Version
from gateline.session.workspace.interpreter import Interpreter

_VERSION = re.compile(r"(?<!\d)3\.(\d+)")
_LOWEST = re.compile(r"(?:>=|==|~=|\^|>|~)?\s*3\.(\d+)(?:\.[\d*]+)*$")
_RUFF = re.compile(r"py3(\d+)$")
_OF_ENVIRONMENT = re.compile(r"^version(?:_info)?\s*=\s*3\.(\d+)", re.MULTILINE)
_INI = (("mypy.ini", "mypy"), (".mypy.ini", "mypy"), ("setup.cfg", "mypy"))


def newest_python(root: Path, interpreter: Interpreter) -> Version:
    """Of the interpreter, without running it, of what the settings demand, and of gateline's own. Blocks."""
    stated = [*_of_interpreter(Path(interpreter.path)), *_of_files(root)]
    return max(OWN, *((3, minor) for minor in stated), (3, 0))


def _of_interpreter(python: Path) -> Iterator[int]:
    """The minor version of an environment, or of a program that is called as its version is."""
    if found := _OF_ENVIRONMENT.search(_text(python.parent.parent / "pyvenv.cfg")):
        yield int(found[1])
    try:
        name = python.resolve().name
    except OSError:
        return
    if found := _VERSION.search(name):
        yield int(found[1])


def _of_files(root: Path) -> Iterator[int]:
    if found := _VERSION.match(_text(root / ".python-version").strip()):
        yield int(found[1])
    tables = _toml(root / "pyproject.toml")
    yield from _lowest(_at(tables, "project", "requires-python"))
    yield from _lowest(_at(tables, "tool", "poetry", "dependencies", "python"))
    yield from _lowest(_at(tables, "tool", "mypy", "python_version"))
    yield from _of_ruff(_at(tables, "tool", "ruff", "target-version"))
    for name in ("ruff.toml", ".ruff.toml"):
        yield from _of_ruff(_at(_toml(root / name), "target-version"))
    for name, section in _INI:
        yield from _lowest(_ini(root / name, section, "python_version"))
    yield from _lowest(_ini(root / "setup.cfg", "options", "python_requires"))


def _lowest(said: object) -> Iterator[int]:
    """The minor version that a requirement demands at least; of alternatives the lowest."""
    alternatives = []
    for alternative in str(said or "").split("||"):
        bounds = [int(found[1]) for part in alternative.split(",") if (found := _LOWEST.match(part.strip()))]
        alternatives += [max(bounds)] if bounds else []
    if alternatives:
        yield min(alternatives)


def _of_ruff(said: object) -> Iterator[int]:
    if found := _RUFF.match(str(said or "")):
        yield int(found[1])


def _at(tables: Any, *keys: str) -> object:
    for key in keys:
        tables = tables.get(key) if isinstance(tables, dict) else None
    return tables


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(file))
    except ValueError:
        return {}


def _ini(file: Path, section: str, key: str) -> str:
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    try:
        parser.read_string(_text(file))
    except configparser.Error:
        return ""
    return parser.get(section, key, fallback="") or ""


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
