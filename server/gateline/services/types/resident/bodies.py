"""Which edits stay inside the body of one function, told from the two texts.

Such an edit cannot change what other code sees of the module, so the function can be checked alone. Where
that is not certain, the answer is no: then the whole module is checked, which is always right.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

_SETTINGS = "mypy:"
"""A comment with this may change how the whole file is checked."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Lines:
    """Where a function stands, in one-based lines: the first, that of its first statement, the last."""

    first: int
    body: int
    last: int


@dataclass(frozen=True, slots=True)
class Edit:
    """The lines that differ between two texts: those from `start` up to `stop` were replaced, one-based."""

    start: int
    stop: int
    delta: int
    """How many lines more there are now."""

    @classmethod
    def between(cls, old: Sequence[str], new: Sequence[str]) -> Edit:
        """The smallest run of lines outside of which the texts are equal."""
        shared = min(len(old), len(new))
        head = _equal(old, new, shared)
        tail = _equal(old[::-1], new[::-1], shared - head)
        return cls(head + 1, len(old) - tail + 1, len(new) - len(old))

    def moved(self, line: int) -> int:
        """Where a line of the old text that was not replaced is now."""
        return line + self.delta if line >= self.stop else line

    def replaced(self, line: int) -> bool:
        """Whether a line of the old text is gone."""
        return self.start <= line < self.stop


@dataclass(frozen=True, slots=True)
class Body:
    """A function before and after an edit inside its body."""

    edit: Edit
    first: int
    """Its first line, one-based: the same in both texts."""
    statement: int
    """The line of its first statement before the edit."""
    old: tuple[str, ...]
    new: tuple[str, ...]


def body_edited(old: Sequence[str], new: Sequence[str], at: Lines, edit: Edit) -> Body | None:
    """The function at a place, if the edit stays inside its body; blank lines after it belong to it."""
    blank = sum(1 for _ in takewhile(lambda line: not line.strip(), old[at.last :]))
    last = at.last + blank
    if not at.body <= edit.start <= edit.stop <= last + 1:
        return None
    before, after = old[at.first - 1 : last], new[at.first - 1 : last + edit.delta]
    if any(_SETTINGS in line for line in (*before, *after)):
        return None
    return Body(edit, at.first, at.body, tuple(before), tuple(after))


def stays_inside(body: Body, is_attribute: Callable[[str], bool], *, defines: bool) -> bool:
    """Whether nothing outside the function can tell the difference.

    `is_attribute` knows those of its class: assigning another one would define it. `defines`: the function
    defines attributes, so what it assigns to them says what they are.
    """
    old, new = _function(body.old), _function(body.new)
    return (
        old is not None
        and new is not None
        and _shape(old) == _shape(new)
        and not (defines and _assignments(old) != _assignments(new))
        and not any(isinstance(node, ast.ClassDef | ast.Global) for node in _nodes(old, new))
        and all(map(is_attribute, _attributes_set(new)))
    )


def snippet(body: Body) -> str:
    """A module that holds nothing but the function, on the lines that it has in the whole text.

    An indented one stands under an `if`, on the line above.
    """
    text = "".join(body.new) + "\n"
    if not text[0].isspace():
        return "\n" * (body.first - 1) + text
    return "\n" * (body.first - 2) + "if 1:\n" + text


def _equal(one: Sequence[str], other: Sequence[str], most: int) -> int:
    pairs = zip(one[:most], other[:most], strict=True)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _function(lines: Sequence[str]) -> _Function | None:
    """The one function that these lines are; None when they are anything else."""
    text = "".join(lines)
    try:
        found = ast.parse(f"if 1:\n{text}" if text[:1].isspace() else text).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    if len(found) == 1 and isinstance(found[0], ast.If):
        found = found[0].body
    return found[0] if len(found) == 1 and isinstance(found[0], _Function) else None


def _shape(function: _Function) -> tuple[object, ...]:
    """What an edit must leave as it is: the head, whether the body yields, and what it imports."""
    head = (function.args, function.returns, *function.decorator_list)
    heads = [ast.dump(node) for node in head if node is not None]
    imports = [ast.dump(node) for node in _nodes(function) if isinstance(node, ast.Import | ast.ImportFrom)]
    return type(function), function.name, heads, _yields(function.body), sorted(imports)


def _yields(nodes: Iterable[ast.AST]) -> bool:
    """Whether a function with this body is a generator: what functions inside of it yield is theirs."""
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom)
        or (not isinstance(node, _Function | ast.Lambda) and _yields(ast.iter_child_nodes(node)))
        for node in nodes
    )


def _assignments(function: _Function) -> list[str]:
    """What a method assigns to attributes of its first argument."""
    own = _own(function)
    statements = (node for node in _nodes(function) if isinstance(node, ast.Assign | ast.AnnAssign))
    return [ast.dump(node) for node in statements if _assigns(node, own)]


def _assigns(statement: ast.Assign | ast.AnnAssign, own: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return any(_is_attribute(part, own) for target in targets for part in ast.walk(target))


def _attributes_set(function: _Function) -> set[str]:
    """The attributes of its first argument that a method assigns."""
    own = _own(function)
    return {
        node.attr for node in _nodes(function) if isinstance(node, ast.Attribute) and _is_attribute(node, own)
    }


def _is_attribute(node: ast.AST, own: str) -> bool:
    """Whether this assigns an attribute of the object with this name."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == own
    )


def _own(function: _Function) -> str:
    """The name of the first argument, or ""."""
    arguments = (*function.args.posonlyargs, *function.args.args)
    return arguments[0].arg if arguments else ""


def _nodes(*functions: _Function) -> Iterator[ast.AST]:
    for function in functions:
        yield from ast.walk(function)
