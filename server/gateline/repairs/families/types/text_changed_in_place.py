"""Text whose letters are set one by one: it is put together anew each time, since text does not change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = "'str' object does not support item assignment"


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A letter of a text was to be set."""
    if _TOLD not in problem.message:
        return None
    return Diagnosis(problem, Family.TYPE, "text-in-place", "list", "str")


def propose(question: Question) -> Iterator[Repair]:
    """The text before it, the letter, and the text behind it."""
    found = [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]
    yield from cheapest(r for spot in found for r in _of(question, spot))


def _of(question: Question, spot: Spot) -> Iterator[Repair]:
    code = spot.code
    for node in spot.candidates(ast.Assign):
        target = node.targets[0]
        if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
            continue
        name, index = code.segment(target.value), code.segment(target.slice)
        behind = f"{index} + 1" if not isinstance(target.slice, ast.Constant) else str(_next(target.slice))
        value = code.segment(node.value)
        value = (
            value
            if isinstance(node.value, ast.Constant | ast.Name | ast.Call | ast.Subscript)
            else f"({value})"
        )
        text = f"{name} = {name}[:{index}] + {value} + {name}[{behind}:]"
        yield repair(
            question, f"Write {text}", [code.replace(node, text)], prior("types.text-changed-in-place")
        )


def _next(node: ast.Constant) -> int:
    return node.value + 1 if isinstance(node.value, int) else 1


REPAIRER = Repairer("texts changed in place", frozenset({"TypeError"}), diagnose, propose)
