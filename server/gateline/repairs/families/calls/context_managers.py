"""A generator in a `with`: the decorator that makes it a context manager was lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import Definition, called
from gateline.repairs.analysis.code import Function, walk_scope
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"'(?:async_)?generator' object does not support the (?:asynchronous )?context manager protocol"
)
_MISSED = re.compile(r"__a?e(?:nter|xit)__")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """What a `with` was given is a generator."""
    if not _is_told(problem) or not _generators(problem, knowledge):
        return None
    return Diagnosis(problem, Family.TYPE, "dropped-decorator", "a context manager", "a generator")


def _is_told(problem: Problem) -> bool:
    missed = problem.type == "AttributeError" and _MISSED.search(problem.message) is not None
    return _TOLD.search(problem.message) is not None or missed


def propose(question: Question) -> Iterator[Repair]:
    """The decorator of contextlib."""
    yield from cheapest(_decorated(question, d) for d in _generators(question.problem, question.knowledge))


def _decorated(question: Question, definition: Definition) -> Repair:
    code, function = definition.code, definition.node
    name = "asynccontextmanager" if isinstance(function, ast.AsyncFunctionDef) else "contextmanager"
    scope = visible(code, function)
    written = f"contextlib.{name}" if "contextlib" in scope and name not in scope else name
    edits = [line_before(code, function, f"@{written}")]
    if written == name and name not in scope:
        edits.append(added(code, "contextlib", name, tops(question.knowledge)))
    return repair(question, f"Decorate the function with {written}", edits, prior("calls.context-manager"))


def _generators(problem: Problem, knowledge: Knowledge) -> list[Definition]:
    found = []
    for spot in spots(problem, knowledge)[:1]:
        holders: list[ast.With | ast.AsyncWith] = [
            *spot.candidates(ast.With),
            *spot.candidates(ast.AsyncWith),
        ]
        for holder in holders:
            for item in holder.items:
                if isinstance(item.context_expr, ast.Call):
                    found += called(knowledge, spot, item.context_expr)
    return [d for d in found if isinstance(d.node, Function) and _yields(d.node) and not is_test(d.code.path)]


def _yields(function: Function) -> bool:
    return any(isinstance(n, ast.Yield) for n in walk_scope(function))


REPAIRER = Repairer("context managers", frozenset({"TypeError", "AttributeError"}), diagnose, propose)
