"""A function that ends without a value: its `return` was lost, or a branch was never given one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import Definition, asked, called, definitions
from gateline.repairs.analysis.code import Code, Function, is_docstring, walk_scope
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.analysis.iteration import iterated
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.protocols import method_told
from gateline.repairs.analysis.scopes import Kind, bound
from gateline.repairs.analysis.world import code_at
from gateline.repairs.donors.results import emptied, gives_a_value, results
from gateline.repairs.edit_builder import cheapest, line_after, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.locate.places import Spot, covering, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test
from gateline.repairs.tables import table

_CODES = ABSENT | {"AssertionError", "return"}
_OPERATORS = {ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__"}
_OPERATORS |= {ast.FloorDiv: "__floordiv__", ast.Mod: "__mod__", ast.BitOr: "__or__", ast.BitAnd: "__and__"}


@dataclass(frozen=True)
class _Suspect:
    """A function that may lack a `return`."""

    definition: Definition
    function: Function
    cost: float

    @property
    def code(self) -> Code:
        return self.definition.code


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value that is None because a function returned none."""
    found = _suspects(problem, knowledge)
    if not found:
        return None
    places = tuple(Place(s.code.path, s.code.span(s.function)) for s in found)
    return Diagnosis(problem, Family.NONE, "missing-return", "a value", "None", places)


def propose(question: Question) -> Iterator[Repair]:
    """A `return` where a value is computed and forgotten, or where the function ends."""
    found = _suspects(question.problem, question.knowledge)
    yield from cheapest(r for suspect in found for r in _of(question, suspect))


def _suspects(problem: Problem, knowledge: Knowledge) -> list[_Suspect]:
    found = [
        *_of_values(problem, knowledge),
        *_of_checks(problem, knowledge),
        *_of_conversions(problem, knowledge),
        *_of_raised(problem, knowledge),
    ]
    unique = {id(s.function): s for s in sorted(found, key=lambda s: -s.cost)}
    return sorted(unique.values(), key=lambda s: s.cost)


def _of_values(problem: Problem, knowledge: Knowledge) -> Iterator[_Suspect]:
    """The functions from which an absent value comes."""
    for absent in absents(problem, knowledge):
        for definition in iterated(knowledge, absent.spot, absent.node):
            yield from _suspect(definition, prior("returns.missing-of-value") + absent.doubt)
        for origin in origins(knowledge, absent.spot, absent.node):
            yield from _of_operators(origin, knowledge, absent.doubt)
            if isinstance(origin.node, ast.Call):
                for definition in called(knowledge, origin.spot, origin.node):
                    yield from _suspect(definition, prior("shared.step") * origin.steps + absent.doubt)


def _of_operators(origin: Origin, knowledge: Knowledge, doubt: float) -> Iterator[_Suspect]:
    """`total + line` is what a class of the workspace says it is."""
    name = _OPERATORS.get(type(origin.node.op), "") if isinstance(origin.node, ast.BinOp) else ""
    left = origin.node.left if isinstance(origin.node, ast.BinOp) else None
    for definition in asked(knowledge, origin.spot, left, name) if name and left is not None else ():
        if isinstance(definition.node, Function) and any(_forgotten(definition.node)):
            yield from _suspect(
                definition, prior("returns.missing-of-operator") + prior("shared.step") * origin.steps + doubt
            )


def _of_raised(problem: Problem, knowledge: Knowledge) -> Iterator[_Suspect]:
    """What is raised at the end of a function because a branch before it forgot to return."""
    for spot in spots(problem, knowledge)[:1]:
        function = spot.code.function(spot.node) if isinstance(spot.node, ast.AST) else None
        statement = None if spot.node is None else spot.code.statement(spot.node)
        if function is None or not isinstance(statement, ast.Raise):
            continue
        if any(_tried(function)) or any(_forgotten(function)):
            yield from _suspect(
                Definition(spot.code, function),
                0 if any(_tried(function)) else prior("returns.missing-of-raised-untried"),
            )


def _tried(function: Function) -> Iterator[ast.Expr]:
    """Calls at the end of what is tried, in a function that never gives a value."""
    if gives_a_value(function):
        return
    for node in walk_scope(function):
        last = node.body[-1] if isinstance(node, ast.Try) else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
            yield last


def _suspect(definition: Definition, cost: float) -> Iterator[_Suspect]:
    node = definition.node
    if isinstance(node, Function) and not is_test(definition.code.path) and not _only_declares(node):
        yield _Suspect(definition, node, cost)


def _only_declares(function: Function) -> bool:
    """One of several signatures, or of a protocol: its body is `...`."""
    last = function.body[-1]
    return isinstance(last, ast.Expr) and _is_ellipsis(last.value)


def _of_checks(problem: Problem, knowledge: Knowledge) -> Iterator[_Suspect]:
    """What a failed check called, and what failed in a test with None; of those that forget a value."""
    if problem.type == "return":
        for spot in spots(problem, knowledge)[:1]:
            function = spot.code.function(spot.node) if spot.node else None
            nodes = [function] if function else spot.candidates(ast.FunctionDef)
            yield from (s for n in nodes for s in _suspect(Definition(spot.code, n), 0))
        return
    if problem.type != "AssertionError" and "None" not in problem.message:
        return
    inner = next((f for f in reversed(problem.frames) if f.ours), None)
    is_met_there = problem.type == "AssertionError" or (inner is not None and is_test(inner.path))
    for spot in _checks(problem, knowledge):
        for definition in _reached(knowledge, spot):
            body = definition.node
            if isinstance(body, Function) and any(_forgotten(body)):
                yield from _suspect(definition, prior("returns.missing-of-check"))
            elif isinstance(body, Function) and not gives_a_value(body):
                # Most that give nothing are meant to; what failed deeper has its value from nearer by.
                yield from _suspect(
                    definition,
                    prior(
                        "returns.missing-of-check-met" if is_met_there else "returns.missing-of-check-unmet"
                    ),
                )


def _checks(problem: Problem, knowledge: Knowledge) -> Iterator[Spot]:
    """The innermost line of a test."""
    for frame in reversed(problem.frames):
        code = code_at(knowledge, frame.path) if frame.ours and is_test(frame.path) else None
        if code is not None:
            node = covering(code, frame.span) if frame.span else None
            yield Spot(code, frame.line, node, dict(frame.seen))
            return


def _reached(knowledge: Knowledge, spot: Spot) -> Iterator[Definition]:
    """The functions that a line calls, and those that these call."""
    calls = spot.candidates(ast.Call)
    if not calls and (function := spot.code.function(spot.node) if spot.node else None) is not None:
        # What is checked was collected before.
        calls = [n for n in ast.walk(function) if isinstance(n, ast.Call)]
    waiting = [(spot, call, 0) for call in calls]
    seen: set[int] = set()
    while waiting and len(seen) < 12:
        place, call, depth = waiting.pop(0)
        for definition in called(knowledge, place, call):
            if id(definition.node) in seen:
                continue
            seen.add(id(definition.node))
            yield definition
            inside = Spot(definition.code, definition.node.lineno - 1)
            calls = [n for n in ast.walk(definition.node) if isinstance(n, ast.Call)]
            waiting += [(inside, c, depth + 1) for c in calls if depth < 2]


def _of_conversions(problem: Problem, knowledge: Knowledge) -> Iterator[_Suspect]:
    """`__repr__ returned non-string (type NoneType)`: the method has the name."""
    name, given = method_told(problem.message)
    for definition in definitions(knowledge, name) if given in {"", "NoneType"} else ():
        if isinstance(definition.node, Function) and any(_forgotten(definition.node)):
            yield from _suspect(definition, 0)
        elif isinstance(definition.node, Function) and not gives_a_value(definition.node):
            yield from _suspect(definition, prior("returns.missing-of-conversion"))


def _forgotten(function: Function) -> Iterator[ast.Expr]:
    """Statements that compute a value nobody uses."""
    for node in walk_scope(function):
        if (isinstance(node, ast.Expr) and node is not function.body[0] and _is_value(node.value)) or (
            isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant) and _is_value(node.value)
        ):
            yield node


def _is_value(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        return name in _pure() or name[:1].isupper()
    return not isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) and not _is_ellipsis(node)


@cache
def _pure() -> frozenset[str]:
    """Functions and methods that only answer: a call that stands alone forgets what they say."""
    names: str = table("words")["pure"]["names"]
    return frozenset(names.split())


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _of(question: Question, suspect: _Suspect) -> Iterator[Repair]:
    code, function = suspect.code, suspect.function
    forgotten = set(_forgotten(function))
    for statement in _last(function.body):
        if isinstance(statement, ast.Expr) and not is_docstring(function, statement):
            cost = suspect.cost + prior(
                "returns.missing-forgotten" if statement in forgotten else "returns.missing-last"
            )
            cost += (
                prior("returns.missing-changes-local") if _changes_a_local(function, statement.value) else 0
            )
            start = code.start(statement)
            yield repair(question, "Return the value", [code.edit(start, start, "return ")], cost)
        elif isinstance(statement, ast.Return) and statement.value is None:
            for name, cost in results(code, function):
                edit = code.replace(statement, f"return {name}")
                yield repair(question, f"Return {name}", [edit], suspect.cost + cost)
    for statement, name, cost in emptied(code, function):
        edit = code.replace(statement, f"return {name}")
        yield repair(question, f"Return {name}", [edit], suspect.cost + cost)
    for statement in dict.fromkeys((*forgotten, *_tried(function))):
        start = code.start(statement)
        yield repair(
            question,
            "Return the value",
            [code.edit(start, start, "return ")],
            suspect.cost + prior("returns.missing-expression"),
        )
    yield from _of_all_branches(question, suspect)
    yield from _appended(question, suspect)


def _of_all_branches(question: Question, suspect: _Suspect) -> Iterator[Repair]:
    """Several branches end in a call of the function itself, or in a forgotten value: all forgot."""
    code, function = suspect.code, suspect.function
    forgotten = set(_forgotten(function))
    ends = [s for s in _last(function.body) if isinstance(s, ast.Expr) and not is_docstring(function, s)]
    ends = [s for s in ends if s in forgotten or _calls_itself(s.value, function)]
    if len(ends) > 1:
        starts = [code.start(statement) for statement in ends]
        edits = [code.edit(start, start, "return ") for start in starts]
        yield repair(
            question, "Return the values", edits, suspect.cost + prior("returns.missing-in-branches")
        )


def _calls_itself(node: ast.expr, function: Function) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Name | ast.Attribute) and last(func) == function.name


def _changes_a_local(function: Function, node: ast.expr) -> bool:
    changed = changed_by(node)
    names = {n.text for n in bound(function) if n.kind is Kind.LOCAL}
    return isinstance(changed, ast.Name) and changed.id in names


def _last(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements at which a body can end."""
    statement = body[-1]
    yield statement
    if isinstance(statement, ast.If):
        yield from _last(statement.body)
        yield from _last(statement.orelse) if statement.orelse else ()
    elif isinstance(statement, ast.With | ast.Try | ast.For | ast.While):
        yield from _last(statement.body)
        for handler in statement.handlers if isinstance(statement, ast.Try) else ():
            yield from _last(handler.body)


def _appended(question: Question, suspect: _Suspect) -> Iterator[Repair]:
    """What was built up is returned at the end."""
    code, function = suspect.code, suspect.function
    last = function.body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return
    for name, cost in results(code, function):
        edit = line_after(code, last, f"return {name}")
        yield repair(question, f"Return {name}", [edit], suspect.cost + cost)


REPAIRER = Repairer("missing returns", _CODES, diagnose, propose)
