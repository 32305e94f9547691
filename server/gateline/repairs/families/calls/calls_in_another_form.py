"""A call whose arguments do not fit, and are right: one is only given by name, or nothing was to be called.

`found(name, True)` was `found(name, everywhere=True)`, and `self.__class__().name` was `self.__class__.name`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import callees
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.messages import types_of, understand, wordings
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

_TABLE = wordings("arity")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Arguments that do not fit the parameters."""
    said = understand(problem, _TABLE)
    found = spots(problem, knowledge)[:1] if said is not None and said.says in {"many", "few"} else []
    calls = [(spot, call) for spot in found for call in spot.candidates(ast.Call)]
    if said is None or not calls:
        return None
    places = tuple(Place(spot.code.path, spot.code.span(call)) for spot, call in calls)
    return Diagnosis(problem, Family.TYPE, "call-in-another-form", said["takes"], said["given"], places)


def propose(question: Question) -> Iterator[Repair]:
    """Names for the last arguments, or no call at all."""
    found = spots(question.problem, question.knowledge)[:1]
    calls = [(spot, call) for spot in found for call in spot.candidates(ast.Call)]
    yield from cheapest(
        made
        for rank, (spot, call) in enumerate(calls)
        for made in (
            *_named(question, spot, call, prior("calls.other-form-call-rank") * rank),
            *_left_out(question, spot, call, prior("calls.other-form-call-rank") * rank),
        )
    )


def _named(question: Question, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
    """The last arguments are for parameters that are only given by name."""
    given = {k.arg for k in call.keywords}
    for callee in callees(question.knowledge, spot, call)[:2]:
        named = [p.name for p in callee.parameters if p.kind == "k" and p.name not in given]
        values = call.args[sum(p.kind in {"", "p"} for p in callee.parameters) :]
        starts = [spot.code.start(value) for value in values]
        for number in range(len(named) - len(values) + 1) if values else ():
            pairs = zip(starts, named[number:], strict=False)
            edits = [spot.code.edit(start, start, f"{name}=") for start, name in pairs]
            title, cost = (
                f"Pass {named[number]} as a keyword argument",
                prior("calls.other-form-named")
                + prior("calls.other-form-named-each-further") * number
                + doubt,
            )
            yield repair(question, title, edits, cost, pattern="unnamed-argument")


def _left_out(question: Question, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
    """What is called without anything, and needs something, was only to be named."""
    holder = spot.code.parent(call)
    if call.args or call.keywords or isinstance(holder, ast.Expr | ast.Await):
        return
    asked = holder.attr if isinstance(holder, ast.Attribute) else ""
    # Of a class one asks what it is called; of an object rather not.
    cost = (
        prior(
            "calls.other-form-name-of-class"
            if asked.startswith("__")
            else "calls.other-form-attribute"
            if asked
            else "calls.other-form-plain"
        )
        + doubt
    )
    edits = [spot.code.edit(spot.code.end(call.func), spot.code.end(call), "")]
    is_guess = not asked.startswith("__")
    yield repair(
        question, "Remove the call parentheses", edits, cost, pattern="needless-call", guess=is_guess
    )


REPAIRER = Repairer("calls in another form", types_of(_TABLE), diagnose, propose)
