"""None among the elements that are added up, compared or joined: they are passed over, or come last.

`sum(readings)`, where some of them were not taken, is `sum(r for r in readings if r is not None)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, first_statement, walk_scope
from gateline.repairs.analysis.dataflow import Origin as From
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import loads, stores
from gateline.repairs.donors.new_names import element_of
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TAKERS = frozenset(
    {"sum", "max", "min", "sorted", "sort", "join", "fsum", "mean", "median", "stdev", "prod"}
)
_COLLECTED = {"list": "[{0}]", "tuple": "tuple({0})", "sorted": "sorted({0})", "set": "{{{0}}}"}
_ORDERED = frozenset({"max", "min", "sorted", "sort"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A function that takes several values met one that is None."""
    if problem.origin is not Origin.RUN or "NoneType" not in problem.message:
        return None
    if not any(_taken(spot) for spot in _spots(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.NONE, "none-among-elements", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """A test of each element: where they were collected, or where they are used."""
    for spot in _spots(question.problem, question.knowledge):
        yield from cheapest(r for call, node in _taken(spot) for r in _of(question, spot, call, node))


def _spots(problem: Problem, knowledge: Knowledge) -> list[Spot]:
    return [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]


def _taken(spot: Spot) -> list[tuple[ast.Call, ast.expr]]:
    """The calls that take several values, with where these come from."""
    found = []
    for call in spot.candidates(ast.Call):
        name = last(call.func)
        if name == "sort" and isinstance(call.func, ast.Attribute):
            found.append((call, call.func.value))
        elif name in _TAKERS and len(call.args) == 1 and not isinstance(call.args[0], ast.Starred):
            found.append((call, call.args[0]))
    return found


def _of(question: Question, spot: Spot, call: ast.Call, node: ast.expr) -> Iterator[Repair]:
    key = next((k.value for k in call.keywords if k.arg == "key"), None)
    if isinstance(key, ast.Lambda) and last(call.func) in _ORDERED:
        text = spot.code.segment(key.body)
        edit = spot.code.replace(key.body, f"({text} is None, {text})")
        yield repair(question, "Sort None last", [edit], prior("none.element-sorted-last"))
        yield from _with_key(question, spot.code, key, node)
        return
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        yield from _tested(question, spot.code, node, prior("none.element-made"))
        return
    for origin in origins(question.knowledge, spot, node):
        yield from _where_made(question, origin)
    late = prior("none.element-collected-here") if _is_collected_here(spot.code, node) else 0
    is_plain = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.List | ast.Tuple)
    if is_plain and last(call.func) != "sort":
        edit = spot.code.replace(node, _passed_over(spot.code, node))
        yield repair(question, "Skip elements that are None", [edit], prior("none.element-taken") + late)
    yield from _at_the_beginning(question, spot.code, node, late)


def _is_collected_here(code: Code, node: ast.expr) -> bool:
    """Whether the function puts in each of the elements itself: then that is where None is kept out."""
    function = code.function(node)
    if function is None or not isinstance(node, ast.Name):
        return False
    given = [code.parent(store) for store in stores(walk_scope(function), node.id)]
    return any(isinstance(n, ast.Assign) and isinstance(n.value, ast.List) for n in given)


def _with_key(question: Question, code: Code, key: ast.Lambda, node: ast.expr) -> Iterator[Repair]:
    """`max(rows, key=lambda row: row.price)`: only those that have a price."""
    names = [a.arg for a in key.args.args]
    if len(names) == 1 and isinstance(node, ast.Name | ast.Attribute):
        text = f"({names[0]} for {names[0]} in {code.segment(node)} if {code.segment(key.body)} is not None)"
        yield repair(
            question,
            "Skip elements whose key is None",
            [code.replace(node, text)],
            prior("none.element-passed-over"),
        )


def _tested(
    question: Question, code: Code, node: ast.GeneratorExp | ast.ListComp, cost: float
) -> Iterator[Repair]:
    loop = node.generators[-1]
    if not isinstance(node.elt, ast.Name | ast.Attribute | ast.Subscript):
        return
    text = f"{code.segment(node.elt)} is not None"
    if loop.ifs:
        first = code.segment(loop.ifs[0])
        first = f"({first})" if isinstance(loop.ifs[0], ast.BoolOp | ast.IfExp) else first
        edit = code.replace(loop.ifs[0], f"{text} and {first}")
    else:
        end = code.end(loop.iter)
        edit = code.edit(end, end, f" if {text}")
    yield repair(question, f"Test {text}", [edit], cost)


def _where_made(question: Question, origin: From) -> Iterator[Repair]:
    """`list(values)`, or a comprehension, that keeps None as well."""
    code, node, cost = (
        origin.code,
        origin.node,
        prior("none.element-made") + prior("none.element-step") * origin.steps,
    )
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        yield from _tested(question, code, node, cost)
    elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        form = _COLLECTED.get(dotted(node.func), "")
        given = node.args[0]
        if form and isinstance(given, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            text = form.format(_passed_over(code, given))
            yield repair(question, "Skip elements that are None", [code.replace(node, text)], cost)
        elif isinstance(given, ast.GeneratorExp | ast.ListComp):
            yield from _tested(question, code, given, cost)


def _passed_over(code: Code, node: ast.expr) -> str:
    name = element_of(code, node)
    return f"{name} for {name} in {code.segment(node)} if {name} is not None"


def _at_the_beginning(question: Question, code: Code, node: ast.expr, late: float) -> Iterator[Repair]:
    """What is also used otherwise, as in `sum(values) / len(values)`, is made shorter first."""
    function, statement = code.function(node), code.statement(node)
    if not isinstance(node, ast.Name) or function is None or statement is None:
        return
    uses = len(loads(ast.walk(function), node.id))
    line = f"{node.id} = [{_passed_over(code, node)}]"
    cost = (
        prior("none.element-taken") - prior("none.element-taken-for-several")
        if uses > 1
        else prior("none.element-taken") + prior("none.element-taken-once")
    )
    is_parameter = node.id in {a.arg for a in function.args.args}
    place = first_statement(function) if is_parameter else statement
    yield repair(question, f"Insert {line}", [line_before(code, place, line)], cost + late)


REPAIRER = Repairer("none among elements", frozenset({"TypeError"}), diagnose, propose)
