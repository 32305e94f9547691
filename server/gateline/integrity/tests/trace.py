"""What a walk through a test finds: checks, places where it gives up, and what it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from gateline.analysis.trees import Known, put_in, unparsed
from gateline.integrity.tests.assertion_calls import is_asserting
from gateline.integrity.tests.check import Check
from gateline.model.names import last_name

_TELLING = frozenset({"print", "pprint", "debug", "info", "log"})

_LOOKING = frozenset(
    {"len", "str", "repr", "type", "id", "isinstance", "hasattr", "getattr", "bool", "hash", "int", "float"}
    | {"round", "abs", "callable", "issubclass", "perf_counter", "monotonic"}
)
"""Calls that change nothing."""


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
    handed: set[str] = field(default_factory=set)
    """The names of what was given to a call, which may change it."""
    written: dict[str, ast.expr] = field(default_factory=dict)
    """By the text of a path: what the test itself wrote there."""
    acts: list[str] = field(default_factory=list)
    """What was done that may change what is looked at, as text."""
    bound: dict[str, int] = field(default_factory=dict)
    """By name: how much had been done when it was given a value."""
    growing: frozenset[str] = frozenset()
    """The names whose value is changed elsewhere than in its own statements."""

    def note_calls(self, node: ast.AST) -> None:
        """Note what is called, and what is given to it by name."""
        found = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
        self.calls |= set(map(last_name, found))
        changing = (n for n in found if not is_asserting(n) and last_name(n) not in _LOOKING)
        self.handed |= {given.id for n in changing for given in n.args if isinstance(given, ast.Name)}

    def act(self, node: ast.AST) -> None:
        """Note what is done, unless it only looks or tells."""
        if not is_asserting(node) and last_name(node) not in _TELLING:
            self.acts += _done(node)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Note when a name was given a value; working one out may change others, as setting a part does."""
        if isinstance(value, ast.Call):
            self.acts += _done(value)
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.bound[node.id] = len(self.acts)
            elif isinstance(node, ast.Attribute | ast.Subscript):
                self.acts.append(unparsed(node))

    def standing(self, node: ast.expr, known: Known) -> Known:
        """What names stand for in a comparison: of something with itself, none that was kept before an act.

        `before = f(x); do(); assert f(x) == before` compares two answers.
        """
        if _same_twice(node) or not (same := _same_twice(put_in(node, known))):
            return known
        given = {side.id for side in _sides(node) if isinstance(side, ast.Name)} & self.handed
        # What was given may have been changed: that it was not is what the comparison says.
        given = {name for name in given if isinstance(known.get(name), ast.Dict | ast.List | ast.Set)}
        return {n: value for n, value in known.items() if n not in given and not self._is_old(n, value, same)}

    def _is_old(self, name: str, value: ast.expr, same: str) -> bool:
        """Whether something else was done since a name was given what has been worked out or looked up."""
        made = any(isinstance(node, ast.Call | ast.Attribute) for node in ast.walk(value))
        since = self.acts[self.bound.get(name, len(self.acts)) :]
        return made and any(act != same for act in since)


def _done(node: ast.AST) -> Iterator[str]:
    """What is done, as text; calls that only look, or wait for nothing, do what they are given."""
    if not isinstance(node, ast.Call):
        yield unparsed(node)
    waiting: list[ast.AST] = [node] if isinstance(node, ast.Call) else []
    while waiting:
        part = waiting.pop()
        if not isinstance(part, ast.Call):
            waiting += ast.iter_child_nodes(part)
        elif last_name(part) in _LOOKING or unparsed(part).endswith(("sleep(0)", "sleep(0.0)")):
            waiting += part.args
        else:
            yield unparsed(part)


def _same_twice(node: ast.expr) -> str:
    """What is compared with itself; "" where something else is."""
    sides = [*map(unparsed, _sides(node))]
    return sides[0] if sides and sides[0] == sides[1] else ""


def _sides(node: ast.expr) -> tuple[ast.expr, ...]:
    """The two things that are compared; none where something else is done."""
    match node:
        case ast.Compare(left=left, ops=[_], comparators=[ast.Call(args=[right, *_]) as near]) if (
            last_name(near) == "approx"
        ):
            return left, right
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return left, right
        case ast.Call(args=[left, right, *_]) if last_name(node).startswith("assert"):
            return left, right
        case _:
            return ()
