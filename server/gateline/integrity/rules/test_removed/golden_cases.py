"""GTL601 of golden files: a case that a test finds by itself, in a folder, is gone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import PurePosixPath

from gateline.analysis.trees import constants, names
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.test_removed import CODE
from gateline.integrity.tests.collection import Test
from gateline.model.change import FileChange
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_ALL = frozenset({"listdir", "iterdir", "scandir", "walk"})
_SOME = frozenset({"glob", "rglob", "iglob"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """The cases of folders that are gone, though what they are about is still there."""
    removed = [row for row in evidence.both.expected if row.current is None and row.base is not None]
    if not removed or _is_told(evidence.product):
        return
    listing = [found for test in evidence.both.tests_now if (found := _listed(test)) is not None]
    told: set[str] = set()
    for row in removed:
        stem = PurePosixPath(row.path).stem
        is_found = any(_finds(patterns, folders, row.path) for patterns, folders in listing)
        if is_found and stem not in told and not _is_about_gone(row, stem, evidence):
            told.add(stem)
            yield _finding(row, evidence.product)


def _finding(row: FileChange, product: Product) -> Finding:
    text = row.base.text if row.base else ""
    message = f"case file `{PurePosixPath(row.path).name}` removed, which a test read from its folder"
    return at_line(CODE, row.path, text, 0, message, Weight.FLOOR if product.is_changed else Weight.COUNTS)


def _is_told(product: Product) -> bool:
    return product.says_so or product.only_values_changed


def _listed(test: Test) -> tuple[frozenset[str], frozenset[str]] | None:
    """The patterns by which a test looks for files, and its literal values; None without any."""
    functions = test.module.functions
    helpers = (functions[name] for name in sorted(names(test.node) & functions.keys()))
    parts = [test.node, *test.around, *helpers]
    calls = [n for part in parts for n in ast.walk(part) if isinstance(n, ast.Call)]
    patterns = [n for call in calls if last_name(call) in _SOME for n in constants(call)]
    if any(last_name(call) in _ALL for call in calls):
        patterns.append("'*'")
    if not patterns:
        return None
    return frozenset(p.strip("'\"") for p in patterns), test.given.union(*map(constants, parts))


def _finds(patterns: frozenset[str], values: frozenset[str], path: str) -> bool:
    """Whether a file fits a pattern, and lies in a folder that is named."""
    parts = PurePosixPath(path)
    named = {part for value in values for part in PurePosixPath(value.strip("'\"")).parts}
    fits = any(fnmatch(parts.name, PurePosixPath(pattern).name) for pattern in patterns if "*" in pattern)
    return fits and not named.isdisjoint(parts.parts[:-1])


def _is_about_gone(row: FileChange, stem: str, evidence: Evidence) -> bool:
    """Whether the change tells of a case, the product lost a word of it, or another file has its lines."""
    product, text = evidence.product, row.base.text if row.base else ""
    if product.is_told([stem, *product.altered]) or any(product.lost_word(repr(w)) for w in text.split()):
        return True
    others = [other.current.text for other in evidence.both.expected if other.current is not None]
    return bool(text.strip()) and any(text.strip() in other for other in others)
