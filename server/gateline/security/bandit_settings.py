"""What the project told bandit (`[tool.bandit]`, `.bandit`, `bandit.yaml`), and ruff of the same tests."""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache
from typing import Any

from gateline.security.ruff_settings import is_passed_over

_YAML = ("bandit.yaml", "bandit.yml", ".bandit.yaml", ".bandit.yml")
_OWN_KEYS = frozenset({"skips", "tests", "exclude_dirs", "exclude", "targets", "include", "profiles"})


@dataclass(frozen=True)
class BanditSettings:
    """Which tests are looked for, and where not."""

    skips: frozenset[str]
    tests: frozenset[str]
    """Only these; empty: all."""
    excluded: tuple[str, ...]
    """Folders and patterns, as bandit compares them: a part of the path is enough."""
    options: Mapping[str, Any]
    """Of single tests, by the name under which bandit knows them."""

    def excludes(self, path: str) -> bool:
        """Whether bandit would not look at a file."""
        whole = f"./{path}"
        return any(fnmatch(whole, one) or fnmatch(path, one) or one in whole for one in self.excluded)

    def wants(self, test: str) -> bool:
        """Whether bandit would run a test, by its id."""
        return test not in self.skips and (not self.tests or test in self.tests)


def read_bandit(files: Mapping[str, str]) -> BanditSettings:
    """The settings in these files, by name; what cannot be read says nothing."""
    return _read(tuple(sorted(files.items())))


@lru_cache(maxsize=4)
def _read(files: tuple[tuple[str, str], ...]) -> BanditSettings:
    tables = [table for name, text in files if (table := _table(name, text))]
    skips, tests = (frozenset(_ids(_listed(tables, key))) for key in ("skips", "tests"))
    excluded = tuple(dict.fromkeys((*_listed(tables, "exclude_dirs"), *_listed(tables, "exclude"))))
    options = {key: value for table in tables for key, value in table.items() if key not in _OWN_KEYS}
    return BanditSettings(skips, tests, tuple(one for one in excluded if one), options)


def _table(name: str, text: str) -> Mapping[str, Any]:
    try:
        if name == "pyproject.toml":
            found = tomllib.loads(text).get("tool", {}).get("bandit", {})
        elif name == ".bandit":
            found = _ini(text)
        elif name in _YAML:
            import yaml

            found = yaml.safe_load(text)
        else:
            return {}
    except Exception:  # noqa: BLE001 - three languages, each with errors of its own; the file's tool tells them
        return {}
    return found if isinstance(found, dict) else {}


def _ini(text: str) -> dict[str, Any]:
    """`.bandit`, in which lists are separated by commas; some write YAML there."""
    parser = configparser.ConfigParser()
    parser.read_string(text)
    if not parser.has_section("bandit"):
        return {}
    section = parser["bandit"]
    wanted = ("skips", "tests", "exclude")
    return {key: [part.strip() for part in section[key].split(",")] for key in wanted if key in section}


def _listed(tables: Iterable[Mapping[str, Any]], key: str) -> list[str]:
    found: list[str] = []
    for table in tables:
        value = table.get(key) or []
        found += [part.strip() for part in value.split(",")] if isinstance(value, str) else map(str, value)
    return found


def _ids(names: Iterable[str]) -> Iterator[str]:
    """Names of tests are as good as their ids."""
    from bandit.core import extension_loader

    for name in names:
        yield extension_loader.MANAGER.get_test_id(name) or name


def is_left_out(files: Mapping[str, str], path: str, test: str) -> bool:
    """Whether bandit's or ruff's settings leave out a test in a file."""
    settings = read_bandit(files)
    return settings.excludes(path) or not settings.wants(test) or is_passed_over(files, path, test)
