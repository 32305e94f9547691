"""A dictionary or a set that a loop changes while it runs over it: the loop runs over a list of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.reading.drafts import cheapest, repair
from gateline.repairs.reading.places import spots
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"(?:(?:dictionary|Set|OrderedDict) (?:changed size|keys changed|mutated)|deque mutated) during iteration"
)
_COST = 0.1


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
        loops = [*spot.candidates(ast.For), *spot.candidates(ast.comprehension)]
        around = (
            [] if spot.node is None else [a for a in spot.code.ancestors(spot.node) if isinstance(a, ast.For)]
        )
        for rank, loop in enumerate(dict.fromkeys([*loops, *around])):
            edits = spot.code.wrap(loop.iter, "list(", ")")
            yield repair(
                question, f"Run over list({spot.code.segment(loop.iter)})", edits, _COST + 0.2 * rank
            )


REPAIRER = Repairer("changed while running", frozenset({"RuntimeError"}), diagnose, propose)
