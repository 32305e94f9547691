"""What configuration left out of a check as a whole, and does no more: it may be silenced line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import PurePosixPath

from gateline.integrity.enforcement.settings import Tables, as_list

_ROW = re.compile(r"(?P<pattern>[^\s:,]+)\s*:\s*(?P<codes>[^:]*?)(?=[\s,]+[^\s:,]+\s*:|\s*$)")
"""One row of flake8's `per-file-ignores`."""
_LINTERS = ("ruff", "flake8", "pylint", "pycodestyle")
_EVERYWHERE = ("ignore", "extend_ignore", "disable")
_EXCLUDED = ("exclude", "extend_exclude", "ignore_paths", "ignore_patterns", "exclude_dirs")


def is_exempt_no_more(tool: str, codes: Sequence[str], path: str, before: Tables, now: Tables) -> bool:
    """Whether the base's settings let these codes go in the file, by its path or everywhere."""
    was, is_still = (list(_exempt(tool, path, tables)) for tables in (before, now))
    return _takes_in(was, codes) and not _takes_in(is_still, codes)


def _takes_in(exempt: Sequence[str], codes: Sequence[str]) -> bool:
    """Whether all of these codes are among those that are let go; `""` lets go all."""
    if "" in exempt:
        return True
    return bool(codes) and all(any(one and code.startswith(one) for one in exempt) for code in codes)


def _exempt(tool: str, path: str, tables: Tables) -> Iterator[str]:
    """The codes that settings let go in a file; `""` for all of them."""
    if tool.startswith("pragma"):
        left_out = tables.items("coverage", "run.omit", "report.omit")
        yield from ("" for pattern in left_out if _fits(path, pattern))
    elif "ignore" in tool:
        yield from _of_types(path, tables)
    else:
        yield from _of_linters(path, tables)


def _of_linters(path: str, tables: Tables) -> Iterator[str]:
    for linter in _LINTERS:
        yield from tables.items(linter, *_EVERYWHERE)
        yield from ("" for pattern in tables.items(linter, *_EXCLUDED) if _fits(path, pattern))
        for key in tables.keys(linter):
            pattern = key.partition("per_file_ignores.")[2]
            if pattern and _fits(path, pattern):
                yield from as_list(tables.get(linter, key))
        rows = str(tables.get(linter, "per_file_ignores") or "")
        for row in _ROW.finditer(rows):
            if _fits(path, row["pattern"]):
                yield from re.findall(r"[\w-]+", row["codes"])


def _of_types(path: str, tables: Tables) -> Iterator[str]:
    yield from tables.items("mypy", "disable_error_code")
    module = path.removeprefix("src/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    for key in tables.keys("mypy"):
        pattern, colon, name = key.partition(": ")
        if colon and (fnmatch(module, pattern) or pattern == f"{module}.*"):
            if name == "ignore_errors" and tables.get("mypy", key) is True:
                yield ""
            elif name == "disable_error_code":
                yield from as_list(tables.get("mypy", key))


def _fits(path: str, pattern: str) -> bool:
    whole = pattern.removeprefix("./").removesuffix("/").replace("**/", "*")
    return (
        fnmatch(path, whole)
        or fnmatch(PurePosixPath(path).name, whole)
        or fnmatch(path, f"*/{whole}")
        or path.startswith(f"{whole.rstrip('*').rstrip('/')}/")
    )
