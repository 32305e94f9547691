"""A key of another type than those of the dictionary: JSON makes text of numbers, forms know only text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.dataflow import Origin as From
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_FORMS = {("int", "str"): "int", ("str", "int"): "str", ("float", "str"): "float", ("str", "float"): "str"}
"""How a key of the second type becomes one of the first."""
_FORMS |= {("tuple", "list"): "tuple", ("str", "bytes"): "str"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A key is not found, and is of another type than those that are there."""
    found = next(_keys(problem, knowledge), None) if problem.origin is Origin.RUN else None
    if found is None:
        return None
    return Diagnosis(problem, Family.TYPE, "key-of-another-type", found[2], found[3])


def propose(question: Question) -> Iterator[Repair]:
    """Convert the key."""
    yield from cheapest(_repairs(question))


_Key = tuple[From, float, str, str]
"""The key, what its repair costs more, the type of the other keys, and its own."""


def _repairs(question: Question) -> Iterator[Repair]:
    for key, doubt, wanted, actual in _keys(question.problem, question.knowledge):
        name = _FORMS[wanted, actual]
        text = (
            f"{key.code.segment(key.node)}.decode()"
            if actual == "bytes"
            else f"{name}({key.code.segment(key.node)})"
        )
        yield repair(
            question,
            f"Write {text}",
            [key.code.replace(key.node, text)],
            prior("types.key-converted") + doubt,
        )


def _keys(problem: Problem, knowledge: Knowledge) -> Iterator[_Key]:
    for spot in spots(problem, knowledge)[:1] if problem.type == "KeyError" else ():
        for item in spot.candidates(ast.Subscript):
            yield from _of(knowledge, spot, item.value, item.slice, 0)
    for absent in absents(problem, knowledge) if problem.type != "KeyError" else ():
        for origin in origins(knowledge, absent.spot, absent.node):
            call = origin.node
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and last(call.func) == "get"
            ):
                yield from (
                    k
                    for a in call.args[:1]
                    for k in _of(
                        knowledge, origin.spot, call.func.value, a, prior("shared.step") * origin.steps
                    )
                )


def _of(knowledge: Knowledge, spot: Spot, holder: ast.expr, key: ast.expr, doubt: float) -> Iterator[_Key]:
    wanted = spot.seen.get(f"{dotted(holder)}{{}}", "")
    actual = Kinds(spot.code, knowledge, spot.seen).of(key)
    if (wanted, actual) in _FORMS and not is_test(spot.code.path) and not isinstance(key, ast.Constant):
        yield From(spot, key), doubt, wanted, actual


REPAIRER = Repairer("keys of another type", ABSENT | {"KeyError"}, diagnose, propose)
