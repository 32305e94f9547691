"""Which tests for None give a name a value, and which are turned round."""

from __future__ import annotations

import ast

import pytest

from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.analysis.none_tests import has_default, none_defaults


def given(*lines: str) -> list[str]:
    """What is given, and whether the test is turned round, in a function of these lines."""
    tree = ast.parse("\n".join(("def f(rows, other, self):", *(f"    {line}" for line in lines))))
    found = none_defaults(walk_scope(tree.body[0]))
    return [f"{ast.unparse(d.target)} = {ast.unparse(d.value)}{' ?' * d.is_turned}" for d in found]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("if rows is None:", "    rows = []"), ["rows = []"]),
        (("if not rows:", "    rows = []"), ["rows = []"]),
        (("if rows == None:", "    rows = []"), ["rows = []"]),
        (("if rows is None and other:", "    rows = other"), ["rows = other"]),
        (("if self.rows is None:", "    rows = []"), ["rows = []"]),
        (("if rows is not None:", "    rows = []"), ["rows = [] ?"]),
        (("if rows is not None:", "    rows = list(rows)"), []),
        (("if rows is not None:", "    rows = None"), []),
        (("if rows is None:", "    other = []"), []),
        (("if other is not None:", "    rows = []"), []),
        (("if rows is None or other:", "    rows = []"), []),
        (("if rows < None:", "    rows = []"), []),
        (("if rows is None:", "    return []"), []),
    ],
)
def test_a_default_is_for_what_was_tested(lines: tuple[str, ...], found: list[str]) -> None:
    assert given(*lines) == found


@pytest.mark.parametrize(
    ("line", "has"),
    [
        ("if rows is None: rows = []", True),
        ("if rows is not None: rows = []", True),
        ("if rows is not None: rows = None", False),
        ("if rows is not None: rows = list(rows)", False),
        ("if self.rows is None: rows = []", False),
    ],
)
def test_what_is_set_back_has_no_default(line: str, has: bool) -> None:
    assert has_default(ast.parse(f"def f(rows):\n    {line}").body[0], "rows") is has
