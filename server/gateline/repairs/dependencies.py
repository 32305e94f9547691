"""Tables of dependencies: where a project declares what it needs, and how one more is added in its style."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

import tomlkit
import tomlkit.exceptions
from tomlkit.items import Array, Table

_REQUIREMENTS = re.compile(r"(?:^|/)requirements(?:/(?:base|main|common|prod(?:uction)?))?\.(?:txt|in)$")
_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_OPTION = re.compile(r"^install_requires[ \t]*=[ \t]*(?P<rest>.*(?:\n[ \t]+.*)*)", re.MULTILINE)


def tables(paths: Sequence[str]) -> list[str]:
    """The files of a workspace that may declare dependencies, the one nearest to the top first."""
    names = [
        p for p in paths if p.rpartition("/")[2] in {"pyproject.toml", "setup.cfg"} or _REQUIREMENTS.search(p)
    ]
    return sorted(names, key=lambda p: (p.count("/"), _rank(p), p))


def _rank(path: str) -> int:
    return 0 if path.endswith("pyproject.toml") else 1 if path.endswith("setup.cfg") else 2


def normal(name: str) -> str:
    """A distribution's name as packaging compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(path: str, text: str) -> set[str]:
    """The names of the distributions that a file declares, normalised; empty when it declares none."""
    return {normal(m[1]) for entry in _entries(path, text) if (m := _NAME.match(entry))}


def _entries(path: str, text: str) -> Iterator[str]:
    if path.endswith(".toml"):
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return
        yield from _strings(data.get("project", {}).get("dependencies", []))
        yield from data.get("tool", {}).get("poetry", {}).get("dependencies", {})
    elif path.endswith(".cfg"):
        match = _OPTION.search(text)
        yield from match["rest"].splitlines() if match else ()
    else:
        yield from (line.partition("#")[0] for line in text.splitlines() if not line.startswith("-"))


def _strings(value: Any) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def with_dependency(path: str, text: str, name: str) -> str | None:
    """The file with one more dependency, in its style and order; None when it has no place for it."""
    if normal(name) in declared(path, text):
        return None
    if path.endswith(".toml"):
        return _in_toml(text, name)
    return _in_cfg(text, name) if path.endswith(".cfg") else _in_requirements(text, name)


def _in_toml(text: str, name: str) -> str | None:
    try:
        document = tomlkit.parse(text)
    except tomlkit.exceptions.ParseError:
        return None
    project = document.get("project")
    poetry = document.get("tool", {}).get("poetry", {}).get("dependencies")
    if isinstance(project, Table) and (not isinstance(poetry, Table) or "dependencies" in project):
        _into_project(project, name)
    elif isinstance(poetry, Table):
        poetry.add(name, "*")
    else:
        return None
    return tomlkit.dumps(document)


def _into_project(project: Table, name: str) -> None:
    found = project.get("dependencies")
    if not isinstance(found, Array):
        project.add("dependencies", [name])
        return
    entries = [str(entry) for entry in found]
    is_long = "\n" in found.as_string()
    at = _place(entries, name)
    if is_long and at == len(entries):
        found.add_line(name, indent=_indent(found.as_string()))
        _closed(found)
    else:
        found.insert(at, name)


def _indent(shown: str) -> str:
    match = re.search(r"\n([ \t]+)[\"']", shown)
    return match[1] if match else "    "


def _closed(found: Array) -> None:
    """The closing bracket stays on a line of its own."""
    if not re.search(r"\n\s*\]$", found.as_string()):
        found.add_line(indent="")


def _place(entries: Sequence[str], name: str) -> int:
    """Where an entry belongs: by the alphabet in a list that is sorted, else at the end."""
    names = [normal(m[1]) if (m := _NAME.match(e)) else "" for e in entries]
    if names != sorted(names) or len(names) < 2:
        return len(entries)
    return sum(1 for other in names if other < normal(name))


def _in_requirements(text: str, name: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    entries = [n for n, line in enumerate(lines) if _NAME.match(line.partition("#")[0])]
    place = _place([lines[n] for n in entries], name)
    at = entries[place] if place < len(entries) else (entries[-1] + 1 if entries else len(lines))
    return newline.join([*lines[:at], name, *lines[at:]]) + newline


def _in_cfg(text: str, name: str) -> str | None:
    reader = configparser.ConfigParser(interpolation=None)
    try:
        reader.read_string(text)
    except configparser.Error:
        return None
    match = _OPTION.search(text)
    if match is None or not reader.has_option("options", "install_requires"):
        return None
    rows = match["rest"].split("\n")
    entries = [n for n, row in enumerate(rows) if row.strip() and not row.strip().startswith("#")]
    indent = next((row[: len(row) - len(row.lstrip())] for row in rows[1:] if row.strip()), "    ")
    if entries == [0]:
        rows, entries = ["", f"{indent}{rows[0].strip()}"], [1]
    place = _place([rows[n].strip() for n in entries], name)
    at = entries[place] if place < len(entries) else (entries[-1] + 1 if entries else len(rows))
    inside = "\n".join([*rows[:at], f"{indent}{name}", *rows[at:]])
    return text[: match.start("rest")] + inside + text[match.end("rest") :]
