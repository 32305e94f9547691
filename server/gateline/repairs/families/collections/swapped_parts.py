"""Parts of two items are exchanged where the items cannot be changed: the items themselves are exchanged.

`rows[i][1], rows[j][1] = rows[j][1], rows[i][1]` on tuples is `rows[i], rows[j] = rows[j], rows[i]`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = ("'tuple' object does not support item assignment", "'str' object does not support item assignment")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An exchange of parts of what cannot be changed."""
    found = _exchange(problem, knowledge)
    if found is None:
        return None
    code, statement = found
    places = (Place(code.path, code.span(statement)),)
    return Diagnosis(problem, Family.TYPE, "swapped-parts", "whole items", "their parts", places)


def propose(question: Question) -> Iterator[Repair]:
    """The last index goes from all four."""
    found = _exchange(question.problem, question.knowledge)
    if found is not None:
        code, statement = found
        edits = [code.edit(code.end(n.value), code.end(n), "") for n in _items(statement)]
        yield from cheapest(
            [repair(question, "Swap the elements", edits, prior("collections.swapped-parts"))]
        )


def _exchange(problem: Problem, knowledge: Knowledge) -> tuple[Code, ast.Assign] | None:
    if problem.message not in _TOLD:
        return None
    for spot in (s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)):
        for statement in spot.candidates(ast.Assign):
            items = _items(statement)
            texts = [ast.unparse(n.value) for n in items]
            if len(items) == 4 and texts[:2] == texts[:1:-1] and len({ast.dump(n.slice) for n in items}) == 1:
                return spot.code, statement
    return None


def _items(statement: ast.Assign) -> list[ast.Subscript]:
    """The items on both sides, in order, when they are two and two."""
    sides = (statement.targets[0], statement.value)
    items = [n for side in sides if isinstance(side, ast.Tuple) for n in side.elts]
    return [n for n in items if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Subscript)]


REPAIRER = Repairer("swapped parts", frozenset({"TypeError"}), diagnose, propose)
