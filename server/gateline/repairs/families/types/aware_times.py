"""Moments with and without a time zone: both are given one, where the one without was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"can't (?:subtract|compare) offset-(?:naive|aware) and offset-(?:naive|aware) datetimes")
_MADE = frozenset({"strptime", "datetime", "fromisoformat", "combine", "fromtimestamp", "utcfromtimestamp"})
_NOW = frozenset({"now", "utcnow", "today"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """One moment has a time zone, the other has none."""
    if _TOLD.search(problem.message) is None:
        return None
    return Diagnosis(problem, Family.TYPE, "naive-time", "a time zone", "none")


def propose(question: Question) -> Iterator[Repair]:
    """A time zone for one; none for the other comes last."""
    for spot in spots(question.problem, question.knowledge)[:1]:
        yield from cheapest(r for node in _moments(spot) for r in _of(question, spot, node))


def _moments(spot: Spot) -> Iterator[ast.expr]:
    for node in spot.candidates(ast.BinOp):
        yield from (node.left, node.right)
    for compared in spot.candidates(ast.Compare):
        yield from (compared.left, *compared.comparators)


def _of(question: Question, spot: Spot, node: ast.expr) -> Iterator[Repair]:
    for origin in origins(question.knowledge, spot, node):
        if is_test(origin.code.path) or isinstance(origin.node, ast.Constant):
            continue
        zone, imported = _zone(question, origin)
        cost = prior("types.time-step") * origin.steps
        for text, extra in _aware(origin.code, origin.node, zone):
            edits = [origin.code.replace(origin.node, text), *imported]
            yield repair(question, "Add a time zone", edits, extra + cost)
        if isinstance(origin.node, ast.Name | ast.Attribute) and not origin.steps:
            end = origin.code.end(origin.node)
            edits = [origin.code.edit(end, end, ".replace(tzinfo=None)")]
            yield repair(question, "Remove the time zone", edits, prior("types.time-zone-left-out"))


def _aware(code: Code, node: ast.expr, zone: str) -> Iterator[tuple[str, float]]:
    """The same moment with a time zone, with what that costs."""
    text = code.segment(node)
    if isinstance(node, ast.Call) and last(node.func) in _NOW and not node.args and not node.keywords:
        owner = text[: code.end(node.func) - code.start(node) - len(last(node.func))]
        yield f"{owner}now({zone})", prior("types.time-now-aware")
    elif isinstance(node, ast.Call) and last(node.func) in _MADE and "tz" not in text:
        yield f"{text}.replace(tzinfo={zone})", prior("types.time-with-zone")
    elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield f"{text}.replace(tzinfo={zone})", prior("types.time-with-zone-of-other")


def _zone(question: Question, origin: Origin) -> tuple[str, list[Edit]]:
    """What UTC is called in a text, and the import that makes it known."""
    code = origin.code
    known = visible(code, origin.node)
    if "timezone" in known:
        return "timezone.utc", []
    if "UTC" in known:
        return "UTC", []
    used = {dotted(n) for n in code.nodes if isinstance(n, ast.Attribute)}
    held = known.get("datetime")
    if held is not None and held.kind is Kind.IMPORT and "datetime.datetime" in used:
        return "datetime.timezone.utc", []
    return "timezone.utc", [added(code, "datetime", "timezone", tops(question.knowledge))]


REPAIRER = Repairer("aware times", frozenset({"TypeError"}), diagnose, propose)
