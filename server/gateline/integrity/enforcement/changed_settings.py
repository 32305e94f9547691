"""What rules about configuration share: where a key stands, which tool took over, which paths count."""

from __future__ import annotations

import re

from gateline.integrity.change_view import Both
from gateline.integrity.enforcement.settings import Key, Tables, document_of, line_of
from gateline.integrity.findings import at_line
from gateline.model.finding import Finding, Weight

_GROUPS = (frozenset({"flake8", "ruff", "pylint", "pycodestyle"}), frozenset({"mypy", "pyright", "ty"}))
"""Tools that do each other's work."""
_BESIDE = re.compile(
    r"(^|/)\.\w|\.egg-info|__pycache__|htmlcov|"
    r"(^|[/*.])(tests?|testing|docs?|examples?|demos?|benchmarks?|scripts?|migrations|alembic|build|dist|vendor|\.?tox|"
    r"_?vendored|third_party|node_modules|\.?v?env|virtualenv|site-packages|_?generated|gen|typings|stubs|tools)([/*.]|$)|"
    r"conftest|test_\*|\*_test|_pb2|__init__\.py|__main__\.py|setup\.py|noxfile|_version|version\.py|\*\.ipynb|"
    r"\*\.pyi",
    re.IGNORECASE,
)


def at_key(
    code: str, both: Both, key: Key, before: Tables, now: Tables, message: str, weight: Weight
) -> Finding:
    """A finding at a key; where it is gone, in the file that had it."""
    entry = now.entries.get(key)
    if entry is not None:
        line = line_of(entry.document, key[1])
        return at_line(code, entry.document.path, entry.document.text, line, message, weight)
    path = before.entries[key].document.path
    row = next(row for row in both.configuration if row.base is not None and row.base.path == path)
    document = document_of(row)
    return at_line(code, row.path, document.text, 0, message, weight)


def replaced_tools(before: Tables, now: Tables) -> frozenset[str]:
    """The tools that are configured no more, because another one does their work from now on."""
    gone, come = before.tools() - now.tools(), now.tools() - before.tools()
    return frozenset(tool for group in _GROUPS if group & come for tool in group & gone)


def left_out_before(before: Tables, now: Tables) -> list[str]:
    """The paths that a tool left out whose work another one does from now on."""
    gone = replaced_tools(before, now)
    keys = [key for key in before.entries if key[0] in gone and "exclude" in key[1]]
    return [path for tool, name in keys for path in before.items(tool, name)]


def is_beside(pattern: str) -> bool:
    """Whether a pattern of paths means what is not the product: tests, pages, generated and foreign code."""
    # mypy's patterns are regular expressions.
    plain = pattern.replace("\\", "").replace("(^|/)", "").lstrip("^")
    return _BESIDE.search(plain) is not None
