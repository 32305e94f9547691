"""What a call gave is None, and is asked for something at once: it gets a name, and is tested.

`re.search(pattern, text).group(1)` becomes two statements with a test between them; so does
`find(name).parent.name`, where either may be None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import called
from gateline.repairs.analysis.code import COMPREHENSIONS, Code, Function, is_none, walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.donors.early_returns import exits
from gateline.repairs.donors.new_names import result_of
from gateline.repairs.donors.results import gives_a_value
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior

_MAYBE = frozenset(
    {"get", "find", "search", "match", "fullmatch", "fetchone", "getenv", "first", "one_or_none"}
)
"""Calls that give None where there is nothing."""
_SIMPLE = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Return,
    ast.Expr,
    ast.If,
    ast.For,
    ast.Raise,
    ast.Assert,
)


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """None came out of a call on the way to what is used."""
    found = [a for a in absents(problem, knowledge) if _call_of(a, knowledge) is not None]
    if not found:
        return None
    return Diagnosis(problem, Family.NONE, "none-of-a-call", "a value", "None", tuple(a.place for a in found))


def propose(question: Question) -> Iterator[Repair]:
    """A name and a test."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _of(question, absent))


@dataclass(frozen=True)
class _Named:
    """A statement in which a call is to be tested."""

    code: Code
    statement: ast.stmt
    name: str
    call: ast.Call | None
    """What gets the name; None where it has it already."""

    def edits(self, guard: str, replaced: list[Edit]) -> list[Edit]:
        lines = (
            guard
            if self.call is None
            else f"{self.name} = {self.code.segment(self.call)}\n{guard}".rstrip("\n")
        )
        return [*([line_before(self.code, self.statement, lines)] if lines else []), *replaced]


def _of(question: Question, absent: Absent) -> Iterator[Repair]:
    call = _call_of(absent, question.knowledge)
    statement = None if call is None else absent.code.statement(absent.node)
    if call is None or not isinstance(statement, _SIMPLE) or absent.code.function(absent.node) is None:
        return
    code, node = absent.code, absent.node
    if _comprehension(code, node) is not None:
        yield from _in_a_comprehension(question, absent)
    elif _is_free(code, node, statement):
        if isinstance(node, ast.Attribute):
            yield from _both(question, absent, statement, node)
        else:
            yield from _exits(question, absent, statement, call)
            yield from _choices(question, absent, statement, call)
    yield from _text_found(question, absent, call)


def _call_of(absent: Absent, knowledge: Knowledge) -> ast.expr | None:
    """The call that may give None: the expression itself, or what it is an attribute of."""
    node = absent.node
    if isinstance(node, ast.Call):
        return node
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Call | ast.Name | ast.Attribute):
        return None
    for origin in origins(knowledge, absent.spot, node.value):
        if is_none(origin.node):
            return node.value
        if isinstance(origin.node, ast.Call):
            given = called(knowledge, origin.spot, origin.node)[:2]
            if any(_may_give_none(d.node) for d in given) or (not given and last(origin.node.func) in _MAYBE):
                return node.value
    return None


def _may_give_none(function: Function | ast.Lambda) -> bool:
    if isinstance(function, ast.Lambda) or not gives_a_value(function):
        return False
    returns = [n for n in walk_scope(function) if isinstance(n, ast.Return)]
    is_open = not isinstance(
        function.body[-1], ast.Return | ast.Raise | ast.If | ast.Try | ast.While | ast.With
    )
    return is_open or any(n.value is None or is_none(n.value) for n in returns)


def _comprehension(code: Code, node: ast.AST) -> ast.AST | None:
    """What runs a node for each element, or later: what a comprehension runs over is evaluated before."""
    inner = node
    for outer in code.ancestors(node):
        if isinstance(outer, ast.Lambda) or (
            isinstance(outer, COMPREHENSIONS) and inner is not outer.generators[0]
        ):
            return outer
        inner = outer
    return None


def _is_free(code: Code, node: ast.AST, statement: ast.stmt) -> bool:
    """Whether a line before the statement runs just before the expression does."""
    parent = code.parent(statement)
    is_elif = isinstance(statement, ast.If) and isinstance(parent, ast.If) and statement in parent.orelse
    is_later = any(
        isinstance(a, ast.BoolOp | ast.IfExp | ast.While)
        for a in code.ancestors(node)
        if isinstance(a, ast.expr)
    )
    return not is_elif and not is_later


def _exits(question: Question, absent: Absent, statement: ast.stmt, call: ast.expr) -> Iterator[Repair]:
    if not isinstance(call, ast.Call):
        return
    code = absent.code
    named = _Named(code, statement, result_of(code, call), call)
    base = (
        prior("none.way-exit")
        if last(call.func) in _MAYBE
        else prior("none.way-exit") + prior("none.way-of-workspace")
    )
    for text, cost in exits(code, statement, named.name):
        guard = f"if {named.name} is None:\n{code.unit}{text}"
        edits = named.edits(guard, [code.replace(call, named.name)])
        title = f"Exit early if {named.name} is None: {text}"
        yield repair(question, title, edits, base + cost + absent.doubt, pattern="lost-exit")


def _choices(question: Question, absent: Absent, statement: ast.stmt, call: ast.expr) -> Iterator[Repair]:
    """`title.text if title is not None else None`, in an assignment or in what is returned."""
    whole = _longest(absent.code, call)
    if whole is call or not isinstance(call, ast.Call) or not isinstance(whole, ast.expr):
        return
    code, name = absent.code, result_of(absent.code, call)
    rest = code.text[code.end(call) : code.end(whole)]
    for rank, value in enumerate(("None", '""', "0", "[]")):
        text = f"{name}{rest} if {name} is not None else {value}"
        is_alone = code.parent(whole) is statement
        edit = code.replace(whole, text if is_alone else f"({text})")
        edits = _Named(code, statement, name, call).edits("", [edit])
        cost = prior("none.way-choice") + prior("none.way-choice-rank") * rank + absent.doubt
        yield repair(question, f"Use {value} where {name} is None", edits, cost, pattern="lost-condition")


def _longest(code: Code, node: ast.expr) -> ast.AST:
    whole: ast.AST = node
    for outer in code.ancestors(node):
        is_chain = isinstance(outer, ast.Attribute | ast.Subscript) and outer.value is whole
        if not is_chain and not (isinstance(outer, ast.Call) and outer.func is whole):
            return whole
        whole = outer
    return whole


def _both(question: Question, absent: Absent, statement: ast.stmt, node: ast.Attribute) -> Iterator[Repair]:
    """`if person is None or person.boss is None`, where a call gave the person."""
    code, owner = absent.code, node.value
    call = owner if isinstance(owner, ast.Call) else None
    name = result_of(code, call) if call is not None else code.segment(owner)
    named = _Named(code, statement, name, call)
    for text, cost in exits(code, statement, f"{name}.{node.attr}"):
        guard = f"if {name} is None or {name}.{node.attr} is None:\n{code.unit}{text}"
        edits = named.edits(guard, [code.replace(owner, name)] if call is not None else [])
        title = f"Exit early if {name} or {name}.{node.attr} is None: {text}"
        yield repair(
            question, title, edits, prior("none.way-exit-for-both") + cost + absent.doubt, pattern="lost-exit"
        )


def _in_a_comprehension(question: Question, absent: Absent) -> Iterator[Repair]:
    """`[m.group(1) for line in lines if (m := find(line))]`."""
    code, node = absent.code, absent.node
    holder = _comprehension(code, node)
    if not isinstance(holder, ast.ListComp | ast.SetComp | ast.GeneratorExp) or not isinstance(
        node, ast.Call
    ):
        return
    if holder.generators[-1].ifs or node not in ast.walk(holder.elt):
        return
    name, end = result_of(code, node), code.end(holder.generators[-1].iter)
    edits = [code.replace(node, name), code.edit(end, end, f" if ({name} := {code.segment(node)})")]
    yield repair(
        question,
        "Skip elements for which it is None",
        edits,
        prior("none.way-filtered") + absent.doubt,
        pattern="lost-condition",
    )


def _text_found(question: Question, absent: Absent, call: ast.expr) -> Iterator[Repair]:
    """`item.find("price").text` is `item.findtext("price")`, which may be None."""
    code, holder = absent.code, absent.code.parent(call)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "find":
        return
    if isinstance(holder, ast.Attribute) and holder.attr == "text":
        owner, given = code.segment(call.func.value), ", ".join(map(code.segment, call.args))
        edit = code.replace(holder, f"{owner}.findtext({given})")
        yield repair(
            question,
            "Use findtext()",
            [edit],
            prior("none.way-text-found") + absent.doubt,
            pattern="lost-condition",
        )


REPAIRER = Repairer("none on the way", ABSENT, diagnose, propose)
