"""What is expected moves from a test into a file, or back: the same text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from gateline.analysis.trees import constants, names
from gateline.integrity.change_view import Both
from gateline.integrity.explanations.indirect_check import reads_a_file
from gateline.integrity.tests.check import Check


def is_moved(before: Check, after: Check, both: Both) -> bool:
    """Whether a file of this name has the very text that was expected, or had the one that is."""
    match before.expected, after.expected:
        case ast.Constant(value=str() as text), ast.expr() as read if reads_a_file(read):
            kept = ((row.path, row.current) for row in both.expected)
        case ast.expr() as read, ast.Constant(value=str() as text) if reads_a_file(read):
            kept = ((row.path, row.base) for row in both.expected)
        case _:
            return False
    named = constants(read)
    texts = [side.text for path, side in kept if side and _is_named(path, named)]
    return text in texts


def is_written_out(check: Check, gained: Sequence[Check], both: Both) -> bool:
    """Whether a test that read what it expects from files has the texts of those that are gone by itself."""
    if not reads_a_file(check.expected):
        return False
    gone = {row.base.text for row in both.expected if row.current is None and row.base is not None}
    return any(
        other.exact
        and isinstance(other.expected, ast.Constant)
        and other.expected.value in gone
        and names(other.subject) <= names(check.subject)
        for other in gained
    )


def texts_named(read: ast.expr, both: Both) -> list[str]:
    """The texts of the base that an expectation reads from files."""
    named = constants(read)
    return [row.base.text for row in both.expected if row.base is not None and _is_named(row.path, named)]


def _is_named(path: str, named: Iterable[str]) -> bool:
    return any(PurePosixPath(value.strip("'\"")).name == PurePosixPath(path).name for value in named)
