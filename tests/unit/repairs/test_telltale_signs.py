"""Slips that are seen in the code, far from the error that came of them."""

from __future__ import annotations

import pytest

from gateline.model import Frame, Origin, Problem, Question, Span
from gateline.repairs.edits import apply_all
from gateline.repairs.families.bug_patterns.telltale_signs import diagnose, propose
from gateline.repairs.texts import Texts

VISIT = "import tree\n\n\ndef visit(node):\n    return node['type']\n"
NONE = "'NoneType' object is not subscriptable"
METHOD = "del rows[1]\nTypeError: 'method' object is not subscriptable"
FUNCTION = "'function' object is not subscriptable"
TUPLE = "first argument must be string or compiled pattern"


def repaired(tree: str, message: str, origin: Origin = Origin.RUN) -> list[str]:
    """What may become of the module beside the one that failed, the likeliest first."""
    texts = {"visit.py": VISIT, "tree.py": tree, "test_tree.py": tree}
    seen = (("node", "tuple"),) if message is TUPLE else ()
    frames = (Frame("visit.py", 4, "visit", ours=True, seen=seen),)
    problem = Problem(origin, "TypeError", message, "visit.py", Span.of(4, 0, 5, 0), frames)
    knowledge = Texts(texts)
    diagnosis = diagnose(problem, knowledge)
    if diagnosis is None:
        return []
    found = list(propose(Question(diagnosis, knowledge)))
    assert all(edit.path == "tree.py" for repair in found for edit in repair.edits)
    return [apply_all(texts, repair.edits)["tree.py"] for repair in found]


@pytest.mark.parametrize(
    ("tree", "message", "after"),
    [
        ("def leaf(n):\n    {'n': n}\n", NONE, "def leaf(n):\n    return {'n': n}\n"),
        (
            "def leaf(n):\n    if n:\n        n.left\n    else:\n        return n\n",
            NONE,
            "def leaf(n):\n    if n:\n        return n.left\n    else:\n        return n\n",
        ),
        (
            "def all_of(rows):\n    rows = rows.append(1)\n    return rows\n",
            NONE,
            "def all_of(rows):\n    rows.append(1)\n    return rows\n",
        ),
        (
            "def leaf(n):\n    if n.left is None:\n        return n\n    leaf(n.left)\n",
            NONE,
            "def leaf(n):\n    if n.left is None:\n        return n\n    return leaf(n.left)\n",
        ),
        (
            "def top(n):\n    return n.top\ndef leaf(n):\n    top(n)\n",
            NONE,
            "def top(n):\n    return n.top\ndef leaf(n):\n    return top(n)\n",
        ),
        (
            "class T:\n    def at(self, n):\n        pass\n    def top(self, n):\n        use(self.at[n])\n",
            METHOD,
            "class T:\n    def at(self, n):\n        pass\n    def top(self, n):\n        use(self.at(n))\n",
        ),
        (
            "class T:\n    def of(self, m=0, n=None):\n        self.m = m or {}\n        self.n = n\n",
            NONE,
            "class T:\n    def of(self, m=0, n=None):\n        self.m = m or {}\n        self.n = n or {}\n",
        ),
        ("def leaf(n):\n    m = n,\n    return m\n", TUPLE, "def leaf(n):\n    m = n\n    return m\n"),
        (
            "class Tree:\n    def root(self):\n        pass\n    def top(self):\n        return self.root\n",
            FUNCTION,
            (
                "class Tree:\n    def root(self):\n        pass\n    def top(self):\n"
                "        return self.root()\n"
            ),
        ),
        (
            "def plain(n):\n    pass\na = m(1).plain()\nb = m(2).plain()\nc = m(3).plain\n",
            FUNCTION,
            "def plain(n):\n    pass\na = m(1).plain()\nb = m(2).plain()\nc = m(3).plain()\n",
        ),
        (
            "import ast\na = [ast.leaf(), 1]\nb = [ast.leaf(), 2]\nc = [ast.leaf, 3]\n",
            FUNCTION,
            "import ast\na = [ast.leaf(), 1]\nb = [ast.leaf(), 2]\nc = [ast.leaf(), 3]\n",
        ),
    ],
    ids=[
        "not returned",
        "in a branch",
        "in place",
        "in one branch alone",
        "of another function",
        "square brackets",
        "empty as beside",
        "comma",
        "method",
        "alone once",
        "as elsewhere",
    ],
)
def test_a_sign_is_found_elsewhere(tree: str, message: str, after: str) -> None:
    assert repaired(tree, message) == [after]


@pytest.mark.parametrize(
    "tree",
    [
        'def leaf(n):\n    """A leaf."""\n',
        "def leaf(n):\n    ...\n",
        "def leaf(n):\n    print(n)\n",
        "def leaf(n):\n    yield n\n",
        "def leaf(n):\n    if n is None:\n        return None\n    print(n)\n",
        "def top(n):\n    n.top = 1\ndef leaf(n):\n    top(n)\n",
        "def all_of(rows):\n    rest = rows.pop()\n    return rest\n",
        "def leaf(n):\n    return (n,)\n",
        "def stop(tree):\n    if tree.root is not None:\n        tree.root = None\n",
    ],
)
def test_nothing_is_a_sign_that_people_write(tree: str) -> None:
    assert [repaired(tree, message) for message in (NONE, TUPLE, FUNCTION)] == [[], [], []]


def test_a_type_checker_cannot_judge_them() -> None:
    assert not repaired("def leaf(n):\n    {'n': n}\n", NONE, Origin.TYPES)
