"""A dictionary or a set that a loop changes while it runs over it: the loop runs over a list of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"(?:(?:dictionary|Set|OrderedDict) (?:changed size|keys changed|mutated)|deque mutated) during iteration"
)


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """It changed while a loop ran over it."""
    if _TOLD.search(problem.message) is None:
        return None
    return Diagnosis(problem, Family.TYPE, "changed-while-running", "a list of it", "itself")


def propose(question: Question) -> Iterator[Repair]:
    """A list of what it holds at first."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        for rank, running in enumerate(dict.fromkeys(_run_over(spot))):
            edits = spot.code.wrap(running, "list(", ")")
            title = f"Iterate over list({spot.code.segment(running)})"
            yield repair(
                question,
                title,
                edits,
                prior("collections.changed-in-loop") + prior("collections.changed-in-loop-rank") * rank,
            )


def _run_over(spot: Spot) -> Iterator[ast.expr]:
    yield from (loop.iter for loop in spot.candidates(ast.For))
    yield from (loop.iter for loop in spot.candidates(ast.comprehension))
    for outer in () if spot.node is None else spot.code.ancestors(spot.node):
        if isinstance(outer, ast.For):
            yield outer.iter


REPAIRER = Repairer("changed while running", frozenset({"RuntimeError"}), diagnose, propose)
