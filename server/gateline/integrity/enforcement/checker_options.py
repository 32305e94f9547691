"""What linters and type checkers are told on the line that calls them, and how that became less."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from gateline.integrity.enforcement.changed_settings import is_beside
from gateline.integrity.rules.check_switched_off.settings import STYLE

_CODES = frozenset({"--ignore", "--extend-ignore", "--disable", "--disable-error-code", "--skip", "-s", "-d"})
"""By which findings of some kinds are passed over."""
_PATHS = frozenset({"--exclude", "--extend-exclude", "--ignore-paths", "--ignore-patterns", "-x"})
"""By which files are passed over."""
_BY_FILE = frozenset({"--per-file-ignores", "--extend-per-file-ignores"})
_WITH_VALUE = (
    _CODES | _PATHS | _BY_FILE | {"--select", "--config", "--config-file", "--rcfile", "-c", "-p", "-m"}
)
_LAX = re.compile(
    r"--(ignore-errors|ignore-missing-imports|follow-imports=(skip|silent)|allow-untyped-\w+|allow-redefinition|"
    r"no-strict-\w+|no-warn-\w+|errors-only|exit-zero|level=error|severity-level=(medium|high))|-E|-ll+|-ii+"
)
_TOOLS = frozenset(
    {
        "mypy",
        "dmypy",
        "pyright",
        "basedpyright",
        "ty",
        "ruff",
        "flake8",
        "pylint",
        "pycodestyle",
        "pyflakes",
        "bandit",
    }
)
_PLACE = re.compile(r"\.?\w[\w./-]*")
_NO_PLACES = frozenset({"check", "run"})
"""Words behind a tool that say what it does."""


def laxer(tool: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """How a call looks for less, or at less, than the one in its place did."""
    if tool not in _TOOLS:
        return
    had, has = _told(tool, old), _told(tool, new)
    for option, values in has.items():
        known = frozenset().union(*(had.get(name, ()) for name in _alike(option)))
        if added := [value for value in values if value not in known and not _is_harmless(option, value)]:
            yield f"`{tool} {option}` now has {', '.join(added)}"
    if come := [word for word in new if _LAX.fullmatch(word) and word not in old]:
        yield f"{tool} is called with {', '.join(come)}"
    if lost := _lost_places(_places(old), _places(new)):
        yield f"{tool} now checks only {', '.join(_places(new))}, and no longer {lost}"


def _alike(option: str) -> frozenset[str]:
    return next(group for group in (_CODES, _PATHS, _BY_FILE) if option in group)


def _is_harmless(option: str, value: str) -> bool:
    if option in _CODES:
        return STYLE.fullmatch(value) is not None
    return is_beside(value.partition(":")[0])


def _told(tool: str, words: Sequence[str]) -> Mapping[str, list[str]]:
    """By option: the values it is given, of which each may hold several."""
    found: dict[str, list[str]] = {}
    waiting = ""
    for word in words:
        name, sign, value = word.partition("=")
        if waiting or (sign and name in _WITH_VALUE):
            option, given = (waiting, word) if waiting else (name, value)
            if option in _CODES | _PATHS | _BY_FILE:
                # A linter that leaves names of files out by `--ignore` is pylint.
                kind = "--ignore-paths" if (tool, option) == ("pylint", "--ignore") else option
                found.setdefault(kind, []).extend(part for part in given.strip("'\"").split(",") if part)
        waiting = word if not waiting and word in _WITH_VALUE and not _is_bare(tool, word) else ""
    return found


def _is_bare(tool: str, word: str) -> bool:
    """Short options that take a value of one tool are something else to another."""
    return (word in ("-s", "-x") and tool != "bandit") or (word == "-d" and tool != "pylint")


def _places(words: Sequence[str]) -> list[str]:
    """The files and folders that are named."""
    found: list[str] = []
    before = ""
    for word in words:
        given = word.strip("'\"").rstrip("/").removeprefix("./") or "."
        if _PLACE.fullmatch(given) and before not in _WITH_VALUE and given not in _NO_PLACES:
            found.append(given)
        before = word
    return found


def _lost_places(had: Sequence[str], has: Sequence[str]) -> str:
    """What is not looked at any more although it, or a part of it, is still named: no folder was renamed."""
    if has and not had:
        narrow = all(len(PurePosixPath(path).parts) > 1 or path.endswith(".py") for path in has)
        return "the rest" if narrow else ""
    if not all(any(_is_within(path, other) for other in had) for path in has):
        return ""
    lost = [path for path in had if not is_beside(path) and not any(_is_within(path, other) for other in has)]
    return ", ".join(lost) if has else ""


def _is_within(path: str, other: str) -> bool:
    return other in (".", path) or path.startswith(f"{other}/")
