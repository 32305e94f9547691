"""A value that is converted wherever the text names it, but in one place: `list(self.RULES)`.

What came of it may fail far from there; tests decide.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.demands import demands, supplies
from gateline.repairs.locate.mismatch import MISMATCHES, mismatches
from gateline.repairs.locate.suspects import nearby
from gateline.repairs.priors import prior

_CONVERSIONS = frozenset(
    {"bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
)
_VALUES = _CONVERSIONS | {
    "dict_items",
    "dict_keys",
    "dict_values",
    "filter",
    "generator",
    "map",
    "range",
    "zip",
}
_MOST = 2
"""Places without a conversion: where there are more, none was meant."""
_KEPT = (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword)
"""What holds a value for later: in between, another type often does as well."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run met a value of a built-in type that cannot do what is asked of it."""
    met = {m.actual for m in mismatches(problem, knowledge)} if problem.origin is Origin.RUN else set()
    told = sorted(met & _VALUES)
    return Diagnosis(problem, Family.TYPE, "missing-conversion", "another type", told[0]) if told else None


def propose(question: Question) -> Iterator[Repair]:
    """The conversion that the others have, in the modules nearest to the run first."""
    yield from cheapest(
        found
        for rank, code in enumerate(nearby(question.problem, question.knowledge))
        for found in _converted(
            question,
            code,
            prior("types.converted-elsewhere") + prior("types.converted-elsewhere-rank") * rank,
        )
    )


def _converted(question: Question, code: Code, cost: float) -> Iterator[Repair]:
    able = _able(question)
    known = {text: kind for text, kind in _conversions(code).items() if kind in able}
    names = {text.rpartition(".")[2].partition("(")[0] for text in known}
    bare: dict[str, list[ast.expr]] = {}
    for place in _named(code, names):
        text = ast.unparse(place)
        if text in known and isinstance(code.parent(place), _KEPT):
            bare.setdefault(text, []).append(place)
    for text, places in bare.items():
        for node in places if len(places) <= _MOST else ():
            written = f"{known[text]}({code.segment(node)})"
            yield repair(question, f"Write {written}", [code.replace(node, written)], cost)


def _able(question: Question) -> set[str]:
    """The types that can do what is asked of the value, as far as that is told."""
    found = mismatches(question.problem, question.knowledge)
    wanted = [demands(m.spot.code, m.node) for m in found if m.actual == question.diagnosis.actual]
    kinds = _CONVERSIONS - {question.diagnosis.actual}
    return {
        kind
        for kind in kinds
        if any(supplies(question.knowledge, kind, each) is not False for each in wanted)
    }


def _conversions(code: Code) -> Mapping[str, str]:
    """Expressions, as text, with the one conversion that is around them somewhere."""
    found: dict[str, set[str]] = {}
    for node in code.nodes:
        if isinstance(node, ast.Attribute | ast.Call) and (around := _around(code, node)):
            found.setdefault(ast.unparse(node), set()).add(around)
    return {text: names.pop() for text, names in found.items() if len(names) == 1}


def _named(code: Code, names: set[str]) -> Iterator[ast.Attribute | ast.Call]:
    """The attributes and calls with such names at their end."""
    for node in code.nodes:
        if isinstance(node, ast.Attribute | ast.Call):
            asked = node.func if isinstance(node, ast.Call) else node
            if dotted(asked).rpartition(".")[2] in names:
                yield node


def _around(code: Code, node: ast.expr) -> str:
    """The conversion whose only argument an expression is; "" where it is none."""
    call = code.parent(node)
    is_alone = isinstance(call, ast.Call) and call.args == [node] and not call.keywords
    name = dotted(call.func) if isinstance(call, ast.Call) and is_alone else ""
    return name if name in _CONVERSIONS else ""


REPAIRER = Repairer("converted elsewhere", MISMATCHES, diagnose, propose)
