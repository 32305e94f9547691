"""An attribute that is made when it is first needed: the other methods of its class begin by making it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.blocks import LEAVING
from gateline.repairs.analysis.code import Code, Function, first_statement, is_none, walk_scope
from gateline.repairs.analysis.none_tests import asked
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An attribute of its own is None that another method would make first."""
    found = [a for a in absents(problem, knowledge) if any(_beginnings(a))]
    if not found:
        return None
    return Diagnosis(
        problem, Family.NONE, "made-when-needed", "a value", "None", tuple(a.place for a in found)
    )


def propose(question: Question) -> Iterator[Repair]:
    """The same lines before it is used."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _of(question, absent))


def _of(question: Question, absent: Absent) -> Iterator[Repair]:
    code, statement = absent.code, absent.code.statement(absent.node)
    function = code.function(absent.node)
    if statement is None or not isinstance(function, Function):
        return
    for text, cost in _beginnings(absent):
        title = f"Insert {text.splitlines()[0].removesuffix(':')}"
        for rank, place in enumerate(dict.fromkeys((first_statement(function), statement))):
            edit = line_before(code, place, text)
            yield repair(question, title, [edit], cost + prior("shared.rank") * rank + absent.doubt)


def _beginnings(absent: Absent) -> Iterator[tuple[str, float]]:
    """What makes the attribute in other methods, as lines without indentation, with their cost."""
    code, name = absent.code, dotted(absent.node)
    cls, function = code.class_of(absent.node), code.function(absent.node)
    if cls is None or "." not in name or not isinstance(absent.node, ast.Attribute):
        return
    methods = [m for m in cls.body if isinstance(m, Function) and m is not function]
    for method in methods:
        for node in method.body:
            if isinstance(node, ast.If) and _makes(node, name):
                yield _dedented(code, node), prior("attributes.lazy-as-others")
    yield from _called_by_others(code, methods, name)


def _makes(node: ast.If, name: str) -> bool:
    """`if self._index is None:` with what changes that."""
    tests = list(asked(node.test))
    is_asked = any(test.if_none and dotted(test.node) == name for test in tests)
    return is_asked and not node.orelse and not isinstance(node.body[-1], LEAVING)


def _called_by_others(
    code: Code, methods: list[ast.FunctionDef | ast.AsyncFunctionDef], name: str
) -> Iterator[tuple[str, float]]:
    """A method that makes it and needs nothing: others call it at their beginning, or nothing does."""
    me = name.rpartition(".")[0]
    for method in methods:
        needs = len(method.args.args) - len(method.args.defaults) > 1 or method.name.startswith("__")
        if (
            needs
            or isinstance(method, ast.AsyncFunctionDef)
            or not _sets(method, name)
            or method.decorator_list
        ):
            continue
        call = f"{me}.{method.name}()"
        is_usual = any(ast.unparse(first_statement(m)) == call for m in methods)
        guarded = f"if {name} is None:\n{code.unit}{call}"
        yield (
            (call, prior("attributes.lazy-as-others"))
            if is_usual
            else (guarded, prior("attributes.lazy-by-method"))
        )


def _sets(method: ast.FunctionDef, name: str) -> bool:
    given = [n for n in walk_scope(method) if isinstance(n, ast.Assign) and name in map(dotted, n.targets)]
    return any(not is_none(n.value) for n in given)


def _dedented(code: Code, node: ast.stmt) -> str:
    indent = code.indent(node.lineno - 1)
    rows = code.segment(node).split("\n")
    return "\n".join([rows[0], *(row.removeprefix(indent) for row in rows[1:])]).replace("\r", "")


REPAIRER = Repairer("made when needed", ABSENT, diagnose, propose)
