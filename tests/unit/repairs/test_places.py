"""Which nodes of a text stand on a line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gateline.repairs.analysis.code import Code, code_of
from gateline.repairs.locate import places

TEXT = Path(places.__file__).read_text(encoding="utf-8") + (
    "\n\n@first\n@second(\n    1,\n)\ndef decorated(a=[\n    2,\n]):\n"
    "    try:\n        return a\n    finally:\n        pass\n"
)


Placed = ast.expr | ast.stmt | ast.arg
"""Of other nodes one object may stand in many places."""


@pytest.fixture(scope="module")
def code() -> Code:
    found = code_of("places.py", TEXT)
    assert found
    return found


def test_every_node_is_found_on_each_of_its_lines_and_in_the_order_of_all(code: Code) -> None:
    number = {node: n for n, node in enumerate(code.nodes)}
    for line in range(TEXT.count("\n")):
        near = [node for node in code.nodes_at(line) if isinstance(node, Placed)]
        assert [number[n] for n in near] == sorted(number[n] for n in near)
        there = {
            n for n in code.nodes if isinstance(n, ast.expr | ast.stmt | ast.arg) and _is_on(n, line + 1)
        }
        assert there <= set(near)


def test_few_others_are(code: Code) -> None:
    assert max(len(code.nodes_at(line)) for line in range(TEXT.count("\n"))) < len(code.nodes) / 4


def _is_on(node: Placed, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
