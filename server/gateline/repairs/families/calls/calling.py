"""Called or not: parentheses that are missing, too many or of the wrong kind; `await`; `@property`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import definitions
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.scopes import Kind, bound, visible
from gateline.repairs.analysis.world import exports
from gateline.repairs.edit_builder import cheapest, fitted, line_before, repair
from gateline.repairs.locate.mismatch import CALLABLE, MISMATCHES, Mismatch, mismatches
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior

_CALLERS = 3
"""Calls from the error to one that may have given a function away."""
_DATA = {"dict", "list", "tuple", "str", "bytes", "OrderedDict", "defaultdict", "Counter", "range", ""}
_WITHOUT_ITEMS = {"int", "float", "bool", "NoneType", "module", "generator", "set", "frozenset", "property"}

_AWAITED = frozenset({"_GatheringFuture", "Future", "Task"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Something that is called and cannot be, or is used and should be called."""
    found = [m for m in mismatches(problem, knowledge) if _concerns(m)]
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "call-or-not", found[0].wanted, found[0].actual, places)


def _concerns(mismatch: Mismatch) -> bool:
    told = mismatch.actual.rpartition(".")[2]
    return (
        told in CALLABLE
        or "oroutine" in told
        or told in _AWAITED
        or mismatch.wanted in {"call", "await", "index"}
    )


def propose(question: Question) -> Iterator[Repair]:
    """Parentheses added, left out, or exchanged."""
    found = [m for m in mismatches(question.problem, question.knowledge) if _concerns(m)]
    yield from cheapest(r for mismatch in found for r in _Calling(question, mismatch).repairs())


@dataclass(frozen=True)
class _Calling:
    question: Question
    mismatch: Mismatch

    def repairs(self) -> Iterator[Repair]:
        told = self.mismatch.actual.rpartition(".")[2]
        if told in CALLABLE:
            yield from self._called()
        if "oroutine" in told or told in _AWAITED:
            yield from self._awaited()
        if self.mismatch.wanted == "call":
            yield from self._not_called()
        if self.mismatch.wanted == "index" and told in {*CALLABLE, ""}:
            yield from self._round_brackets()
        if self.mismatch.wanted == "await":
            yield from self._not_awaited()

    def _repair(self, title: str, edits: list[Edit], cost: float, pattern: str) -> Repair:
        return repair(self.question, title, edits, cost + self.mismatch.doubt, pattern=pattern)

    def _called(self) -> Iterator[Repair]:
        """A function stands where its result is meant."""
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            node, code = origin.node, origin.code
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            end = code.end(node)
            shadowing = isinstance(node, ast.Name) and hasattr(builtins, node.id) and node.id != "super"
            held = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
            is_variable = held is not None and held.kind in {Kind.LOCAL, Kind.PARAMETER, Kind.OUTER}
            cost = (
                prior("calls.uncalled")
                + prior("shared.step") * origin.steps
                + (prior("calls.uncalled-shadowing") if shadowing else 0)
                + (prior("calls.uncalled-variable") if is_variable else 0)
            )
            yield self._repair(
                "Add the call parentheses ()", [code.edit(end, end, "()")], cost, "missing-call"
            )
            if isinstance(node, ast.Attribute):
                yield from self._as_property(node.attr, cost)
        yield from self._given_uncalled()

    def _given_uncalled(self) -> Iterator[Repair]:
        """`reduce(add, rows, table)`: who was given the function is no code of the workspace."""
        problem, knowledge = self.question.problem, self.question.knowledge
        for rank, spot in enumerate(spots(problem, knowledge)[1:_CALLERS]):
            for call in spot.candidates(ast.Call)[:2]:
                for argument in call.args[1:]:
                    held = visible(spot.code, argument).get(getattr(argument, "id", ""))
                    if held is not None and held.kind in {Kind.FUNCTION, Kind.CLASS, Kind.IMPORT}:
                        end = spot.code.end(argument)
                        edits = [spot.code.edit(end, end, "()")]
                        yield self._repair(
                            "Add the call parentheses ()",
                            edits,
                            prior("calls.uncalled-argument") + prior("calls.uncalled-argument-rank") * rank,
                            "missing-call",
                        )

    def _as_property(self, name: str, cost: float) -> Iterator[Repair]:
        """Nobody calls the method: it was a property."""
        for definition in definitions(self.question.knowledge, name)[:2]:
            function, code = definition.node, definition.code
            if isinstance(function, ast.Lambda) or definition.cls is None or function.decorator_list:
                continue
            if len(function.args.args) != 1 or function.args.vararg:
                continue
            uses = [n for n in code.nodes if isinstance(n, ast.Attribute) and n.attr == name]
            calls = [n for n in uses if isinstance(p := code.parent(n), ast.Call) and p.func is n]
            extra = prior("calls.as-property" if not calls else "calls.as-property-among-calls")
            edit = line_before(code, function, "@property")
            yield self._repair(f"Make {name} a property", [edit], cost + extra, "dropped-decorator")

    def _awaited(self) -> Iterator[Repair]:
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            function = origin.code.function(origin.node)
            if isinstance(origin.node, ast.Call) and isinstance(function, ast.AsyncFunctionDef):
                text = fitted(origin.code, origin.node, f"await {origin.code.segment(origin.node)}")
                edit = origin.code.replace(origin.node, text)
                yield self._repair(
                    "Add await",
                    [edit],
                    prior("calls.missing-await") + prior("shared.step") * origin.steps,
                    "missing-await",
                )

    def _not_awaited(self) -> Iterator[Repair]:
        code = self.mismatch.spot.code
        for node in self.mismatch.spot.candidates(ast.Await):
            yield self._repair(
                "Remove await",
                [code.replace(node, code.segment(node.value))],
                prior("calls.needless-await"),
                "needless-await",
            )

    def _not_called(self) -> Iterator[Repair]:
        node, code = self.mismatch.node, self.mismatch.spot.code
        call = code.parent(node)
        if not isinstance(call, ast.Call) or call.func is not node:
            return
        told = self.mismatch.actual.rpartition(".")[2]
        problem = self.question.problem
        is_note = problem.type == "valid-type" or "cannot be instantiated" in problem.message
        is_data = told not in {*CALLABLE, *_WITHOUT_ITEMS}
        if len(call.args) == 1 and not call.keywords and (is_data or is_note):
            inside = code.segment(call.args[0])
            edit = code.edit(code.end(node), code.end(call), f"[{inside}]")
            cost = prior("calls.needless-call-of-data" if told in _DATA else "calls.needless-call-of-other")
            yield self._repair(f"Write [{inside}]", [edit], cost, "round-brackets")
        if not call.args and not call.keywords:
            yield self._repair(
                "Remove the call parentheses",
                [code.edit(code.end(node), code.end(call), "")],
                prior("calls.needless-call"),
                "needless-call",
            )
        if told == "module" and isinstance(node, ast.Name | ast.Attribute):
            yield from self._inside_module(node)
        yield from self._separated(node, call, told)
        if isinstance(node, ast.Name):
            yield from self._shadowing(node)

    def _inside_module(self, node: ast.Name | ast.Attribute) -> Iterator[Repair]:
        """`datetime(…)` with `import datetime`: the class of that name."""
        code = self.mismatch.spot.code
        last = node.id if isinstance(node, ast.Name) else node.attr
        known = exports(self.question.knowledge, ast.unparse(node))
        for name in sorted(known):
            if (like := likeness(last, name)) is not None and like < 1:
                edit = code.edit(code.end(node), code.end(node), f".{name}")
                yield self._repair(
                    f"Write {last}.{name}", [edit], prior("calls.module-called") + like, "module-called"
                )

    def _separated(self, node: ast.expr, call: ast.Call, told: str) -> Iterator[Repair]:
        """A comma or an operator between two values was lost."""
        code = self.mismatch.spot.code
        at = code.end(node)
        if told in {"tuple", "str", "list", "dict"} and isinstance(
            code.parent(call), ast.List | ast.Tuple | ast.Call
        ):
            yield self._repair(
                "Insert a comma", [code.edit(at, at, ",")], prior("calls.missing-comma"), "missing-comma"
            )
        if told in {"int", "float"}:
            yield self._repair(
                "Multiply", [code.edit(at, at, " * ")], prior("calls.missing-operator"), "missing-operator"
            )

    def _shadowing(self, node: ast.Name) -> Iterator[Repair]:
        """A local took the name of a built-in function: it gets another one."""
        code = self.mismatch.spot.code
        if not hasattr(builtins, node.id):
            return
        scope = code.scope(node)
        if not any(n.text == node.id and n.kind in {Kind.LOCAL, Kind.MODULE} for n in bound(scope)):
            return
        uses = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == node.id]
        mine = [n for n in uses if not (isinstance(p := code.parent(n), ast.Call) and p.func is n)]
        edits = [code.replace(n, f"{node.id}_") for n in mine]
        yield self._repair(
            f"Rename the local {node.id}", edits, prior("calls.shadowed-builtin"), "shadowed-builtin"
        )

    def _round_brackets(self) -> Iterator[Repair]:
        """`f[x]` for `f(x)`."""
        code = self.mismatch.spot.code
        holder = code.parent(self.mismatch.node)
        if not isinstance(holder, ast.Subscript) or isinstance(holder.slice, ast.Slice):
            return
        inside = code.text[code.end(holder.value) : code.end(holder)].strip()[1:-1]
        edit = code.edit(code.end(holder.value), code.end(holder), f"({inside})")
        name = ast.unparse(holder.value)
        doubt = (
            prior("calls.square-brackets-of-type") if name in {"list", "dict", "tuple", "set", "type"} else 0
        )
        # Whose value nobody asks for is called.
        likely = prior("calls.square-brackets-statement") if isinstance(code.parent(holder), ast.Expr) else 0
        yield self._repair(
            f"Write {name}(…)", [edit], prior("calls.square-brackets") + doubt - likely, "square-brackets"
        )


REPAIRER = Repairer("calling", MISMATCHES, diagnose, propose)
