"""A check that goes where another test gets to the same answer by a longer way: through a command."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gateline.analysis.trees import constants, names
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_TELLING = 10
"""So long a text of what is expected is hardly expected of something else, too."""
_SEVERAL = 4
"""So many values, too."""
READING = frozenset({"read_text", "read_bytes", "read", "load", "loads", "readlines"})
"""By which a file is read in whose words an answer is expected."""


def is_reached(check: Check, old: Test, made: Sequence[Check], new: Test) -> bool:
    """Whether one of these checks of a test expects the very same, of what the same package made of it."""
    return any(
        other.exact
        and other.relation == check.relation == "=="
        and other.expectation == check.expectation
        and other.subject_text != check.subject_text
        and _is_telling(check)
        and bool(_packages(check.subject, old) & _packages(new.node, new))
        for other in made
    )


def reads_a_file(node: ast.AST | None) -> bool:
    """Whether an expectation is what stands in a file."""
    found = ast.walk(node) if node is not None else ()
    return any(isinstance(call, ast.Call) and last_name(call) in READING for call in found)


def _is_telling(check: Check) -> bool:
    values = frozenset() if check.expected is None else constants(check.expected)
    return reads_a_file(check.expected) or len(values) >= _SEVERAL or any(len(v) >= _TELLING for v in values)


def _packages(node: ast.AST, test: Test) -> frozenset[str]:
    """From where the functions come that are called there."""
    called = (n.func for n in ast.walk(node) if isinstance(n, ast.Call))
    imports = test.module.imports
    found = {imports[name] for func in called for name in names(func) & imports.keys()}
    return frozenset(whole.partition(".")[0] for whole in found)
