"""An argument that lost its name, and took the place of another: `replace(0)` for `replace(microsecond=0)`.

What other calls give by name, and what is called as a parameter that stands elsewhere, tells the name.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import callees
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "AttributeError", "ValueError", "KeyError", "arg-type", "call-arg"})
_FAR = 4
"""Calls on the way to the error."""
_MOST = 3


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A call with arguments by their place, where a value is of the wrong type or does not fit."""
    places = tuple(Place(s.code.path, s.code.span(c)) for s, c in _calls(problem, knowledge))
    return Diagnosis(problem, Family.TYPE, "unnamed-argument", places=places) if places else None


def propose(question: Question) -> Iterator[Repair]:
    """The last argument by its name."""
    calls = enumerate(_calls(question.problem, question.knowledge))
    yield from cheapest(
        found
        for rank, (spot, call) in calls
        for found in _named(question, spot, call, prior("calls.by-name-call-rank") * rank)
    )


def _calls(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Spot, ast.Call]]:
    for spot in (s for s in spots(problem, knowledge)[:_FAR] if not is_test(s.code.path)):
        for call in spot.candidates(ast.Call)[:_MOST]:
            if call.args and not any(isinstance(a, ast.Starred) for a in call.args):
                yield spot, call


def _named(question: Question, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
    argument, start = call.args[-1], spot.code.start(call.args[-1])
    given = {k.arg for k in call.keywords}
    costs = {
        name: prior("calls.by-name-as-elsewhere") + prior("shared.rank") * rank
        for rank, name in enumerate(_elsewhere(spot.code, call))
    }
    own = last(argument).strip("_")
    for callee in callees(question.knowledge, spot, call)[:2]:
        names = [p.name for p in callee.parameters if p.kind in {"", "k"}]
        if own in names and names.index(own) != len(call.args) - 1:
            costs[own] = prior("calls.by-name-own")
    for name, cost in costs.items():
        if name not in given:
            edits = [spot.code.edit(start, start, f"{name}=")]
            yield repair(question, f"Pass {name} as a keyword argument", edits, cost + doubt)


def _elsewhere(code: Code, call: ast.Call) -> list[str]:
    """What other calls of that name give by name, the most usual first."""
    others = (n for n in code.nodes if isinstance(n, ast.Call) and n is not call)
    same = (n for n in others if last(n.func) == last(call.func) and len(n.args) < len(call.args))
    found = Counter(k.arg for other in same for k in other.keywords if k.arg)
    return [name for name, _ in found.most_common(_MOST)]


REPAIRER = Repairer("arguments by name", _CODES, diagnose, propose)
