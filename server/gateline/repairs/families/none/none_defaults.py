"""A default that was lost: `.get(key)` without one, a parameter that may be None, `value or …`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Edit, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, first_statement, is_none, walk_scope
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.none_tests import has_default
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.analogies import likewise
from gateline.repairs.donors.call_arguments import default_of
from gateline.repairs.donors.defaults import defaults
from gateline.repairs.donors.initial_values import initial_values
from gateline.repairs.donors.looked_up import instead, other_groups
from gateline.repairs.donors.own_values import is_never_set, made_by_methods
from gateline.repairs.edit_builder import cheapest, fitted, line_after, line_before, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents, diagnosed
from gateline.repairs.priors import prior

_LOOKUPS = {"get": 1, "pop": 1, "setdefault": 1, "getattr": 2, "next": 1, "getenv": 1}
"""Functions that give None without a default, and how many arguments they have then."""
_MOST = 6
"""Defaults that are tried at a place."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value that is None and may have a default."""
    return diagnosed(problem, knowledge, "lost-default")


def propose(question: Question) -> Iterator[Repair]:
    """Defaults, where the value comes from and where it is used."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _Defaults(question, absent).repairs())


@dataclass(frozen=True)
class _Defaults:
    question: Question
    absent: Absent

    @cached_property
    def values(self) -> list[tuple[str, float]]:
        kinds = Kinds(self.absent.code, self.question.knowledge, self.absent.spot.seen)
        return defaults(kinds, self.absent)[:_MOST]

    def repairs(self) -> Iterator[Repair]:
        for origin in origins(self.question.knowledge, self.absent.spot, self.absent.node):
            yield from self._looked_up(origin)
            if origin.steps and isinstance(origin.node, ast.Name | ast.Attribute):
                yield from self._or(origin, prior("none.or-at-origin"))
                yield from self._kept(origin)
            elif origin.steps:
                yield from self._other_groups(origin)
                known = list(_beside(origin.code, origin.node))
                yield from (self._written(origin, value, cost) for value, cost in known)
        yield from self._or(Origin(self.absent.spot, self.absent.node), prior("none.or-at-use"))
        yield from self._parameter()
        yield from self._assigned()

    def _repair(self, title: str, edits: list[Edit], cost: float) -> Repair:
        return repair(self.question, title, edits, cost + self.absent.doubt)

    def _looked_up(self, origin: Origin) -> Iterator[Repair]:
        node, code = origin.node, origin.code
        if not isinstance(node, ast.Call) or node.keywords:
            return
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if _LOOKUPS.get(name) != len(node.args):
            return
        holder = code.parent(node)
        if name == "get" and isinstance(holder, ast.Attribute | ast.Subscript) and holder.value is node:
            owner = code.segment(node.func.value)  # type: ignore[attr-defined]
            edit = code.replace(node, f"{owner}[{code.segment(node.args[0])}]")
            is_set = isinstance(holder, ast.Subscript) and isinstance(holder.ctx, ast.Store)
            cost = prior("none.item-set" if is_set else "none.item")
            yield self._repair(f"Write {owner}[…]", [edit], cost + prior("shared.step") * origin.steps)
            if is_set:
                # What is set in a default is lost.
                return
        end = code.end(node.args[-1])
        known = (*_rebound(code, node), *_returned(code, node), *_neighbours(code, node, name))
        known = (*known, *instead(code, node))
        for value, cost in (*known, *self.values):
            edit = code.edit(end, end, f", {value}")
            yield self._repair(
                f"Default to {value}",
                [edit],
                prior("none.default") + cost + prior("shared.step") * origin.steps,
            )

    def _or(self, origin: Origin, cost: float) -> Iterator[Repair]:
        """`value or default` in its place."""
        node, code = origin.node, origin.code
        if isinstance(getattr(node, "ctx", None), ast.Store) or isinstance(node, ast.Constant):
            return
        if isinstance(node, ast.Attribute):
            yield from (self._written(origin, value, extra) for value, extra in made_by_methods(code, node))
        for value, extra in (*_beside(code, node), *_same_elsewhere(code, node), *_of_the_pair(code, node)):
            yield self._written(origin, value, extra)
        if not origin.steps:
            yield from self._other_groups(origin)
        for value, extra in (*_rebound(code, node), *self.values):
            yield self._written(origin, value, cost + extra)

    def _written(self, origin: Origin, value: str, cost: float) -> Repair:
        node, code = origin.node, origin.code
        text = fitted(code, node, f"{code.segment(node)} or {value}")
        edit = code.replace(node, text if code.parent(node) is not None else f"({text})")
        return self._repair(f"Write {text}", [edit], cost + prior("shared.step") * origin.steps)

    def _other_groups(self, origin: Origin) -> Iterator[Repair]:
        """Another group of the same match, where this one took no part; an empty one did."""
        code, statement = origin.code, origin.code.parent(origin.node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        for rank, value in enumerate(dict.fromkeys(other_groups(code, origin.node))):
            cost = prior("none.other-group") + prior("none.other-group-rank") * rank
            yield self._written(origin, value, cost)
            if isinstance(statement, ast.Assign) and isinstance(target, ast.Name):
                text = f"if {target.id} is None:\n{code.unit}{target.id} = {value}"
                edits = [line_after(code, statement, text)]
                yield self._repair(
                    f"Set {target.id} = {value} where it is None",
                    edits,
                    cost + prior("none.other-group-set") + prior("shared.step") * origin.steps,
                )

    def _parameter(self) -> Iterator[Repair]:
        """`if limit is None: limit = …` at the beginning, for a parameter."""
        code, node = self.absent.code, self.absent.node
        name = _root(node, code)
        held = visible(code, node).get(name) if name else None
        if held is None or not isinstance(held.node, ast.arg):
            return
        function = code.parent(code.parent(held.node) or held.node)
        if not isinstance(function, Function):
            return
        first = first_statement(function)
        for value, cost in self.values:
            text = f"if {name} is None:\n{code.unit}{name} = {value}"
            yield self._repair(
                f"Start with {name} = {value}",
                [line_before(code, first, text)],
                cost + prior("none.default-parameter"),
            )

    def _kept(self, origin: Origin) -> Iterator[Repair]:
        """`if rows is None: rows = []` where an object keeps a parameter, by what it does with that later."""
        code, node = origin.code, origin.node
        holder, function, cls = code.parent(node), code.function(node), code.class_of(node)
        is_kept = isinstance(holder, ast.Assign) and isinstance(holder.targets[0], ast.Attribute)
        if not is_kept or function is None or cls is None or not isinstance(node, ast.Name):
            return
        if not is_none(default_of(function, node.id)) or has_default(function, node.id):
            return
        kinds = Kinds(code, self.question.knowledge)
        target = dotted(holder.targets[0])  # type: ignore[union-attr]
        first = first_statement(function)
        for method in (n for n in cls.body if isinstance(n, Function)):
            for value, cost in initial_values(kinds, method, target):
                text = f"if {node.id} is None:\n{code.unit}{node.id} = {value}"
                if cost <= prior("none.default-kept-limit"):
                    edits = [line_before(code, first, text)]
                    yield self._repair(
                        f"Start with {node.id} = {value}", edits, prior("none.default-kept") + cost
                    )

    def _assigned(self) -> Iterator[Repair]:
        """The same right before the statement, for a local or an attribute that is only ever None."""
        code, node = self.absent.code, self.absent.node
        statement = code.statement(node)
        if statement is None or isinstance(statement, ast.While) or not _may_be_set(code, node, statement):
            return
        if isinstance(node, ast.Attribute):
            # What is no more than empty begins so; to make it anew each time comes after this.
            values, extra = list(made_by_methods(code, node)), prior("none.default-made-by-method")
        else:
            values, extra = self.values[:3], prior("none.default-assigned")
        target = code.segment(node)
        for value, cost in values:
            text = f"if {target} is None:\n{code.unit}{target} = {value}"
            yield self._repair(f"Set {target} to {value}", [line_before(code, statement, text)], cost + extra)


def _may_be_set(code: Code, node: ast.expr, statement: ast.stmt) -> bool:
    if isinstance(node, ast.Attribute):
        return is_never_set(code, node)
    held = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
    is_parameter = held is not None and isinstance(held.node, ast.arg)
    of_this = is_parameter and statement is code.parent(held.node)  # type: ignore[union-attr, arg-type]
    return isinstance(node, ast.Name) and not of_this


def _rebound(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """What a name held before this gives it a new value: `place = found or place`."""
    statement = code.parent(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Name) or len(getattr(statement, "targets", ())) > 1:
        return
    held = visible(code, node).get(target.id)
    if held is not None and held.node is not None and getattr(held.node, "lineno", node.lineno) < node.lineno:
        yield target.id, prior("none.default-rebound")


def _of_the_pair(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """`field.key or name` in a loop over pairs of a name and a field."""
    held = visible(code, node).get(node.value.id) if _is_part(node) else None  # type: ignore[attr-defined]
    pair = code.parent(held.node) if held is not None and held.node is not None else None
    loop = code.parent(pair) if isinstance(pair, ast.Tuple) else None
    if held is not None and isinstance(pair, ast.Tuple) and isinstance(loop, ast.For | ast.comprehension):
        yield from (
            (n.id, prior("none.default-of-pair"))
            for n in pair.elts
            if isinstance(n, ast.Name) and n is not held.node
        )


def _is_part(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.value, ast.Name)


def _beside(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """What stands in for others in the same function: `name = row["name"] or ""`, for `row["city"]`."""
    asked, function = _asked(node), code.function(node)
    others = walk_scope(function) if function is not None else ()
    for other in (o for o in others if isinstance(o, ast.BoolOp) and isinstance(o.op, ast.Or)):
        if asked and len(other.values) == 2 and _asked(other.values[0]) == asked:
            yield code.segment(other.values[1]), prior("none.default-beside")
        elif (text := likewise(code, node, other)) is not None:
            yield text, prior("none.default-beside-analogous")


def _same_elsewhere(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """`alias.asname or alias.name` somewhere else in the text, where the names mean something here."""
    wanted, known = ast.dump(node), visible(code, node).keys()
    for other in code.nodes:
        if isinstance(other, ast.BoolOp) and isinstance(other.op, ast.Or) and len(other.values) == 2:
            used = {n.id for n in ast.walk(other.values[1]) if isinstance(n, ast.Name)}
            if other.values[0] is not node and ast.dump(other.values[0]) == wanted and used <= known:
                yield code.segment(other.values[1]), prior("none.default-same-elsewhere")


def _asked(node: ast.expr) -> str:
    """What an item or an answer is asked of; "" of any other expression."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return ast.dump(node.value)
    return ast.dump(node.func) if isinstance(node, ast.Call) else ""


def _root(node: ast.expr, code: Code) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _returned(code: Code, call: ast.Call) -> Iterator[tuple[str, float]]:
    """The constants that a function returns elsewhere, for a lookup that it returns."""
    function = code.function(call)
    if function is None or not isinstance(code.parent(call), ast.Return):
        return
    for node in walk_scope(function):
        if (
            isinstance(node, ast.Return)
            and isinstance(node.value, ast.Constant)
            and node.value.value is not None
        ):
            yield code.segment(node.value), prior("none.default-returned")


def _neighbours(code: Code, call: ast.Call, name: str) -> Iterator[tuple[str, float]]:
    """The defaults that the same lookup has elsewhere in the text."""
    count, known = len(call.args) + 1, visible(code, call).keys()
    for node in code.nodes:
        if (
            not isinstance(node, ast.Call)
            or len(node.args) != count
            or not isinstance(node.func, ast.Attribute)
        ):
            continue
        used = {n.id for n in ast.walk(node.args[-1]) if isinstance(n, ast.Name)}
        if node.func.attr == name and isinstance(call.func, ast.Attribute) and used <= known:
            same = ast.dump(node.func.value) == ast.dump(call.func.value)
            yield (
                code.segment(node.args[-1]),
                prior("none.default-of-same-lookup" if same else "none.default-of-other-lookup"),
            )


REPAIRER = Repairer("lost defaults", ABSENT, diagnose, propose)
