"""An annotation and a None that do not go together: `def f(size: int = None)`, `name: str = None`, `-> str`.

Either the annotation leaves None out, or None was not meant: `kind: type[Error] = None` begins as the class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, is_none, parameters, walk_scope
from gateline.repairs.analysis.none_tests import is_asked
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.types import kind
from gateline.repairs.donors.call_arguments import default_of
from gateline.repairs.donors.initial_values import EMPTY
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

_CODES = frozenset({"assignment", "return-value"}) & ABSENT


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A type checker met None where an annotation leaves it out."""
    if '"None"' not in problem.message or not any(_noted(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.NONE, "none-unlike-its-annotation", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """Another annotation, or another value."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for spot, name, value, note in _noted(question.problem, question.knowledge):
        code = spot.code
        cost = prior(
            "none.annotation" if name is not None and is_asked(code, name) else "none.annotation-untested"
        )
        text = _or_none(code, note)
        title = f"Write {text}"
        yield repair(question, title, [code.replace(note, text)], cost, pattern="annotation-without-none")
        for rank, text in enumerate(_values(code, value, note)):
            edits = [code.replace(value, text)]
            yield repair(
                question,
                f"Start with {text}",
                edits,
                prior("none.annotation-begun") + prior("none.annotation-begun-rank") * rank,
                pattern="lost-default",
            )


_Noted = tuple[Spot, ast.Name | None, ast.expr, ast.expr]


def _noted(problem: Problem, knowledge: Knowledge) -> Iterator[_Noted]:
    """What is called so, the None that it is given, and its annotation."""
    for spot in spots(problem, knowledge)[:1]:
        for node in spot.code.nodes_at(spot.line):
            if isinstance(node, Function):
                yield from _of_parameters(spot, node)
            elif isinstance(node, ast.AnnAssign) and node.value is not None and is_none(node.value):
                name = node.target if isinstance(node.target, ast.Name) else None
                yield spot, name, node.value, node.annotation
            elif isinstance(node, ast.Return) and is_none(node.value) and node.value is not None:
                function = spot.code.function(node)
                if function is not None and function.returns is not None and node.lineno == spot.line + 1:
                    yield spot, None, node.value, function.returns


def _of_parameters(spot: Spot, function: Function) -> Iterator[_Noted]:
    for arg in parameters(function):
        value = default_of(function, arg.arg)
        if arg.annotation is None or value is None or not is_none(value) or arg.lineno != spot.line + 1:
            continue
        uses = (n for n in walk_scope(function) if isinstance(n, ast.Name) and n.id == arg.arg)
        yield spot, next(uses, None), value, arg.annotation


def _or_none(code: Code, note: ast.expr) -> str:
    """The annotation with None, as the text writes it elsewhere."""
    text = code.segment(note)
    if "Optional" in visible(code, note):
        return f"Optional[{text}]"
    if isinstance(note, ast.Constant) and isinstance(note.value, str):
        mark = text[-1]
        return f"{mark}{note.value} | None{mark}"
    return f"{text} | None"


def _values(code: Code, value: ast.expr, note: ast.expr) -> Iterator[str]:
    """What such an annotation may begin with: the class of `type[Error]`, or what is empty."""
    text = ast.unparse(note).strip("'\"")
    if isinstance(note, ast.Subscript) and dotted(note.slice) and kind(text) == "type":
        yield code.segment(note.slice)
    if (
        not isinstance(code.parent(value), ast.Return)
        and (empty := EMPTY.get(kind(text).lower())) is not None
    ):
        yield empty


REPAIRER = Repairer("annotations of None", _CODES, diagnose, propose)
