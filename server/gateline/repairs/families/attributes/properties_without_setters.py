"""An assignment to a property that only tells: the attribute behind it was meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import Definition
from gateline.repairs.analysis.dataflow import returned
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"property '?(?P<name>\w*)'?.* has no setter|can't set attribute")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A property cannot be set."""
    if _TOLD.search(problem.message) is None:
        return None
    return Diagnosis(problem, Family.TYPE, "property-without-setter", "an attribute", "a property")


def propose(question: Question) -> Iterator[Repair]:
    """Set what the property returns."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        code = spot.code
        for node in spot.candidates(ast.Attribute):
            if not isinstance(node.ctx, ast.Store):
                continue
            for function in code.functions.get(node.attr, ()):
                kept = [
                    v.attr
                    for v in returned(Definition(code, function))
                    if isinstance(v, ast.Attribute) and dotted(v.value) == "self"
                ]
                for name in kept[:1] if function.decorator_list else ():
                    end = code.end(node)
                    edit = code.edit(end - len(node.attr), end, name)
                    yield repair(
                        question, f"Assign to {name} instead", [edit], prior("attributes.property-setter")
                    )


REPAIRER = Repairer("properties without setters", frozenset({"AttributeError"}), diagnose, propose)
