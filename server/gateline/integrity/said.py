"""What a walk through a test finds: checks, places where it gives up, and what it calls."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gateline.integrity.calls import is_asserting
from gateline.integrity.check import Check
from gateline.integrity.text import Known, last_name, put_in, unparsed

_TELLING = frozenset({"print", "pprint", "debug", "info", "log"})


@dataclass(frozen=True, slots=True)
class Skip:
    """A place where a test gives up, and the condition (None: always)."""

    node: ast.stmt
    how: str
    condition: ast.expr | None


@dataclass
class Said:
    """What a test says."""

    checks: list[Check] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    """The names of what it calls."""
    written: dict[str, ast.expr] = field(default_factory=dict)
    """By the text of a path: what the test itself wrote there."""
    acts: int = 0
    """How often something was done that may change what is looked at."""
    bound: dict[str, int] = field(default_factory=dict)
    """By name: how much had been done when it was given a value."""

    def act(self, node: ast.AST) -> None:
        """Note what is done, unless it only looks or tells."""
        if not is_asserting(node) and last_name(node) not in _TELLING:
            self.acts += 1

    def bind(self, target: ast.expr) -> None:
        """Note what a name was given a value at; what is no name is changed by it."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.bound[node.id] = self.acts
            elif isinstance(node, ast.Attribute | ast.Subscript):
                self.acts += 1

    def standing(self, node: ast.expr, known: Known) -> Known:
        """What names stand for in a comparison: of something with itself, none that was kept before an act.

        `before = f(x); do(); assert f(x) == before` compares two answers.
        """
        if _is_of_itself(node) or not _is_of_itself(put_in(node, known)):
            return known
        return {name: value for name, value in known.items() if not (self._is_old(name) and _is_made(value))}

    def _is_old(self, name: str) -> bool:
        return self.bound.get(name, self.acts) < self.acts


def _is_made(value: ast.expr) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(value))


def _is_of_itself(node: ast.expr) -> bool:
    match node:
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return unparsed(left) == unparsed(right)
        case ast.Call(args=[left, right, *_]):
            return last_name(node).startswith("assert") and unparsed(left) == unparsed(right)
        case _:
            return False
