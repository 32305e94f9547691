"""Dates, moments and spans of time that are computed with numbers, with text, or with one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_MOMENTS = frozenset({"date", "datetime"})
_NUMBERS = frozenset({"int", "float"})
_UNITS = ("days", "hours", "minutes", "seconds", "weeks")
_DIFFERENT = "can't compare datetime.datetime to datetime.date"


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Something else met a moment."""
    if _DIFFERENT in problem.message:
        return Diagnosis(problem, Family.TYPE, "mixed-moments", "date", "datetime")
    found = [m for m in mismatches(problem, knowledge) if _ways(m)]
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "mixed-moments", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """A span of time for a number, the day of a moment, the length of a span."""
    problem, knowledge = question.problem, question.knowledge
    if _DIFFERENT in problem.message:
        found = [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]
        yield from cheapest(r for spot in found for r in _days(question, spot))
        return
    rows = [(m, way) for m in mismatches(problem, knowledge) for way in _ways(m)]
    yield from cheapest(r for m, (form, cost) in rows for r in _written(question, m, form, cost))


def _days(question: Question, spot: Spot) -> Iterator[Repair]:
    for compared in spot.candidates(ast.Compare):
        for node in (compared.left, *compared.comparators):
            end = spot.code.end(node)
            yield repair(
                question, "Use .date()", [spot.code.edit(end, end, ".date()")], prior("types.moment-day")
            )


_Way = tuple[str, float]


def _ways(mismatch: Mismatch) -> list[_Way]:
    """How a value goes with the other one, as forms of its text with what they cost."""
    actual, wanted = (kind.rpartition(".")[2] for kind in (mismatch.actual, mismatch.wanted))
    if actual in _NUMBERS and wanted in _MOMENTS and mismatch.says == "pair":
        asked = last(mismatch.node).rpartition("_")[2]
        units = sorted(_UNITS, key=lambda unit: unit.removesuffix("s") not in asked)
        return [
            (f"timedelta({unit}={{0}})", prior("types.moment-span") + prior("shared.rank") * rank)
            for rank, unit in enumerate(units[:3])
        ]
    if actual == "timedelta" and wanted in _NUMBERS:
        forms = (
            "{0}.days",
            "{0}.total_seconds()",
            "({0}.total_seconds() / 3600)",
            "({0}.total_seconds() / 60)",
        )
        return [
            (form, prior("types.moment-length") + prior("shared.rank") * rank)
            for rank, form in enumerate(forms)
        ]
    if (actual, wanted) == ("datetime", "date"):
        return [("{0}.date()", prior("types.moment-day"))]
    return []


def _written(question: Question, mismatch: Mismatch, form: str, cost: float) -> Iterator[Repair]:
    code, node = mismatch.spot.code, mismatch.node
    text = code.segment(node)
    inside = (
        text
        if "({0})" in form or "={0}" in form or isinstance(node, ast.Name | ast.Attribute | ast.Call)
        else f"({text})"
    )
    name, imported = _name_of(question, code, node) if "timedelta" in form else ("", [])
    written = form.format(inside).replace("timedelta", name, 1) if name else form.format(inside)
    edits = [code.replace(node, written), *imported]
    yield repair(question, f"Write {written}", edits, cost + mismatch.doubt)


def _name_of(question: Question, code: Code, node: ast.expr) -> tuple[str, list[Edit]]:
    """What the type of spans is called in a text, and the import that makes it known."""
    known = visible(code, node)
    if "timedelta" in known:
        return "timedelta", []
    used = {dotted(n) for n in code.nodes if isinstance(n, ast.Attribute)}
    held = known.get("datetime")
    if held is not None and held.kind is Kind.IMPORT and {"datetime.datetime", "datetime.date"} & used:
        return "datetime.timedelta", []
    return "timedelta", [added(code, "datetime", "timedelta", tops(question.knowledge))]


REPAIRER = Repairer("moments", MISMATCHES, diagnose, propose)
