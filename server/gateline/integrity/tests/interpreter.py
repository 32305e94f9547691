"""Walks through a test as Python would, and gathers the checks that can really fail.

Names are replaced by what was assigned to them, loops over literal rows are rolled out, and functions
of the same file that check something are entered: however a test is written, the same comes out. What
stands behind a `return`, under `if False`, in a loop over nothing, or where the failure is caught, is none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from gateline.analysis.bindings import bind, bound_names
from gateline.analysis.call_resolution import act_of, chained, is_own, must_be_run, run_calls
from gateline.analysis.modules import Function
from gateline.analysis.trees import Known, Node, always_holds, is_truth, put_in, written
from gateline.integrity.tests import assertion_calls as calls
from gateline.integrity.tests import exception_handling as catching
from gateline.integrity.tests.assertions import checks_in
from gateline.integrity.tests.check import PARTIAL, Check, check
from gateline.integrity.tests.conditional_checks import or_nothing, passing_over, under
from gateline.integrity.tests.constant_folding import folded
from gateline.integrity.tests.helpers import key_of
from gateline.integrity.tests.parameters import bound, item_by_item, rows_of
from gateline.integrity.tests.round_trips import ReadBack, written_by
from gateline.integrity.tests.trace import Said, Skip
from gateline.model.names import last_name

_MOST = 400
"""Checks of one test; more are not told apart."""
_MARKING = frozenset({"applymarker", "add_marker"})
_TAKEN_OUT = frozenset({"xfail", "skip"})
_DEEPEST = 3
"""Functions that are entered from one another."""


@dataclass
class Walk:
    """One way through a function. `helpers` are the functions it may enter, by name."""

    helpers: Mapping[str, Function]
    said: Said = field(default_factory=Said)
    caught: bool = False
    """Whether a failure is caught around this place, so that no check counts."""
    condition: ast.expr | None = None
    """What must be true to come here, where that is in doubt."""
    depth: int = 0

    def block(self, body: Sequence[ast.stmt], known: dict[str, ast.expr]) -> bool:
        """Walk through statements; whether the end is never reached. `known` grows on the way."""
        walk = self
        for statement in body:
            if walk._statement(statement, known):
                return True
            if (passed_over := passing_over(statement)) is not None:
                condition = put_in(passed_over, known)
                if always_holds(condition):
                    return True
                walk = walk._doubtful(ast.UnaryOp(ast.Not(), condition))
        return False

    def _statement(self, node: ast.stmt, known: dict[str, ast.expr]) -> bool:
        """Walk through one statement; whether what follows it is never reached."""
        step = _STEPS.get(type(node))
        return step(self, node, known) if step is not None else False

    def _define(self, node: ast.FunctionDef, known: Known) -> bool:
        self.helpers = {**self.helpers, node.name: node}
        return False

    def _match(self, node: ast.Match, known: Known) -> bool:
        for case in node.cases:
            self._doubtful(node.subject).block(case.body, dict(known))
        return False

    def _leave(self, node: ast.Return | ast.Raise, known: Known) -> bool:
        if isinstance(node, ast.Return):
            if node.value is not None:
                self._look_into(node.value, node, known)
            elif self.depth == 0:
                self.said.skips.append(Skip(node, "return", self.condition))
            return True
        name = last_name(node.exc) if node.exc else ""
        if name in catching.SKIPS:
            self.said.skips.append(Skip(node, "skip", self.condition))
        elif name == "AssertionError" and not self.caught:
            self._take(
                [check(ast.Name("AssertionError", ast.Load()), "fails", self.condition, PARTIAL, node)]
            )
        return True

    def _assert(self, node: ast.Assert, known: Known) -> bool:
        if not self.caught:
            self._take(checks_in(self._meant(node.test, self.said.standing(node.test, known)), node))
        self.said.note_calls(node.test)
        return is_truth(node.test, of=False)

    def _expression(self, place: ast.Expr, known: Known) -> bool:
        value = place.value
        name = last_name(value) if isinstance(value, ast.Call) else ""
        if (
            name in _MARKING
            and isinstance(value, ast.Call)
            and last_name(next(iter(value.args), value)) in _TAKEN_OUT
        ):
            self.said.skips.append(Skip(place, "mark", self.condition))
            return False
        if name in catching.SKIPS and name != "importorskip":
            self.said.skips.append(Skip(place, name, self.condition))
            return True
        self._look_into(value, place, known)
        self.said.act(value)
        return False

    def _look_into(self, value: ast.expr, place: ast.stmt, known: Known) -> None:
        """The checks that a statement's own call makes, or the function that it enters."""
        self.said.note_calls(value)
        for before in () if self.caught else chained(value):
            if (helper := self._helper(before)) is not None and not must_be_run(helper):
                self._enter(helper, before, place, known)
        for call, is_run in () if self.caught else run_calls(value, known, self.helpers):
            helper = self._helper(call)
            if helper is None:
                meant = self._meant(call, self.said.standing(call, known))
                self._take(calls.checks_of_call(meant, place))
                self._note_written(meant)
            elif is_run or not must_be_run(helper):
                self._enter(helper, call, place, known)

    def _meant(self, node: Node, known: Known) -> Node:
        """An expression with what is known put in, also of files that the test wrote, and worked out."""
        # A copy: what is put in stands in other places, too.
        meant = deepcopy(put_in(node, known))
        return folded(ReadBack(self.said.written).visit(meant) if self.said.written else meant)

    def _note_written(self, call: ast.Call) -> None:
        # Under a condition: who starts the run may ask for it.
        if self.condition is None and (found := written_by(call)) is not None:
            self.said.written[found[0]] = found[1]

    def _helper(self, call: ast.Call) -> Function | None:
        return self.helpers.get(key_of(call)) if self.depth < _DEEPEST else None

    def _enter(self, helper: Function, call: ast.Call, place: ast.stmt, known: Known) -> None:
        inside = Walk(
            {n: h for n, h in self.helpers.items() if h is not helper},
            Said(calls=self.said.calls),
            condition=self.condition,
            depth=self.depth + 1,
        )
        around = known if is_own(call) else {n: v for n, v in known.items() if not n.startswith("self.")}
        inside.block(helper.body, {**around, **bound(helper, put_in(call, known))})
        self._take([replace(check, node=place) for check in inside.said.checks])
        self.said.skips += [replace(skip, node=place) for skip in inside.said.skips]

    def _assign(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete, known: dict[str, ast.expr]
    ) -> bool:
        targets = [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign) else node.targets
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            self._look_into(node.value, node, known)
            value = self._meant(node.value, known)
            for target in targets:
                bind(target, value, known, self.said.growing)
                self.said.bind(target, value)
        else:
            for name in (written(n) for t in targets for n in ast.walk(t)):
                known.pop(name, None)
        return False

    def _import(self, node: ast.Import | ast.ImportFrom, known: dict[str, ast.expr]) -> bool:
        for alias in node.names:
            known.pop(alias.asname or alias.name.partition(".")[0], None)
        return False

    def _if(self, node: ast.If, known: dict[str, ast.expr]) -> bool:
        if is_truth(node.test, of=True):
            return self.block(node.body, known)
        if is_truth(node.test, of=False):
            return self.block(node.orelse, known)
        self.said.note_calls(node.test)
        inside = self._doubtful(put_in(node.test, known))
        ends = inside.block(node.body, dict(known))
        other = self._doubtful(ast.UnaryOp(ast.Not(), put_in(node.test, known)))
        return other.block(node.orelse, dict(known)) and ends

    def _doubtful(self, condition: ast.expr) -> Walk:
        return Walk(self.helpers, self.said, self.caught, self.condition or condition, self.depth)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, known: dict[str, ast.expr]) -> bool:
        if isinstance(node, ast.While):
            if not is_truth(node.test, of=False):
                self._inside().block(node.body, dict(known))
            return False
        self.said.note_calls(node.iter)
        iterated = put_in(node.iter, known)
        if (some := or_nothing(iterated)) is not None:
            return self._doubtful(some[0])._loop(ast.For(node.target, some[1], node.body, []), known)
        rows = rows_of(iterated)
        if rows is None:
            inner = {k: v for k, v in known.items() if k not in bound_names(node)}
            self._inside().block(node.body, inner | item_by_item(node.target, iterated))
            return False
        for row in rows:
            if len(self.said.checks) < _MOST:
                inner = dict(known)
                bind(node.target, row, inner)
                self._inside().block(node.body, inner)
        return False

    def _inside(self) -> Walk:
        return Walk(self.helpers, self.said, self.caught, self.condition, max(self.depth, 1))

    def _with(self, node: ast.With | ast.AsyncWith, known: dict[str, ast.expr]) -> bool:
        managers = [put_in(item.context_expr, known) for item in node.items]
        raising = [m for m in managers if isinstance(m, ast.Call) and last_name(m) in calls.RAISING]
        caught = self.caught or any(map(catching.catches_failures, managers))
        for item in node.items:
            self.said.note_calls(item.context_expr)
            self._as(item, node, known)
        body = catching.before_error(node.body, raising)
        if not self.caught and not any(isinstance(statement, ast.Raise) for statement in body):
            self._take(calls.raised(manager, act_of(body, known), node) for manager in raising)
        inside = Walk(self.helpers, self.said, caught, self.condition, self.depth)
        ends = inside.block(body, known)
        return ends and not raising and not caught

    def _as(self, item: ast.withitem, node: ast.With | ast.AsyncWith, known: dict[str, ast.expr]) -> None:
        """What the name behind `as` stands for: the error that the block raises, or something unknown."""
        target, manager = item.optional_vars, item.context_expr
        for name in (n.id for n in ast.walk(target or ast.Pass()) if isinstance(n, ast.Name)):
            known.pop(name, None)
        if (
            isinstance(target, ast.Name)
            and isinstance(manager, ast.Call)
            and last_name(manager) in calls.RAISING
        ):
            known[target.id] = ast.Call(ast.Name("raised", ast.Load()), [act_of(node.body, known)], [])
        elif isinstance(target, ast.Name) and last_name(manager) == "open":
            known[target.id] = put_in(manager, known)

    def _try(self, node: ast.Try | ast.TryStar, known: dict[str, ast.expr]) -> bool:
        swallowed = any(catching.swallows_failures(handler) for handler in node.handlers)
        inside = Walk(self.helpers, self.said, self.caught or swallowed, self.condition, self.depth)
        ends = inside.block(node.body, known)
        if not swallowed and node.handlers and ends and catching.is_failing(node.body[-1]):
            ends = False
        handled = [self._handle(handler, node, known) for handler in node.handlers]
        ends = self.block(node.orelse, known) or (ends and all(handled))
        return self.block(node.finalbody, known) or ends

    def _handle(self, handler: ast.ExceptHandler, node: ast.Try | ast.TryStar, known: Known) -> bool:
        first, inner = len(self.said.skips), dict(known)
        walk = self._doubtful(handler.type or ast.Name("error", ast.Load()))
        if catching.wants_error(node, handler) and handler.type is not None and not self.caught:
            raises = ast.Call(ast.Name("raises", ast.Load()), [handler.type], [])
            act = act_of(node.body if node.orelse else node.body[:-1] or node.body, known)
            self._take([calls.raised(raises, act, node)])
            inner[handler.name or ""] = ast.Call(ast.Name("raised", ast.Load()), [act], [])
            walk = self
        ends = walk.block(handler.body, inner)
        for place, skip in enumerate(self.said.skips[first:], first):
            if catching.hides_failures(handler, node.body, leaving=skip.how == "return"):
                self.said.skips[place] = replace(skip, condition=self.condition)
        return ends

    def _take(self, checks: Iterator[Check] | Sequence[Check]) -> None:
        found = under(self.condition, checks)
        self.said.checks.extend(found[: max(_MOST - len(self.said.checks), 0)])


_Step = Callable[[Walk, Any, dict[str, ast.expr]], bool]
_STEPS: Mapping[type[ast.stmt], _Step] = {
    ast.Return: Walk._leave,
    ast.Raise: Walk._leave,
    ast.Assert: Walk._assert,
    ast.Expr: Walk._expression,
    ast.Assign: Walk._assign,
    ast.AnnAssign: Walk._assign,
    ast.AugAssign: Walk._assign,
    ast.Delete: Walk._assign,
    ast.Import: Walk._import,
    ast.ImportFrom: Walk._import,
    ast.If: Walk._if,
    ast.For: Walk._loop,
    ast.AsyncFor: Walk._loop,
    ast.While: Walk._loop,
    ast.With: Walk._with,
    ast.AsyncWith: Walk._with,
    ast.Try: Walk._try,
    ast.TryStar: Walk._try,
    ast.FunctionDef: Walk._define,
    ast.AsyncFunctionDef: Walk._define,
    ast.Match: Walk._match,
}
