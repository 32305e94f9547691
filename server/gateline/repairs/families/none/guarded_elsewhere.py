"""A test for None that the same code has elsewhere, and this place lost.

`if on_error is not None: on_error(e)` a few lines above `on_error(e)`; `key(row) if key else row` in another
function; `if node.lower is not None: lower = …` beside `upper = …`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.blocks import body_of, indented
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.none_tests import asked
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.classify import RAISED
from gateline.repairs.donors.renaming import renamed, renaming
from gateline.repairs.edit_builder import cheapest, fitted, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_PLAIN = (ast.Assign, ast.Expr, ast.AugAssign, ast.AnnAssign)
_PARTS = 2
_HIGHEST = 3
"""Expressions around what is None."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run failed, or something may be None."""
    if problem.origin is not Origin.RUN and not absents(problem, knowledge):
        return None
    return Diagnosis(problem, Family.NONE, "lost-guard", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """The same test around the same code."""
    is_told = "None" in question.problem.message
    yield from cheapest((*_of_values(question), *(_of_functions(question) if is_told else ())))


def _of_values(question: Question) -> Iterator[Repair]:
    """What is None, and what it came from, as the text tests it in the same words elsewhere."""
    for absent in absents(question.problem, question.knowledge):
        for origin in origins(question.knowledge, absent.spot, absent.node):
            if is_test(origin.code.path):
                continue
            cost = prior("none.guard-as-elsewhere") + prior("shared.step") * origin.steps + absent.doubt
            yield from _chosen(question, origin.code, origin.node, cost)
            statement = origin.code.statement(origin.node)
            if isinstance(statement, _PLAIN):
                yield from _same_statement(question, origin.code, statement, cost)


def _chosen(question: Question, code: Code, node: ast.expr, cost: float) -> Iterator[Repair]:
    """`key(row) if key else row`, or `key and key(row)`, where the text says just that."""
    whole: ast.AST = node
    for height in range(_HIGHEST):
        if not isinstance(whole, ast.expr) or isinstance(getattr(whole, "ctx", None), ast.Store):
            return
        wanted, known = ast.dump(whole), visible(code, node).keys()
        if height or not isinstance(node, ast.Name):
            for other, inner in _choices(code):
                used = {n.id for n in ast.walk(other) if isinstance(n, ast.Name)}
                if inner is not whole and used <= known and ast.dump(inner) == wanted:
                    text = fitted(code, whole, code.segment(other))
                    edits = [code.replace(whole, text)]
                    yield repair(question, f"Write {_line(text)}", edits, cost, pattern="lost-condition")
        whole = code.parent(whole) or whole


def _choices(code: Code) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Choices and conditions that ask for None, with what is computed where it is not."""
    for node in code.nodes:
        if isinstance(node, ast.IfExp):
            test = next(asked(node.test), None)
            yield node, node.orelse if test is not None and test.if_none else node.body
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) and len(node.values) > 1:
            yield node, node.values[-1]


def _same_statement(question: Question, code: Code, statement: ast.stmt, cost: float) -> Iterator[Repair]:
    wanted, known = ast.dump(statement), visible(code, statement).keys()
    for guard in (n for n in code.nodes if isinstance(n, ast.If)):
        used = {n.id for n in ast.walk(guard.test) if isinstance(n, ast.Name)}
        is_same = any(inner is not statement and ast.dump(inner) == wanted for inner in guard.body)
        if is_same and used <= known and _asks_for_it(guard.test, statement):
            edits = indented(code, [statement], f"if {code.segment(guard.test)}:")
            title = f"Run only if {_line(code.segment(guard.test))}"
            yield repair(question, title, edits, cost, pattern="lost-block")


def _of_functions(question: Question) -> Iterator[Repair]:
    """Statements beside others that say the same of another name, and are tested, on the way to the error."""
    for rank, spot in enumerate(_on_the_way(question)):
        function = spot.code.function(spot.node) if spot.node is not None else None
        for guard in walk_scope(function) if function is not None else ():
            if isinstance(guard, ast.If) and not guard.orelse and len(guard.body) == 1:
                yield from _likewise(
                    question, spot.code, guard, prior("none.guard-of-function") + prior("shared.rank") * rank
                )
            if function is not None and isinstance(guard, ast.If) and isinstance(guard.test, ast.BoolOp):
                yield from _longer(
                    question,
                    spot.code,
                    function,
                    guard.test,
                    prior("none.guard-longer") + prior("shared.rank") * rank,
                )


def _on_the_way(question: Question) -> list[Spot]:
    found: dict[ast.AST, Spot] = {}
    for spot in spots(question.problem, question.knowledge):
        function = None if spot.node is None or is_test(spot.code.path) else spot.code.function(spot.node)
        if function is not None:
            found.setdefault(function, spot)
    return list(found.values())


def _likewise(question: Question, code: Code, guard: ast.If, cost: float) -> Iterator[Repair]:
    inner, test = guard.body[0], code.segment(guard.test)
    if not isinstance(inner, _PLAIN) or not _asks_for_it(guard.test, inner):
        return
    for other in body_of(code, guard) or []:
        names = renaming(code.segment(inner), code.segment(other)) if isinstance(other, _PLAIN) else None
        text = renamed(test, names) if names else test
        if text != test and _asks_for_it(ast.parse(text, mode="eval").body, other):
            edits = indented(code, [other], f"if {text}:")
            yield repair(question, f"Run only if {text}", edits, cost, pattern="lost-block")


def _longer(
    question: Question, code: Code, function: ast.AST, test: ast.BoolOp, cost: float
) -> Iterator[Repair]:
    """`if fmt.line and "line" not in hidden` beside `if "head" not in hidden`, which was as long."""
    if not isinstance(test.op, ast.And) or len(test.values) != _PARTS:
        return
    first, rest = (code.segment(value) for value in test.values)
    for other in (n for n in walk_scope(function) if isinstance(n, ast.If) and n.test is not test):
        for lost, kept, order in ((first, rest, "{0} and {1}"), (rest, first, "{1} and {0}")):
            own = code.segment(other.test)
            names = renaming(kept, own)
            text = renamed(lost, names) if names else lost
            if text != lost and _is_used(code, other, text):
                edits = [code.replace(other.test, order.format(text, own))]
                yield repair(question, f"Test {_line(text)}", edits, cost, pattern="lost-condition")


def _is_used(code: Code, choice: ast.If, text: str) -> bool:
    """Whether a branch needs what a condition asks about."""
    return any(text in code.segment(statement) for statement in choice.body)


def _asks_for_it(test: ast.expr, statement: ast.stmt) -> bool:
    """Whether a test asks if something is there that a statement needs."""
    there = {dotted(a.node) for a in asked(test) if not a.if_none} | {dotted(test)}
    return bool(there - {""} & {dotted(n) for n in ast.walk(statement)})


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}…"


REPAIRER = Repairer("guarded elsewhere", RAISED | ABSENT, diagnose, propose)
