"""GTL601 of files: tests are in a file now that no runner looks for by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import PurePosixPath

from gateline.integrity.change_view import Both
from gateline.integrity.enforcement.settings import both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_collected
from gateline.integrity.findings import at_node
from gateline.integrity.rules.test_removed import CODE
from gateline.integrity.rules.test_selection_changed.settings import as_list_of_words
from gateline.integrity.tests.collection import Test, tests_of
from gateline.model.finding import Finding, Weight

_USUAL = re.compile(r"test.*|.*_test", re.IGNORECASE)
"""Names that pytest, or unittest, looks for where nothing else is said."""

_BY_DEFAULT = {"python_classes": "Test", "python_functions": "test"}


def find(evidence: Evidence) -> Iterator[Finding]:
    """The tests that were in a file of a usual name, and are in one of another name; one for each file."""
    moved: dict[str, Test] = {}
    for old, new in evidence.both.pairs.both:
        if _is_usual(old.path) and not _is_usual(new.path):
            moved.setdefault(new.path, new)
    if not moved or _has_others(evidence.both):
        return
    for path, test in moved.items():
        if not is_looked_for(path, evidence.both):
            message = f"test `{test.name}` is now in a file whose name no test runner collects"
            yield at_node(CODE, test.module, test.node, message, Weight.FLOOR)


def is_looked_for(path: str, both: Both) -> bool:
    """Whether the settings say of files of such a name that tests are in them."""
    given = [tables.get("pytest", "python_files") for tables in both_tables(both)]
    patterns = [pattern for value in given if value is not None for pattern in as_list_of_words(value)]
    return any(fnmatch(PurePosixPath(path).name, pattern) for pattern in patterns)


def is_named_so(name: str, both: Both) -> bool:
    """Whether the settings of now take a test for one, by the names of its classes and its own."""
    now = both_tables(both)[1]
    *classes, own = name.split(".")
    given = [(each, "python_classes") for each in classes] + [(own, "python_functions")]
    told = [(each, as_list_of_words(now.get("pytest", key)), _BY_DEFAULT[key]) for each, key in given]
    fits = (_is_taken(each, patterns or [usual]) for each, patterns, usual in told)
    return any(patterns for _, patterns, _ in told) and all(fits)


def _is_taken(name: str, patterns: list[str]) -> bool:
    return any(name.startswith(pattern) or fnmatch(name, pattern) for pattern in patterns)


def _is_usual(path: str) -> bool:
    return _USUAL.fullmatch(PurePosixPath(path).stem) is not None


def _has_others(both: Both) -> bool:
    """Whether tests were in files of such names before, so that settings that are not seen say so."""
    changed = [pair.base for pair in both.tests if pair.base is not None]
    around = [both.make(text) for path, text in both.around.items() if is_collected(path)]
    unusual = (module for module in (*changed, *around) if not _is_usual(module.source.path))
    return any(tests_of(module) for module in unusual)
