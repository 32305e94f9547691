"""What the project told ruff of bandit's tests: codes S101 and so on in `ignore` and `per-file-ignores`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

_CODE = re.compile(r"S\d{0,3}")
_WHOLE = ("ignore", "extend-ignore")
_BY_FILE = ("per-file-ignores", "extend-per-file-ignores")


def is_passed_over(files: Mapping[str, str], path: str, test: str) -> bool:
    """Whether ruff would pass over a test of bandit's in a file."""
    whole, by_file = _read(tuple((name, text) for name, text in sorted(files.items()) if _is_ours(name)))
    codes = [*whole, *(code for pattern, some in by_file if _matches(pattern, path) for code in some)]
    return any(covers(code, test) for code in codes)


def covers(code: str, test: str) -> bool:
    """Whether a code of ruff's, or its beginning, means a test of bandit's: S60 means B602."""
    return _CODE.fullmatch(code) is not None and f"S{test[1:]}".startswith(code)


def _is_ours(name: str) -> bool:
    return name in ("ruff.toml", ".ruff.toml", "pyproject.toml")


@lru_cache(maxsize=4)
def _read(files: tuple[tuple[str, str], ...]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    whole: list[str] = []
    by_file: list[tuple[str, list[str]]] = []
    for name, text in files:
        for table in _tables(name, text):
            whole += [code for key in _WHOLE for code in _texts(table.get(key))]
            for key in _BY_FILE:
                rows = table.get(key)
                by_file += [(str(p), _texts(c)) for p, c in rows.items()] if isinstance(rows, dict) else []
    return whole, by_file


def _tables(name: str, text: str) -> Iterator[Mapping[str, Any]]:
    """The table of ruff's linter, and the old place above it."""
    try:
        said: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    if name == "pyproject.toml":
        said = said.get("tool", {}).get("ruff", {})
    for table in (said, said.get("lint")) if isinstance(said, dict) else ():
        if isinstance(table, dict):
            yield table


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _matches(pattern: str, path: str) -> bool:
    """As ruff does: against the whole path, and against the file's name alone; `!` turns it round."""
    if pattern.startswith("!"):
        return not _matches(pattern[1:], path)
    plain = pattern.removeprefix("./").replace("**/", "*")
    name = PurePosixPath(path).name
    return fnmatch(path, plain) or fnmatch(name, plain) or fnmatch(path, f"{plain.rstrip('/')}/*")
