"""What a changed text does differently at import, and where its functions went."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from gateline.services.tests.far.contents.compare import Comparison, DifferenceError


def compared(old: str, new: str, ran: set[int] | None = None) -> Comparison:
    before, after = dedent(old).encode(), dedent(new).encode()
    comparison = Comparison(before, after, ran or set())
    comparison.modules(ast.parse(before), ast.parse(after))
    return comparison


BASE = """\
import os

LIMIT = 10

def deco(function):
    @wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper

@deco
def first(a, b=LIMIT):
    inner = lambda x: x
    return inner(a)

class Shape(Base):
    '''A shape.'''

    sides: int = 4

    def area(self) -> int:
        return self.size

    @property
    def name(self):
        return 'shape'

if os.name == 'posix':
    def last():
        pass
else:
    def last():
        return 1

key = lambda n: n
"""
RAN = {5}
"""`deco` was called."""

SAME = {
    "a body": ("return inner(a)", "return inner(b)"),
    "a longer body": ("    return inner(a)\n", "    for n in a:\n        print(n)\n    return a\n"),
    "a comment": ("LIMIT = 10", "LIMIT = 10  # at most"),
    "blank lines": ("class Shape", "\n\n\nclass Shape"),
    "another way to write it": ("LIMIT = 10", "LIMIT = (\n    10\n)"),
    "a method": ("return self.size", "return self.size + 1"),
    "a body in a branch": ("        pass", "        return 2"),
    "a lambda's body": ("lambda n: n", "lambda n: n + 1"),
    "a closure's body": ("        return function(*args)", "        return function(*args) + 1"),
    "quotes": ("'posix'", '"posix"'),
}
OTHER = {
    "a constant": ("LIMIT = 10", "LIMIT = 11", "line 3: code that runs at import"),
    "its type": ("LIMIT = 10", "LIMIT = 10.0", "line 3: code that runs at import"),
    "a new statement": (
        "LIMIT = 10",
        "LIMIT = 10\nMORE = 1",
        "a statement that runs at import was added or removed",
    ),
    "an import": ("import os", "import os, sys", "code that runs at import"),
    "a default": ("b=LIMIT", "b=None", "the signature or decorators of first"),
    "a parameter": ("(a, b=LIMIT)", "(a, c=LIMIT)", "the signature or decorators of first"),
    "an annotation": ("-> int", "-> str", "the signature or decorators of area"),
    "a name": ("def first", "def second", "the signature or decorators of second"),
    "async": ("def area", "async def area", "a statement that runs at import changed"),
    "a decorator": ("@deco\n", "", "the signature or decorators of first"),
    "another decorator": ("@deco\n", "@other\n", "the signature or decorators of first"),
    "a docstring": (
        "def area(self) -> int:\n",
        "def area(self) -> int:\n        'Says.'\n",
        "the docstring of area",
    ),
    "a class's docstring": ("'''A shape.'''", "'''The shape.'''", "code that runs at import"),
    "a base": ("Shape(Base)", "Shape", "code that runs at import"),
    "a field": ("sides: int = 4", "sides: float = 4", "code that runs at import"),
    "a condition": ("'posix'", "'nt'", "code that runs at import"),
    "a called function": ("    return wrapper", "    return function", "deco was called"),
    "a called function's inner head": ("wrapper(*args)", "wrapper(*all)", "deco was called"),
    "a called function's decorator": ("    @wraps(function)\n", "", "deco was called"),
    "a lambda's parameter": ("lambda n: n", "lambda m: n", "code that runs at import"),
    "a method's removal": (
        "    @property\n    def name(self):\n        return 'shape'\n",
        "",
        "statement that runs at import was added or removed",
    ),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME)
def test_the_import_is_the_same(old: str, new: str) -> None:
    assert BASE.count(old) == 1
    compared(BASE, BASE.replace(old, new), RAN)


@pytest.mark.parametrize(("old", "new", "what"), OTHER.values(), ids=OTHER)
def test_the_import_is_another_one(old: str, new: str, what: str) -> None:
    assert BASE.count(old) == 1
    with pytest.raises(DifferenceError) as raised:
        compared(BASE, BASE.replace(old, new), RAN)
    assert what in str(raised.value)


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME)
def test_every_function_is_found_again(old: str, new: str) -> None:
    text = BASE.replace(old, new)
    comparison = compared(BASE, text, RAN)
    for before, after in zip(living(BASE), living(text), strict=True):
        assert comparison.moved(before) == after


def living(text: str) -> list[int]:
    """The first lines of functions that live after the import of `BASE`, in their order."""
    nodes = list(ast.walk(ast.parse(text)))
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef)]
    found = [n.decorator_list[0].lineno if n.decorator_list else n.lineno for n in functions]
    return [*found, max(n.lineno for n in nodes if isinstance(n, ast.Lambda))]


def test_functions_that_began_on_one_line_and_parted_are_not_guessed() -> None:
    comparison = compared("a = lambda: 1; b = lambda: 2\n", "a = lambda: 1\nb = lambda: 3\n")
    assert comparison.moved(1) is None


def test_a_function_on_the_first_line_alone_is_taken_to_have_run() -> None:
    with pytest.raises(DifferenceError, match="f was called"):
        compared("def f(): return 1\n", "def f(): return 2\n")


def test_what_is_inside_a_function_that_did_not_run_is_not_looked_for() -> None:
    comparison = compared(
        "x = 1\ndef f():\n    def g(): pass\n    return g\n", "x = 1\ndef f():\n    return 1\n"
    )
    assert (comparison.moved(2), comparison.moved(3)) == (2, None)
