"""Values that a function promises, in a module beside the one that failed."""

from __future__ import annotations

import pytest

from gateline.model import Frame, Origin, Problem, Question, Span
from gateline.repairs.edits import apply_all
from gateline.repairs.families.returns.promised_values import diagnose, propose
from gateline.repairs.texts import Texts

VISIT = "import tree\n\n\ndef visit(node):\n    return node['type']\n"
NONE = "'NoneType' object is not subscriptable"


def repaired(tree: str) -> list[str]:
    """What may become of the module beside the one that failed, the likeliest first."""
    texts = {"visit.py": VISIT, "tree.py": tree}
    frames = (Frame("visit.py", 4, "visit", ours=True),)
    problem = Problem(Origin.RUN, "TypeError", NONE, "visit.py", Span.of(4, 0, 5, 0), frames)
    knowledge = Texts(texts)
    diagnosis = diagnose(problem, knowledge)
    assert diagnosis is not None
    found = list(propose(Question(diagnosis, knowledge)))
    return [apply_all({"tree.py": tree}, repair.edits)["tree.py"] for repair in found]


@pytest.mark.parametrize(
    ("tree", "after"),
    [
        (
            (
                "def all_of(n):\n    rows = []\n    def each():\n        yield n\n"
                "    for row in each():\n        rows.append(row)\n"
            ),
            (
                "def all_of(n):\n    rows = []\n    def each():\n        yield n\n"
                "    for row in each():\n        rows.append(row)\n    return rows\n"
            ),
        ),
        (
            "def all_of(n):\n    rows = []\n    rows.append(n)",
            "def all_of(n):\n    rows = []\n    rows.append(n)\n    return rows\n",
        ),
        (
            "def all_of(n):\n    rows = []\n    rows.append(n)\n    return\n",
            "def all_of(n):\n    rows = []\n    rows.append(n)\n    return rows\n",
        ),
        (
            "def plain(n):\n    if isinstance(n, str):\n        return\n    return n.decode()\n",
            "def plain(n):\n    if isinstance(n, str):\n        return n\n    return n.decode()\n",
        ),
        (
            "def copy(n) -> Tree:\n    c = Tree(n)\n    c.a = n.a\n    c.b |= n.b\n",
            "def copy(n) -> Tree:\n    c = Tree(n)\n    c.a = n.a\n    c.b |= n.b\n    return c\n",
        ),
        (
            (
                "ROWS = {}\nNAMES = {}\ndef made(rows=None, names=None):\n    if rows is None:\n"
                "        rows = ROWS.copy()\n    made.rows = rows\n    made.names = names\n"
            ),
            (
                "ROWS = {}\nNAMES = {}\ndef made(rows=None, names=None):\n    if names is None:\n"
                "        names = NAMES.copy()\n    if rows is None:\n        rows = ROWS.copy()\n"
                "    made.rows = rows\n    made.names = names\n"
            ),
        ),
        (
            "def to_a(n): return n\ndef to_b(n): return n\ndef to_c(n):\n    n.m = 1\n",
            "def to_a(n): return n\ndef to_b(n): return n\ndef to_c(n):\n    n.m = 1\n    return n\n",
        ),
        (
            "class T:\n    def __new__(cls):\n        self = super().__new__(cls)\n        self.n = 1\n",
            (
                "class T:\n    def __new__(cls):\n        self = super().__new__(cls)\n        self.n = 1\n"
                "        return self\n"
            ),
        ),
        (
            "def f(n):\n    if n == 1:\n        return g(n)\n    if n:\n        return h(n)\n",
            "def f(n):\n    if n == 1:\n        return g(n)\n    if n:\n        return h(n)\n    return n\n",
        ),
    ],
    ids=[
        "beside a generator",
        "without a last line end",
        "before an empty return",
        "what was asked about",
        "by the header",
        "as another parameter",
        "as all of its kind",
        "what was made",
        "as it came",
    ],
)
def test_it_is_given(tree: str, after: str) -> None:
    assert repaired(tree)[0] == after


@pytest.mark.parametrize(
    "tree",
    [
        "def to_a(n): return n\ndef to_b(n): return n\ndef set_c(n):\n    n.m = 1\n",
        "def leaf(n):\n    if n:\n        return\n    print(n)\n",
        "def leaf(n) -> None:\n    m = n\n    m.top = 1\n    n.leaf = m\n",
        "def leaf(n) -> Tree:\n    m = n\n    m.top = 1\n    raise ValueError(m)\n",
        "def leaf(n) -> Iterator[int]:\n    m = n\n    yield m\n    return\n",
        "def made(rows=None, names=None):\n    made.rows = rows\n    made.names = names\n",
    ],
    ids=["of another kind", "a procedure", "none", "raises", "generator", "no precedent"],
)
def test_nothing_was_promised(tree: str) -> None:
    assert repaired(tree) == []
