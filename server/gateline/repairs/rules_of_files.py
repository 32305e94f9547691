"""House rules about files: tests and settings are not edited; a dependency may be added, nothing else."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from gateline.repairs.rule import Case, Refusal

_TESTS = re.compile(r"(?:^|/)(?:tests?|testing)/|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|noxfile)\.py$")
_REQUIREMENTS = re.compile(r"(?:^|/)requirements[^/]*\.(?:txt|in)$|(?:^|/)requirements/[^/]*\.(?:txt|in)$")
_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_DEPENDENCIES = re.compile(
    r"project\.(?:dependencies|optional-dependencies\..+)|dependency-groups\..+"
    r"|tool\.poetry\.(?:dev-)?dependencies|tool\.poetry\.group\.[^.]+\.dependencies|tool\.pdm\.dev-dependencies\..+"
)


def is_test(path: str) -> bool:
    """Whether a file belongs to the tests, by its place or its name."""
    return _TESTS.search(path) is not None


def protected(case: Case) -> Iterator[Refusal]:
    """Tests, and whatever the shell protects, stay as they are."""
    for path in case.after:
        if case.protected(path) or is_test(path):
            yield Refusal("protected-file", f"a repair must not edit {path}")


def settings(case: Case) -> Iterator[Refusal]:
    """Of files that are not Python only the list of dependencies may change, and only grow."""
    for path, text in case.after.items():
        if path.endswith((".py", ".pyi")):
            continue
        if reason := _refused(path, case.before[path], text):
            yield Refusal("settings", f"{path}: {reason}")


def _refused(path: str, before: str, after: str) -> str:
    if path.endswith("pyproject.toml"):
        return _pyproject(before, after)
    if path.endswith("setup.cfg"):
        return _setup(before, after)
    if _REQUIREMENTS.search(path):
        return _grown(before.splitlines(), after.splitlines())
    return "a repair must not edit settings"


def _pyproject(before: str, after: str) -> str:
    try:
        old, new = tomllib.loads(before), tomllib.loads(after)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return f"not valid TOML: {error}"
    for key, was, now in _differences("", old, new):
        if not _DEPENDENCIES.fullmatch(key) and not _DEPENDENCIES.fullmatch(key.rpartition(".")[0]):
            return f"`{key}` is no list of dependencies"
        if reason := _grown(was or [], now or []):
            return reason
    return ""


def _setup(before: str, after: str) -> str:
    old, new = (configparser.ConfigParser(interpolation=None) for _ in range(2))
    try:
        old.read_string(before)
        new.read_string(after)
    except configparser.Error as error:
        return f"not valid: {error.message}"
    for key, was, now in _differences("", _sections(old), _sections(new)):
        if key not in {"options.install_requires", "options.extras_require"}:
            return f"`{key}` is no list of dependencies"
        if reason := _grown((was or "").split("\n"), (now or "").split("\n")):
            return reason
    return ""


def _sections(reader: configparser.ConfigParser) -> dict[str, dict[str, str]]:
    return {name: dict(reader.items(name)) for name in reader.sections()}


def _differences(prefix: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every value that differs, by its dotted key; lists are values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            yield from _differences(f"{prefix}.{key}".lstrip("."), old.get(key), new.get(key))
    elif old != new:
        yield prefix, old, new


def _grown(before: Any, after: Any) -> str:
    """Why a list of dependencies did not only grow by one name; "" when it did."""
    if not isinstance(before, list) or not isinstance(after, list):
        return "" if before == [] else "a dependency that is there is not changed"
    left = list(after)
    for entry in before:
        if entry not in left:
            return f"`{entry}` is not taken out or changed"
        left.remove(entry)
    added = [entry for entry in left if not isinstance(entry, str) or entry.strip()]
    if len(added) != 1 or not isinstance(added[0], str) or not _NAME.match(added[0]):
        return "one dependency is added at a time"
    return ""


FILE_RULES = (protected, settings)
