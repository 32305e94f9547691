"""A set, a counter or a dictionary of lists: their elements become tuples, `set(map(tuple, rows))`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"unhashable type: '(list|set|dict|bytearray)'|cannot use '(list|set|dict)' as a set element"
)
_TAKERS = frozenset({"set", "frozenset", "Counter", "fromkeys", "OrderedDict"})
_FORMS = {"list": "tuple", "set": "frozenset", "bytearray": "bytes"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Elements that cannot be hashed are put into a set."""
    told = _TOLD.search(problem.message)
    if told is None or not any(_given(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "unhashable-element", "tuple", told[1] or told[2])


def propose(question: Question) -> Iterator[Repair]:
    """Each of them becomes something that can be hashed."""
    actual = question.diagnosis.actual
    for spot, node in _given(question.problem, question.knowledge):
        text = spot.code.segment(node)
        if actual in _FORMS and isinstance(node, ast.GeneratorExp | ast.ListComp):
            edits = list(spot.code.wrap(node.elt, f"{_FORMS[actual]}(", ")"))
        elif actual in _FORMS:
            edits = [spot.code.replace(node, f"map({_FORMS[actual]}, {text})")]
        else:
            edits = [spot.code.replace(node, f"(tuple(sorted(entry.items())) for entry in {text})")]
        yield from cheapest(
            [repair(question, "Make the elements hashable", edits, prior("types.unhashable"))]
        )


def _given(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Spot, ast.expr]]:
    for spot in [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]:
        for call in spot.candidates(ast.Call):
            if last(call.func) in _TAKERS and call.args:
                yield spot, call.args[0]


REPAIRER = Repairer("unhashable elements", frozenset({"TypeError"}), diagnose, propose)
