"""The first element of a chain: nothing is there yet to which it could be attached.

`self.tail.next = node` needs a tail; the first node is head and tail.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, is_none, walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An attribute that is None at first, in a method that attaches something to what it holds."""
    found = [a for a in absents(problem, knowledge) if any(_attached(a, knowledge))]
    if not found:
        return None
    return Diagnosis(
        problem, Family.NONE, "first-of-a-chain", "a node", "None", tuple(a.place for a in found)
    )


def propose(question: Question) -> Iterator[Repair]:
    """The new element becomes what is asked for."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _of(question, absent))


def _of(question: Question, absent: Absent) -> Iterator[Repair]:
    code = absent.code
    for start, value in _attached(absent, question.knowledge):
        statement = code.statement(absent.node)
        if isinstance(absent.node, ast.Attribute) and isinstance(statement, ast.Assign):
            others = _others(code, absent.node)
            for rank, other in enumerate([*others, start]):
                edits = [_chosen(code, statement, f"{start} is None", f"{other} = {value}")]
                yield repair(
                    question,
                    f"Assign {other} first",
                    edits,
                    prior("none.chain-first") + prior("shared.rank") * rank,
                )
        else:
            first = _reading(code, absent.node, start)
            guard = f"if {start} is None:\n{code.unit}{start} = {value}\n{code.unit}return"
            if first is not None:
                yield repair(
                    question,
                    f"Assign {start} first",
                    [line_before(code, first, guard)],
                    prior("none.chain-first"),
                )


def _attached(absent: Absent, knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """The attribute that is None at first, and what the method attaches behind it."""
    code, function = absent.code, absent.code.function(absent.node)
    cls = code.class_of(absent.node)
    if (
        cls is None
        or not isinstance(function, Function)
        or not isinstance(absent.node, ast.Name | ast.Attribute)
    ):
        return
    links = [
        n
        for n in walk_scope(function)
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute)
    ]
    made = [n for n in links if _is_deep(n) or (_is_new(n.value) and dotted(n.targets[0])[:5] != "self.")]
    for origin in origins(knowledge, absent.spot, absent.node) if made else ():
        name = dotted(origin.node) if isinstance(origin.node, ast.Attribute) else ""
        if name.startswith("self.") and name.count(".") == 1 and _begins_with_none(cls, name):
            yield name, code.segment(made[-1].value)
            return


def _is_new(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Call)


def _is_deep(node: ast.Assign) -> bool:
    """`self.tail.next = node`."""
    return dotted(node.targets[0]).count(".") > 1


def _begins_with_none(cls: ast.ClassDef, name: str) -> bool:
    given = [n for n in ast.walk(cls) if isinstance(n, ast.Assign) and name in map(dotted, n.targets)]
    return any(is_none(n.value) for n in given)


def _others(code: Code, node: ast.Attribute) -> list[str]:
    """Other attributes of the object that are None at first, and never anything else."""
    cls = code.class_of(node)
    given: dict[str, list[ast.expr]] = {}
    for node_of in ast.walk(cls) if cls is not None else ():
        value = node_of.value if isinstance(node_of, ast.Assign) else None
        for target in node_of.targets if isinstance(node_of, ast.Assign) else ():
            if isinstance(target, ast.Attribute) and dotted(target.value) == "self" and value is not None:
                given.setdefault(dotted(target), []).append(value)
    return [name for name, values in given.items() if name != dotted(node) and all(map(is_none, values))]


def _chosen(code: Code, statement: ast.stmt, test: str, first: str) -> Edit:
    indent, unit = code.indent(statement.lineno - 1), code.unit
    otherwise = code.segment(statement).replace("\n", f"\n{unit}")
    text = f"if {test}:\n{indent}{unit}{first}\n{indent}else:\n{indent}{unit}{otherwise}"
    return code.replace(statement, text)


def _reading(code: Code, node: ast.AST, name: str) -> ast.stmt | None:
    """The first statement of a method that reads the attribute."""
    function = code.function(node)
    for statement in function.body if function is not None else ():
        if any(dotted(n) == name for n in ast.walk(statement)):
            return statement
    return None


REPAIRER = Repairer("first of a chain", ABSENT, diagnose, propose)
