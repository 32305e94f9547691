"""A value that nobody defined: what stands in the same expression elsewhere, beside it, or nothing.

`i % k` beside `i % 3` and `i % 5` is one of these; `step(NULL, rows)` in `step` passes its parameter on;
`x.first, second = pair` needs no `x`. Tests decide between what is left.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from gateline.model import Diagnosis, Edit, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code, Function, parameters, walk_scope
from gateline.repairs.analysis.scopes import Kind, Name, attributes_of_self, loads, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.precedents import precedents
from gateline.repairs.edit_builder import cheapest, fitted, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_HELD = {Kind.PARAMETER, Kind.LOCAL, Kind.OUTER, Kind.MODULE}
_OPPOSITES = {"'0'": "'1'", "'1'": "'0'", "0": "1", "1": "0", "True": "False", "False": "True"}
_PAIRS = (("left", "right"), ("first", "second"), ("start", "end"), ("low", "high"), ("head", "tail"))
_COUNTERPARTS = {**dict(_PAIRS), **{two: one for one, two in _PAIRS}}
_MOST = 4
"""Attributes that are tried beside one."""
_CONTAINERS = {"list", "dict", "tuple", "collections.defaultdict", "collections.OrderedDict", ""}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name that is read as a value, in a run: a type checker is content with anything that is bound."""
    found = undefined(problem, knowledge)
    if found is None or found.is_unassigned or problem.origin is not Origin.RUN:
        return None
    return Diagnosis(problem, Family.NAME, "undefined-value", "a value", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """Other values in its place, and the text without it."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Values(question, found).repairs())


@dataclass(frozen=True)
class _Values:
    question: Question
    found: Undefined

    @property
    def code(self) -> Code:
        return self.found.code

    @cached_property
    def scope(self) -> dict[str, Name]:
        return visible(self.code, self.found.node)

    @cached_property
    def parent(self) -> ast.AST | None:
        return self.code.parent(self.found.node)

    def repairs(self) -> Iterator[Repair]:
        yield from self._without()
        if isinstance(self.parent, ast.Call) and self.parent.func is self.found.node:
            return
        yield from self._caught()
        yield from self._as_elsewhere()
        yield from self._neighbours()
        yield from self._other_half()
        yield from self._passed_on()
        yield from self._indexed()

    def _written(self, text: str, cost: float) -> Repair:
        edit = self.code.replace(self.found.node, text)
        return repair(self.question, f"Write {text}", [edit], cost)

    def _as_elsewhere(self) -> Iterator[Repair]:
        """What stands in its place where the text says the same."""
        for other, cost in precedents(self.code, self.found.node):
            names = {n.id for n in ast.walk(other) if isinstance(n, ast.Name)}
            if self.found.name in names or not names <= set(self.scope) or "\n" in self.code.segment(other):
                continue
            yield self._written(
                self._fitted(self.found.node, other), prior("names.value-as-elsewhere") + cost
            )
            if (opposite := _OPPOSITES.get(ast.unparse(other))) is not None:
                yield self._written(opposite, prior("names.value-opposite-elsewhere") + cost)

    def _fitted(self, node: ast.AST, other: ast.expr) -> str:
        """Another expression, as it may be written in place of a node."""
        text = self.code.segment(other)
        return fitted(self.code, node, text) if isinstance(other, _LOOSE) else text

    def _caught(self) -> Iterator[Repair]:
        """`except ValueError as exc: log(error)`: the error that is handled, which nothing reads."""
        for outer in self.code.ancestors(self.found.node):
            if isinstance(outer, ast.ExceptHandler) and outer.name:
                read = {n.id for s in outer.body for n in ast.walk(s) if isinstance(n, ast.Name)}
                yield self._written(
                    outer.name,
                    prior("names.value-caught-read" if outer.name in read else "names.value-caught"),
                )

    def _neighbours(self) -> Iterator[Repair]:
        """`rows[i] - …`: the row before or after."""
        if not isinstance(self.parent, ast.BinOp | ast.Compare):
            return
        for other in ast.iter_child_nodes(self.parent):
            if isinstance(other, ast.Subscript) and isinstance(other.slice, ast.Name):
                for rank, step in enumerate(("+ 1", "- 1")):
                    text = f"{self.code.segment(other.value)}[{other.slice.id} {step}]"
                    yield self._written(
                        text, prior("names.value-neighbour") + prior("names.value-neighbour-rank") * rank
                    )

    def _passed_on(self) -> Iterator[Repair]:
        """In a call of a function of this text: the name of the parameter; in its own, one more or less."""
        call, node = self.parent, self.found.node
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or node not in call.args:
            return
        held = self.scope.get(call.func.id)
        if held is None or not isinstance(held.node, Function):
            return
        names = [a.arg for a in parameters(held.node)]
        number = call.args.index(node)
        name = names[number] if number < len(names) else ""
        if name not in self.scope:
            return
        others = zip(names, call.args, strict=False)
        is_same = all(_is_name(a) and a.id == n for n, a in others if a is not node)
        yield self._written(name, prior("names.value-parameter-same" if is_same else "names.value-parameter"))
        if held.node in self.code.ancestors(node):
            yield self._written(f"{name} + 1", prior("names.value-one-more"))
            yield self._written(f"{name} - 1", prior("names.value-one-less"))

    def _other_half(self) -> Iterator[Repair]:
        """`visit(node.left)` beside `visit(what)`: what else the object has, and is not visited."""
        call, node = self.parent, self.found.node
        if not isinstance(call, ast.Call) or node not in call.args:
            return
        number, callee = call.args.index(node), ast.dump(call.func)
        calls = (n for n in self.code.nodes if isinstance(n, ast.Call) and ast.dump(n.func) == callee)
        given = [c.args[number] for c in calls if number < len(c.args)]
        taken = [a for a in given if isinstance(a, ast.Attribute) and _is_name(a.value)]
        if not taken or taken[0].value.id not in self.scope:  # type: ignore[attr-defined]
            return
        others = self._beside(taken[0].attr) - {a.attr for a in taken}
        counterpart = _COUNTERPARTS.get(taken[0].attr, "")
        for rank, name in enumerate(sorted(others, key=lambda n: (n != counterpart, n))[:_MOST]):
            cost = (
                prior("names.value-counterpart")
                if name == counterpart
                else prior("names.value-other-half") + prior("shared.rank") * rank
            )
            yield self._written(f"{self.code.segment(taken[0].value)}.{name}", cost)

    def _beside(self, name: str) -> set[str]:
        """The attributes that the text gives the objects that have one; else its counterpart."""
        classes = (n for n in self.code.nodes if isinstance(n, ast.ClassDef))
        having = [c for c in classes if name in attributes_of_self(c)]
        methods = {n.name for c in having for n in c.body if isinstance(n, Function)}
        found = {n for c in having for n in attributes_of_self(c) if n not in methods}
        counterpart = _COUNTERPARTS.get(name)
        return found | {counterpart} if counterpart and not found else found

    def _indexed(self) -> Iterator[Repair]:
        """A container that is asked for items elsewhere, at a parameter: one that nothing else uses first."""
        function = self.code.function(self.found.node)
        if function is None:
            return
        nodes = list(walk_scope(function))
        own = [a.arg for a in parameters(function) if a.arg not in {"self", "cls"}]
        kinds = Kinds(self.code, self.question.knowledge, self.found.spot.seen)
        asked = {n.value.id for n in self.code.nodes if isinstance(n, ast.Subscript) and _is_name(n.value)}
        for name in self.scope.values():
            if name.kind not in _HELD or name.text not in asked or name.text in own:
                continue
            if kinds.of_binding(name) not in _CONTAINERS:
                continue
            for text in own:
                cost = prior("names.value-indexed-used" if loads(nodes, text) else "names.value-indexed")
                yield self._written(
                    f"{name.text}[{text}]",
                    cost + prior("names.value-indexed-global") * (name.kind is Kind.MODULE),
                )

    def _without(self) -> Iterator[Repair]:
        """The name is too much: an element, or the owner of what has a name of its own."""
        parent = self.parent
        if isinstance(parent, ast.Tuple | ast.List) and len(parent.elts) > 1:
            edit = self._element(parent)
            yield repair(
                self.question,
                f"Remove {self.found.name}",
                [edit],
                prior("names.value-left-out"),
                pattern="needless-value",
            )
        call = self.code.parent(parent) if isinstance(parent, ast.Attribute) else None
        if isinstance(call, ast.Call) and call.func is parent and len(call.args) == 1 and not call.keywords:
            text = self._fitted(call, call.args[0])
            edit = self.code.replace(call, text)
            yield repair(
                self.question,
                f"Write {text}",
                [edit],
                prior("names.value-call-left-out"),
                pattern="needless-call",
            )
        if isinstance(parent, ast.Attribute):
            known = parent.attr in self.scope or any(loads(self.code.nodes, parent.attr))
            if known:
                edit = self.code.replace(parent, parent.attr)
                yield repair(
                    self.question,
                    f"Write {parent.attr}",
                    [edit],
                    prior("names.value-owner-left-out"),
                    pattern="needless-value",
                )

    def _element(self, parent: ast.Tuple | ast.List) -> Edit:
        number = parent.elts.index(self.found.node)
        if number:
            return self.code.edit(self.code.end(parent.elts[number - 1]), self.code.end(self.found.node), "")
        return self.code.edit(self.code.start(self.found.node), self.code.start(parent.elts[1]), "")


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


_LOOSE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Tuple)

REPAIRER = Repairer("undefined values", UNDEFINED, diagnose, propose)
