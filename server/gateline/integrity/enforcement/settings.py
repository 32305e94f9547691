"""Configuration of tools as one table, in whichever file and form it is written."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from gateline.integrity.enforcement.yaml_text import tree_of
from gateline.model.change import FileChange
from gateline.model.document import Document

if TYPE_CHECKING:
    from gateline.integrity.change_view import Both

Key = tuple[str, str]
"""A tool, and a key of it with dots: `("coverage", "report.fail_under")`."""

_PYPROJECT = (
    "coverage",
    "ruff",
    "mypy",
    "pylint",
    "flake8",
    "bandit",
    "gateline",
    "pyright",
    "ty",
    "interrogate",
)
_OWN_FILE = {
    "gateline.toml": "gateline",
    "ruff.toml": "ruff",
    ".ruff.toml": "ruff",
    "pytest.toml": "pytest",
    ".pytest.toml": "pytest",
    ".pylintrc.toml": "pylint",
    "pyrightconfig.json": "pyright",
    "codecov.yml": "codecov",
    ".codecov.yml": "codecov",
}
_INI_SECTIONS = {
    "tool:pytest": "pytest",
    "pytest": "pytest",
    "coverage:run": "coverage.run",
    "coverage:report": "coverage.report",
    "flake8": "flake8",
    "mypy": "mypy",
    "bandit": "bandit",
}
_INI_FILES = {".coveragerc": "coverage", "pylintrc": "pylint", ".pylintrc": "pylint", ".bandit": "bandit"}
_UNREADABLE = (ValueError, configparser.Error, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value, and the file that says it."""

    value: Any
    document: Document


@dataclass(frozen=True, slots=True)
class Tables:
    """All changed configuration of one side, by tool and key."""

    entries: Mapping[Key, Entry]

    def get(self, tool: str, key: str) -> Any:
        """The value; None where nothing is said."""
        entry = self.entries.get((tool, key))
        return None if entry is None else entry.value

    def items(self, tool: str, *keys: str) -> list[str]:
        """The items of lists, of all these keys together."""
        return [item for key in keys for item in as_list(self.get(tool, key))]

    def tools(self) -> frozenset[str]:
        """The tools that are configured."""
        return frozenset(tool for tool, _ in self.entries)

    def keys(self, tool: str) -> list[str]:
        """The keys of a tool."""
        return [key for name, key in self.entries if name == tool]


def both_tables(both: Both) -> tuple[Tables, Tables]:
    """The configuration of the base and of now, as far as its files changed."""
    return _tables(both, base=True), _tables(both, base=False)


def _tables(both: Both, *, base: bool) -> Tables:
    found: dict[Key, Entry] = {}
    for row in both.configuration:
        document = row.base if base else row.current
        if document is not None:
            found |= {key: Entry(value, document) for key, value in read(document)}
    return Tables(found)


def read(document: Document) -> Iterator[tuple[Key, Any]]:
    """The entries of one file; none where it cannot be read."""
    try:
        yield from _entries(document)
    except _UNREADABLE:
        return


def is_readable(document: Document) -> bool:
    """Whether a file says anything that a tool would understand."""
    try:
        return all(True for _ in _entries(document))
    except _UNREADABLE:
        return False


def _entries(document: Document) -> Iterator[tuple[Key, Any]]:
    name = PurePosixPath(document.path).name
    if name == "pyproject.toml":
        yield from _pyproject(tomllib.loads(document.text).get("tool", {}))
    elif name.endswith(".toml"):
        yield from _flat(_OWN_FILE.get(name, name), tomllib.loads(document.text))
    elif name.endswith(".json"):
        yield from _flat(_OWN_FILE.get(name, name), json.loads(document.text))
    elif name.endswith(".yml"):
        yield from _flat(_OWN_FILE.get(name, name), tree_of(document.text))
    else:
        yield from _ini(name, document.text)


def _pyproject(tools: Mapping[str, Any]) -> Iterator[tuple[Key, Any]]:
    for tool in _PYPROJECT:
        if isinstance(tools.get(tool), dict):
            yield from _flat(tool, tools[tool])
    pytest = tools.get("pytest", {})
    yield from _flat("pytest", pytest.get("ini_options", {}) if isinstance(pytest, dict) else {})


def _flat(tool: str, table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[Key, Any]]:
    for name, value in table.items():
        key = f"{prefix}{name.replace('-', '_') if not prefix.endswith('per_file_ignores.') else name}"
        if isinstance(value, dict):
            yield from _flat(tool, value, f"{key}.")
        elif key == "overrides" and tool == "mypy":
            yield from _overrides(value)
        else:
            yield (tool, _canonical(tool, key)), value


def _overrides(tables: list[dict[str, Any]]) -> Iterator[tuple[Key, Any]]:
    for table in tables:
        for module in as_list(table.get("module")):
            for name, value in table.items():
                if name != "module":
                    yield ("mypy", f"{module}: {name}"), value


def _canonical(tool: str, key: str) -> str:
    """Rules of ruff once stood at the top level; pylint's sections do not matter."""
    if tool == "ruff":
        return key.removeprefix("lint.")
    return key.rpartition(".")[2] if tool == "pylint" else key


def _ini(name: str, text: str) -> Iterator[tuple[Key, Any]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    parser.read_string(text)
    for section in parser.sections():
        tool, prefix = _section(name, section)
        if tool:
            for key, value in parser.items(section):
                yield (tool, prefix + _canonical(tool, key.replace("-", "_"))), _typed(value)


def _section(name: str, section: str) -> tuple[str, str]:
    if name in _INI_FILES:
        tool = _INI_FILES[name]
        return tool, f"{section}." if tool == "coverage" else ""
    if section.startswith("mypy-"):
        return "mypy", f"{section.removeprefix('mypy-')}: "
    tool, dot, rest = _INI_SECTIONS.get(section, "").partition(".")
    return tool, rest + dot


def _typed(value: str | None) -> Any:
    text = (value or "").strip()
    if text.lower() in ("true", "yes", "on"):
        return True
    if text.lower() in ("false", "no", "off"):
        return False
    number = re.fullmatch(r"-?\d+(\.\d+)?", text)
    return float(text) if number else text


def as_list(value: Any) -> list[str]:
    """A list that may be written as text, divided by commas or lines."""
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    rows = re.split(r"[\n,]", str(value))
    return [item for row in rows if (item := row.partition(" #")[0].strip())]


def line_of(document: Document, key: str) -> int:
    """The zero-based line on which a key stands; 0 when it does not."""
    last = re.split(r"[.:] ?", key)[-1]
    pattern = re.compile(rf"""^\s*["']?{re.escape(last).replace("_", "[-_]")}["']?\s*[=:]""", re.IGNORECASE)
    return next((n for n, line in enumerate(document.text.splitlines()) if pattern.match(line)), 0)


def document_of(row: FileChange) -> Document:
    """The text to show: now's, of a deleted file the base's."""
    document = row.current or row.base
    if document is None:
        raise ValueError(f"{row.path} cannot be read as text in the base or in the change")
    return document
