"""A member of an enumeration where its value is meant: `level >= 5` is `level.value >= 5`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import classes
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A member of an enumeration met something else."""
    found = _members(problem, knowledge)
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "enum-value", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """Its value, or its name; of both where both are members."""
    yield from cheapest(_repairs(question))


def _members(problem: Problem, knowledge: Knowledge) -> list[Mismatch]:
    found = mismatches(problem, knowledge)
    known = {kind: _is_enum(knowledge, kind) for kind in {m.actual for m in found}}
    return [m for m in found if known[m.actual]]


def _is_enum(knowledge: Knowledge, kind: str) -> bool:
    if not kind or kind in {"str", "int", "list", "dict", "NoneType"}:
        return False
    return any("Enum" in last(base) for _, cls in classes(knowledge, kind) for base in cls.bases)


def _repairs(question: Question) -> Iterator[Repair]:
    found = _members(question.problem, question.knowledge)
    for mismatch in found:
        code, end = mismatch.spot.code, mismatch.spot.code.end(mismatch.node)
        wanted = ("value", "name") if mismatch.wanted != "str" else ("name", "value")
        for rank, attribute in enumerate(wanted):
            edit = code.edit(end, end, f".{attribute}")
            cost = prior("types.enum") + prior("types.enum-rank") * rank + mismatch.doubt
            yield repair(question, f"Use .{attribute}", [edit], cost)
    both = [m for m in found if m.wanted == m.actual][:2]
    if len(both) == 2 and all(isinstance(m.node, ast.expr) for m in both):
        ends = [(m.spot.code, m.spot.code.end(m.node)) for m in both]
        edits = [code.edit(end, end, ".value") for code, end in ends]
        yield repair(question, "Use .value of both", edits, prior("types.enum") - prior("types.enum-all"))


REPAIRER = Repairer("values of enumerations", MISMATCHES, diagnose, propose)
