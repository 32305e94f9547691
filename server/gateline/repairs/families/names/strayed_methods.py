"""A method that stands beside its class: the class lacks it, and a function below the class takes `self`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from gateline.model import Diagnosis, Edit, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import classes
from gateline.repairs.analysis.code import Code, Function
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.missing_attribute import LACKING, lacking
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An object lacks what is written below its class."""
    found = _strayed(problem, knowledge)
    if found is None:
        return None
    code, functions = found
    places = (Place(code.path, code.span(functions[-1])),)
    return Diagnosis(
        problem, Family.NAME, "strayed-method", "a method", f"the function {functions[-1].name}", places
    )


def propose(question: Question) -> Iterator[Repair]:
    """It moves into the class, with the methods between."""
    found = _strayed(question.problem, question.knowledge)
    if found is not None:
        code, functions = found
        edits = [edit for function in functions for edit in _indented(code, function)]
        title = f"Indent {', '.join(f.name for f in functions)}"
        yield from cheapest([repair(question, title, edits, prior("names.strayed-method"))])


def _strayed(problem: Problem, knowledge: Knowledge) -> tuple[Code, list[Function]] | None:
    """The functions that take `self` right below the class, up to the one that it lacks."""
    lack = lacking(problem, knowledge)
    owner = next(iter(classes(knowledge, lack.owner)), None) if lack is not None else None
    if lack is None or owner is None or owner[1] not in owner[0].tree.body:
        return None
    code, cls = owner
    below = code.tree.body[code.tree.body.index(cls) + 1 :]
    functions = [n for n in takewhile(_takes_self, below) if isinstance(n, Function)]
    names = [f.name for f in functions]
    return (code, functions[: names.index(lack.name) + 1]) if lack.name in names else None


def _takes_self(node: ast.stmt) -> bool:
    return isinstance(node, Function) and [a.arg for a in node.args.args[:1]] == ["self"]


def _indented(code: Code, function: Function) -> Iterator[Edit]:
    """One step for each of its lines; the lines of a text in three quotes stay as they are."""
    first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
    texts = (n for n in ast.walk(function) if isinstance(n, ast.Constant | ast.JoinedStr))
    inside = {line for n in texts for line in range(n.lineno + 1, (n.end_lineno or n.lineno) + 1)}
    for line in range(first, (function.end_lineno or first) + 1):
        start = code.line_start(line - 1)
        if line not in inside and code.text[start : code.line_start(line)].strip():
            yield code.edit(start, start, code.unit)


REPAIRER = Repairer("strayed methods", LACKING, diagnose, propose)
