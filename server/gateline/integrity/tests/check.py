"""One thing that a test checks, in a form that can be compared."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gateline.analysis.mutated_names import GROWN
from gateline.analysis.trees import constants, names, text_of

VACUOUS, WEAK, PARTIAL, NEARLY, EXACT = range(5)
"""How much a check says: nothing; something of many (`> 0`); a part (`in`); all but a little (`lower()`);
the very value."""

_WRAPPERS = frozenset(
    {
        "len",
        "sorted",
        "set",
        "frozenset",
        "list",
        "tuple",
        "dict",
        "str",
        "repr",
        "bool",
        "type",
        "isinstance",
        "issubclass",
        "any",
        "all",
        "round",
        "abs",
        "hasattr",
        "callable",
    }
)
_QUESTIONS = frozenset(
    {"keys", "values", "startswith", "endswith", "issubset", "issuperset", "lower", "strip", "upper", "split"}
)


@dataclass(frozen=True, slots=True)
class Check:
    """That something, `subject`, stands in a relation to something that is expected."""

    subject: ast.expr
    relation: str
    expected: ast.expr | None
    strength: int
    node: ast.AST = field(compare=False)
    """The statement that says so, for its place."""
    text: str = ""
    """The same for all checks that say the same."""
    subject_text: str = ""
    core: str = ""
    """The text of what is looked at, without `len`, `sorted` and the like around it."""
    constants: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    @property
    def exact(self) -> bool:
        """Whether no other value would do."""
        return self.strength == EXACT

    @property
    def expectation(self) -> str:
        """The text of what is expected; "" when that is only a truth."""
        return "" if self.expected is None else text_of(self.expected)


def check(subject: ast.expr, relation: str, expected: ast.expr | None, strength: int, node: ast.AST) -> Check:
    """A check with what is derived from its parts."""
    parts = [subject] if expected is None else [subject, expected]
    said = " ".join([text_of(subject), relation, *(text_of(part) for part in parts[1:])])
    return Check(
        subject,
        relation,
        expected,
        strength,
        node,
        said,
        text_of(subject),
        text_of(core_of(subject)),
        frozenset().union(*(constants(part) for part in parts)),
        frozenset().union(*(names(part) for part in parts)) - {GROWN},
    )


def raised_by(node: ast.expr) -> ast.expr | None:
    """What raised the error that an expression is, or is a part of; None of anything else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    match node:
        case ast.Call(func=ast.Name(id="raised"), args=[act]):
            return act
        case _:
            return None


def core_of(node: ast.expr) -> ast.expr:
    """What an expression is about: `x` in `len(x)`, `sorted(x)`, `x.startswith("a")`, `await x`."""
    match node:
        case ast.Await():
            return core_of(node.value)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _WRAPPERS:
            return core_of(first)
        case ast.Call(func=ast.Attribute(attr=name, value=value)) if name in _QUESTIONS:
            return core_of(value)
        case ast.Subscript(value=value, slice=ast.Slice()):
            return core_of(value)
        case ast.Attribute() | ast.Subscript() | ast.Call() if (act := raised_by(node)) is not None:
            return core_of(act)
        case _:
            return node
