"""A name that has no value yet: its first assignment was lost, or its `global` or `nonlocal`.

The value to begin with follows from the use: what gets `append` is a list, what is counted up is 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Function, walk_scope
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.scopes import bound, stores
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.initial_values import initial_values
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name of a function, or of the module, without a value."""
    found = undefined(problem, knowledge)
    if found is None or (not found.is_unassigned and not found.name.islower()):
        return None
    return Diagnosis(problem, Family.NAME, "unassigned-name", "a first value", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """Declarations and first values."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Lost(question, found).repairs())


@dataclass(frozen=True)
class _Lost:
    question: Question
    found: Undefined

    def repairs(self) -> Iterator[Repair]:
        yield from self._declared()
        yield from self._started()
        yield from self._like_a_sibling()

    @cached_property
    def function(self) -> Function | None:
        return self.found.code.function(self.found.node)

    def _declared(self) -> Iterator[Repair]:
        """The name belongs to the module, or to a function around this one."""
        code, function, name = self.found.code, self.function, self.found.name
        if function is None or not self.found.is_unassigned:
            return
        first = function.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(function.body) > 1:
            first = function.body[1]
        outer = code.function(function)
        keyword = ""
        if outer is not None and any(n.text == name for n in bound(outer)):
            keyword = "nonlocal"
        elif any(n.text == name for n in bound(code.tree)):
            keyword = "global"
        if keyword:
            edit = line_before(code, first, f"{keyword} {name}")
            cost = prior(
                "names.unassigned-declared"
                if self._is_only_changed(function)
                else "names.unassigned-declared-rebound"
            )
            title = f"Declare {name} as {keyword}"
            yield repair(self.question, title, [edit], cost, pattern=f"missing-{keyword}")

    def _is_only_changed(self, function: Function) -> bool:
        """Every assignment builds on the value before it."""
        bindings = stores(walk_scope(function), self.found.name)
        return all(isinstance(self.found.code.parent(b), ast.AugAssign) for b in bindings)

    def _started(self) -> Iterator[Repair]:
        kinds = Kinds(self.found.code, self.question.knowledge, self.found.spot.seen)
        place = self._before()
        if place is None:
            return
        own = self.function or self.found.code.tree
        for value, cost in (*self._firsts(place), *initial_values(kinds, own, self.found.name)):
            edit = line_before(self.found.code, place, f"{self.found.name} = {value}")
            doubt = 0 if self._is_built_up() else prior("names.unassigned-not-built-up")
            yield repair(self.question, f"Start with {self.found.name} = {value}", [edit], cost + doubt)

    def _firsts(self, place: ast.stmt) -> Iterator[tuple[str, float]]:
        """A loop over `rows[1:]` goes on from the first of them."""
        own = self.function or self.found.code.tree
        for loop in (n for n in walk_scope(own) if isinstance(n, ast.For) and n.lineno >= place.lineno):
            rest = loop.iter
            if isinstance(rest, ast.Subscript) and ast.unparse(rest.slice) == "1:":
                first = f"{self.found.code.segment(rest.value)}[0]"
                yield f"[{first}]", prior("names.unassigned-first-in-list")
                yield first, prior("names.unassigned-first")

    def _is_built_up(self) -> bool:
        """It is changed where it stands, so it must have had a value before."""
        for node in walk_scope(self.function or self.found.code.tree):
            if isinstance(node, ast.AugAssign) and _is(node.target, self.found.name):
                return True
            if isinstance(node, ast.Attribute | ast.Subscript) and _is(node.value, self.found.name):
                parent = self.found.code.parent(node)
                stands_alone = isinstance(parent, ast.Call) and isinstance(
                    self.found.code.parent(parent), ast.Expr
                )
                if stands_alone or isinstance(node.ctx, ast.Store):
                    return True
        return self.found.is_unassigned

    def _before(self) -> ast.stmt | None:
        """The outermost loop around the first use, or the statement itself."""
        code, own = self.found.code, self.function or self.found.code.tree
        uses = [n for n in walk_scope(own) if isinstance(n, ast.Name) and n.id == self.found.name]
        if not uses:
            return None
        place = code.statement(min(uses, key=lambda n: n.lineno))
        for outer in code.ancestors(uses[0]):
            if outer is own:
                break
            if isinstance(outer, _LOOPS) or (isinstance(outer, ast.stmt) and code.parent(outer) is own):
                place = outer
        return place

    def _like_a_sibling(self) -> Iterator[Repair]:
        """`rows = [...]` was lost beside `columns = [...]`: the two are used in the same way."""
        own = self.function or self.found.code.tree
        mine = set(words(self.found.name))
        for name in dict.fromkeys(n.id for n in walk_scope(own) if isinstance(n, ast.Name)):
            bindings = stores(walk_scope(own), name)
            parent = self.found.code.parent(bindings[0]) if bindings else None
            if name == self.found.name or not mine & set(words(name)) or not isinstance(parent, ast.Assign):
                continue
            if len(parent.targets) == 1 and parent.targets[0] is bindings[0]:
                text = f"{self.found.name} = {self.found.code.segment(parent.value)}"
                edit = line_before(self.found.code, parent, text)
                yield repair(
                    self.question,
                    f"Initialise {self.found.name} like {name}",
                    [edit],
                    prior("names.unassigned-like-sibling"),
                )


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


REPAIRER = Repairer("unassigned names", UNDEFINED, diagnose, propose)
