"""Operators on a made-up tree: each edit is what its name says, and the same dice make the same one."""

from __future__ import annotations

import ast
from random import Random

import pytest

from gateline_dev.truth.cases import OPERATORS, Case, every_case
from gateline_dev.truth.operators import Intent
from gateline_dev.truth.tree import Edit, Tree

CODE = '''"""Numbers."""

import re
import string

_LIMIT = 3


def _shorter(text):
    found = text.strip()
    if len(found) > 2:
        raise ValueError(found)
    return found + "x"


def size(text, factor=2):
    """Return the size."""
    return len(_shorter(text)) * factor


def unused(value):
    return value == 1


def tell(text):
    print( text )


class Box:
    """A box."""

    size = 1

    def one(self):
        return 1

    def two(self):
        return self.one() + 1
'''
TESTS = """from pkg.core import size, unused


def test_size():
    assert size("a") == 4


def test_more():
    assert size("") == 2


def test_three():
    assert size("b") == 4


def test_unused():
    assert unused(1)
"""
FILES = {
    "pkg/__init__.py": '"""A package."""\nfrom pkg.core import size\nfrom pkg import core\n',
    "pkg/core.py": CODE,
    "tests/test_core.py": TESTS,
    "tests/conftest.py": "import pytest\n",
    "tests/data.json": '{"a": [1, 2]}\n',
    "pyproject.toml": '[project]\nname = "pkg"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    "README.md": "# pkg\n",
    "CHANGELOG.md": "# Changes\n",
}
TREE = Tree({path: text.encode() for path, text in FILES.items()}, "pkg")


def drawn(operator: str, number: int = 0) -> Edit:
    found = Case("pkg", operator, number).draw(TREE)
    assert found is not None, f"{operator} finds no place"
    return found[0]


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_every_operator_finds_its_place(name: str) -> None:
    edit = drawn(name)
    assert edit.about
    assert any(TREE.files.get(path) != content for path, content in edit.files.items())


@pytest.mark.parametrize("name", sorted(o.name for o in OPERATORS.values() if o.intent is Intent.HONEST))
@pytest.mark.parametrize("number", range(4))
def test_what_is_honest_parses(name: str, number: int) -> None:
    for path, content in drawn(name, number).files.items():
        if path.endswith(".py") and content is not None:
            ast.parse(content)


def test_the_same_dice_make_the_same_edit() -> None:
    assert drawn("change-constant") == drawn("change-constant")
    many = {str(drawn("change-constant", number).files) for number in range(8)}
    assert len(many) > 1


def test_a_function_is_deleted_with_its_tests() -> None:
    edit = OPERATORS["delete-with-tests"].apply(TREE, Random(0))
    assert edit is not None
    assert edit.withdrawn == {"tests.test_core::test_unused"}
    assert b"unused" not in (edit.files["tests/test_core.py"] or b"")


def test_a_prefix_has_every_operator() -> None:
    cases = list(every_case(["a", "b"], ["x", "y", "z"], 2, 0))
    assert {case.operator for case in cases[:3]} == {"x", "y", "z"}
    assert len({case.id for case in cases}) == 12
