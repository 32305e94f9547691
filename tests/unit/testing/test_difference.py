"""What separates two contents: bodies, what runs at import, and where the rest stands now."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.testing.difference import EVERYTHING, called, difference
from gateline.testing.trace import bits_of, lines_of

BASE = dedent('''\
    """A shop."""
    import os

    RATE = 2


    def price(n, vat=None):
        """Say what it costs."""
        if vat:
            n = n * vat
        return round(
            n,
        )


    class Cart:
        size = 0

        @property
        def total(self):
            return self.size

        @total.setter
        def total(self, value):
            self.size = value

        def walk(self):
            def inner():
                return 1
            return inner()


    if os.name == "nt":
        def last():
            return 1
    else:
        def last():
            return 2
    ''')

BODIES = {
    "a statement": ("n = n * vat", "n = n + vat", ["price"]),
    "a line more": ("    if vat:", "    n = n + 0\n    if vat:", ["price"]),
    "a getter": ("return self.size", "return self.size + 1", ["Cart.total"]),
    "a setter": ("self.size = value", "self.size = 1", ["Cart.total"]),
    "inside": (
        "            return 1\n        return inner",
        "            return 2\n        return inner",
        ["Cart.walk"],
    ),
    "one of two": ("    def last():\n        return 2", "    def last():\n        return 3", ["last"]),
    "a comment": ("RATE = 2", "RATE = 2  # times", []),
    "layout": ("RATE = 2", "RATE = (\n    2\n)\n\n\n", []),
    "a wrapped call": ("round(\n        n,\n    )", "round(n)", []),
    "a new function": ("class Cart:", "def fresh(a, b=1):\n    return a\n\n\nclass Cart:", []),
}
IMPORTS = {
    "a constant": ("RATE = 2", "RATE = 3"),
    "a default that is computed": ("vat=None", "vat=os.getcwd()"),
    "a docstring that is tried": ("Say what it costs.", ">>> price(1)"),
    "an annotation that may be unknown": ("n, vat", "n: Price, vat"),
    "an annotation that may not be there": ("n, vat", "n: os.Price, vat"),
    "an annotation that fails": ("n, vat", 'n: "Price" | None, vat'),
    "the module's docstring": ("A shop.", "The shop."),
    "a decorator": ("    @property\n", ""),
    "a class's field": ("size = 0", "size = 1"),
    "a method": ("    @property\n", "    def more(self):\n        pass\n\n    @property\n"),
    "a name": ("def price", "def cost"),
    "a function less": ("else:\n    def last():\n        return 2\n", ""),
    "an import": ("import os", "import os, sys"),
    "a condition": ('"nt"', '"posix"'),
    "a new function with a known name": ("class Cart:", "def os():\n    pass\n\n\nclass Cart:"),
    "a new function with a built-in's name": ("class Cart:", "def round(n):\n    pass\n\n\nclass Cart:"),
    "a new decorated function": ("class Cart:", "@os.register\ndef fresh():\n    pass\n\n\nclass Cart:"),
    "a new hook": ("class Cart:", "def pytest_runtest_setup():\n    pass\n\n\nclass Cart:"),
    "a new default that is computed": ("class Cart:", "def fresh(a=os.getcwd()):\n    pass\n\n\nclass Cart:"),
}


@pytest.mark.parametrize(("old", "new", "names"), BODIES.values(), ids=BODIES)
def test_bodies(old: str, new: str, names: list[str]) -> None:
    assert BASE.count(old) == 1
    found = difference(BASE, BASE.replace(old, new))
    assert (found.at_import, [body.name for body in found.bodies]) == (False, names)


HEADS = {
    "a default": ("vat=None", "vat=1"),
    "a default more": ("vat=None", "vat=None, *, more=(-1, 'x')"),
    "a parameter": ("n, vat", "n, m, vat"),
    "a docstring": ("Say what it costs.", "Say the price."),
    "no docstring": ('    """Say what it costs."""\n', ""),
    "annotations": ("n, vat=None)", 'n: int | None, vat: "os.Price" = None) -> list[int]'),
    "lines": ("n, vat=None", "n,\n    vat=1,\n"),
}
LOOKED_AT = {
    "nothing": ("", False),
    "it is called": ("price(1)\n", False),
    "it is a decorator": ("@price\ndef other():\n    pass\n", True),
    "it is handed on": ("os.register(price)\n", True),
    "it has another name": ("cost = price\n", True),
    "its name is a text": ("__all__ = ['price']\n", False),
    "an annotation names it": ("rate: price = 1\n", False),
}


@pytest.mark.parametrize(("old", "new"), HEADS.values(), ids=HEADS)
def test_what_only_callers_use_of_a_head_belongs_to_the_function(old: str, new: str) -> None:
    assert BASE.count(old) == 1
    text = BASE.replace(old, new)
    found = difference(BASE, text)
    assert (found.at_import, [(body.name, body.is_head) for body in found.bodies]) == (
        False,
        [("price", True)],
    )
    before, after = beginnings(BASE), beginnings(text)
    head, docstring = 6, 7
    assert before.keys() - found.kept.keys() <= {docstring}
    assert all(before[line] == after[found.kept[line]] for line in before.keys() - {head, docstring})


@pytest.mark.parametrize(("more", "at_import"), LOOKED_AT.values(), ids=LOOKED_AT)
def test_a_head_that_something_looks_at_matters_at_import(more: str, at_import: bool) -> None:
    assert difference(BASE + more, BASE.replace("vat=None", "vat=1") + more).at_import == at_import


@pytest.mark.parametrize(
    ("text", "at_import"),
    [
        ("class A:\n    def f(self, {}):\n        return 1\n", False),
        ("class A:\n    @staticmethod\n    def f({}):\n        return 1\n", False),
        ("class A:\n    @route('/')\n    def f(self, {}):\n        return 1\n", True),
        ("class A(metaclass=M):\n    def f(self, {}):\n        return 1\n", True),
        ("@api\nclass A:\n    def f(self, {}):\n        return 1\n", True),
        ("@dataclass\nclass A:\n    def f(self, {}):\n        return 1\n", False),
        ("class A:\n    def f(self, {}):\n        'Says nothing.'\n", True),
        ("def f({}):\n    '>>> f(1)'\n    return 1\n", False),
        ("from a import B\ndef f({}) -> B:\n    return 1\n", False),
        ("if TYPE_CHECKING:\n    from a import B\ndef f({}) -> B:\n    return 1\n", True),
        ("def pytest_configure({}):\n    return 1\n", True),
        ("class A:\n    def f(self, {}) -> A:\n        return 1\n", True),
        (
            "from __future__ import annotations\nclass A:\n    def f(self, {}) -> A:\n        return 1\n",
            False,
        ),
    ],
)
def test_whether_a_class_or_a_decorator_looks_at_the_head(text: str, at_import: bool) -> None:
    bare = text.replace(" -> A", "").replace(" -> B", "")
    assert difference(bare.format("x"), text.format("x, y=1")).at_import == at_import


@pytest.mark.parametrize(("old", "new"), IMPORTS.values(), ids=IMPORTS)
def test_what_runs_at_import(old: str, new: str) -> None:
    assert BASE.count(old) == 1
    assert difference(BASE, BASE.replace(old, new)).at_import


@pytest.mark.parametrize(("old", "new", "names"), BODIES.values(), ids=BODIES)
def test_kept_lines_are_the_same_code(old: str, new: str, names: list[str]) -> None:
    text = BASE.replace(old, new)
    found = difference(BASE, text)
    before, after = beginnings(BASE), beginnings(text)
    for line, moved in found.kept.items():
        if line in before:
            assert before[line] == after[moved]
    changed = lines_of(found.changed)
    assert not changed & found.kept.keys()
    # Every statement is either kept or in a changed body.
    assert before.keys() <= found.kept.keys() | changed


def beginnings(text: str) -> dict[int, list[str]]:
    """By line, the statements that begin there, without what is inside them."""
    found: dict[int, list[str]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            found.setdefault(node.lineno - 1, []).append(ast.unparse(node).splitlines()[0])
    return found


def test_a_changed_body_is_told_with_its_old_lines() -> None:
    (body,) = difference(BASE, BASE.replace("n = n * vat", "n = 0\n        n = 1")).bodies
    assert lines_of(body.lines) == set(range(8, 13))


def test_texts_that_do_not_parse_leave_nothing() -> None:
    assert difference(BASE, "def f(:\n") == EVERYTHING == difference("def f(:\n", BASE)
    assert called("def f(:\n", 1) == frozenset()


def test_statements_that_part_are_not_guessed() -> None:
    found = difference("def f():\n    a = 1; b = 2\n", "def f():\n    a = 1\n    b = 2\n")
    assert 1 not in found.kept


def test_called_functions_are_found_by_their_lines() -> None:
    assert called(BASE, bits_of([9, 20])) == {"price", "Cart.total"}
    assert called(BASE, bits_of([0, 1, 3, 6, 15])) == frozenset()


NAMES = st.sampled_from(["a", "b", "c"])
BODY = st.lists(st.sampled_from(["x = 1", "x = 2", "return x", "y(x)"]), min_size=1, max_size=3)


@st.composite
def modules(draw: st.DrawFn) -> str:
    """Small modules with comments, blank lines, functions and classes."""
    rows: list[str] = []
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(["function", "method", "statement", "comment", "blank"]))
        name, body = draw(NAMES), draw(BODY)
        if kind == "function":
            rows += [f"def {name}():", *(f"    {row}" for row in body)]
        elif kind == "method":
            rows += [f"class {name.upper()}:", f"    def {name}(self):", *(f"        {row}" for row in body)]
        elif kind == "statement":
            rows.append(f"{name} = {draw(st.integers(0, 2))}")
        else:
            rows.append("# note" if kind == "comment" else "")
    return "\n".join(rows) + "\n"


@given(modules(), modules())
@settings(max_examples=100, deadline=None)
def test_kept_lines_hold_for_any_two_texts(old: str, new: str) -> None:
    found = difference(old, new)
    before, after = old.splitlines(), new.splitlines()
    for line, moved in found.kept.items():
        assert before[line] == after[moved]
    if not found.at_import and not found.bodies:
        strip = [row for row in before if row.strip() and not row.startswith("#")]
        assert strip == [after[found.kept[n]] for n, row in enumerate(before) if row in strip]


@given(modules())
@settings(deadline=None)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    found = difference(text, text)
    assert (found.at_import, found.bodies) == (False, ())
