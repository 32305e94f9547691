"""Names that are nowhere bound in and around loops: what the loop runs over, what it binds, what it collects.

`for row in a` where `rows` is the only list; `best = r` in `for row in rows`; `final.append(row)` beside a
list that nothing is put into; `for found in rows` where `found` is the list and `row` is what is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.analysis.scopes import loads
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_LISTS = frozenset({"list", "tuple", "dict", "set"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name without a value in a function with a loop."""
    found = undefined(problem, knowledge)
    if found is None or found.is_unassigned or problem.origin is not Origin.RUN:
        return None
    if not any(_Loops(found).ways()):
        return None
    return Diagnosis(problem, Family.NAME, "name-of-a-loop", "a name in scope", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """Another name, for it or for what the loop binds."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_repairs(question, found))


def _repairs(question: Question, found: Undefined) -> Iterator[Repair]:
    for nodes, name, cost in _Loops(found).ways():
        edits = [found.code.replace(node, name) for node in nodes]
        yield repair(question, f"Change {_text(nodes[0])} to {name}", edits, cost)


def _text(node: ast.Name) -> str:
    return node.id


_Way = tuple[list[ast.Name], str, float]
"""The names to write otherwise, what to write, and what it costs."""


@dataclass(frozen=True)
class _Loops:
    """The loops of the function in which a name is not bound."""

    found: Undefined

    @property
    def code(self) -> Code:
        return self.found.code

    @cached_property
    def function(self) -> Function | None:
        return self.code.function(self.found.node)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return [] if self.function is None else list(walk_scope(self.function))

    @cached_property
    def around(self) -> list[ast.For]:
        """The loops in whose bodies the name is read."""
        outer = self.code.ancestors(self.found.node)
        return [a for a in outer if isinstance(a, ast.For) and self.found.node not in ast.walk(a.iter)]

    def ways(self) -> Iterator[_Way]:
        yield from self._run_over()
        yield from self._bound_here()
        yield from self._best()
        yield from self._collected()
        yield from self._target()

    def _run_over(self) -> Iterator[_Way]:
        """The only parameter that can be run over."""
        loop = self.code.parent(self.found.node)
        if self.function is None or not isinstance(loop, ast.For) or loop.iter is not self.found.node:
            return
        seen = self.found.spot.seen
        able = [a.arg for a in self.function.args.args if seen.get(a.arg) in _LISTS]
        if len(able) == 1:
            yield self.found.in_scope, able[0], prior("names.loop-run-over")

    def _bound_here(self) -> Iterator[_Way]:
        """`best = r`, in a test of what the loop binds."""
        given = self.code.parent(self.found.node)
        test = None if given is None else self.code.parent(given)
        for loop in self.around[:1] if isinstance(given, ast.Assign) and isinstance(test, ast.If) else ():
            target = dotted(loop.target)
            if target and isinstance(test, ast.If) and target in map(dotted, ast.walk(test.test)):
                yield [self.found.node], target, prior("names.loop-bound")

    def _best(self) -> Iterator[_Way]:
        """What a loop picks out of many, and nothing reads behind it."""
        for loop in (n for n in self.nodes if isinstance(n, ast.For) and n not in self.around):
            inside = set(ast.walk(loop))
            picked = [
                n for n in inside if isinstance(n, ast.Assign) and dotted(n.value) == dotted(loop.target)
            ]
            for name in sorted({dotted(n.targets[0]) for n in picked} - {""}):
                behind = [n for n in loads(self.nodes, name) if n not in inside and n.lineno > loop.lineno]
                if not behind and self.found.node.lineno > loop.lineno:
                    yield self.found.in_scope, name, prior("names.loop-best")

    def _collected(self) -> Iterator[_Way]:
        """`final.append(row)` beside a list that is empty for ever."""
        asked = self.code.parent(self.found.node)
        if not isinstance(asked, ast.Attribute) or asked.attr not in {"append", "add", "extend", "insert"}:
            return
        for name in self._empty():
            is_filled = any(
                dotted(changed_by(n) or n) == name for n in self.nodes if changed_by(n) is not None
            )
            if not is_filled and name != self.found.name:
                yield self.found.in_scope, name, prior("names.loop-collected")

    def _target(self) -> Iterator[_Way]:
        """`for found in rows`, where `found` is the list that the loop fills."""
        for loop in self.around:
            if isinstance(loop.target, ast.Name) and loop.target.id in self._empty():
                yield [loop.target], self.found.name, prior("names.loop-target")

    def _empty(self) -> set[str]:
        """The names that begin as an empty collection."""
        given = [n for n in self.nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)]
        empty = [n for n in given if isinstance(n.value, ast.List | ast.Dict) and not list(_held(n.value))]
        once = [n for n in empty if sum(dotted(o.targets[0]) == dotted(n.targets[0]) for o in given) == 1]
        return {dotted(n.targets[0]) for n in once}


def _held(node: ast.List | ast.Dict) -> Iterator[ast.expr]:
    yield from node.elts if isinstance(node, ast.List) else node.values


REPAIRER = Repairer("names of loops", UNDEFINED, diagnose, propose)
