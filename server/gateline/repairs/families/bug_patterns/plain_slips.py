"""Slips that are plain from the code alone, whatever the error says that they led to.

A method that is compared and not called, a collection that is spread everywhere but in one call, a name that
nothing binds behind a call which gives several values, an index in quotes beside others that are numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.bug_patterns import (
    Slip,
    built_in_items,
    commas_behind,
    never_bound,
    not_spread,
    quoted_indexes,
    renamed_targets,
    uncalled_methods,
    unlike_its_note,
    unlike_other_calls,
)
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.comparisons import slips_of_comparisons
from gateline.repairs.analysis.loops import slips_of_loops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.locate.suspects import nearby
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "AttributeError", "ValueError", "KeyError", "IndexError", "AssertionError"})
_CODES |= {"UnboundLocalError"}
_TEXTS = 8
_WAY = 5
"""Functions on the way to the error."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run failed: what is plain is only looked for when something is to be proposed."""
    if problem.origin is not Origin.RUN or not problem.frames:
        return None
    return Diagnosis(problem, Family.TYPE, "plain-slip", "a value")


def propose(question: Question) -> Iterator[Repair]:
    """The slips of the modules around the run, and of the functions that it came through."""
    texts = enumerate(islice(nearby(question.problem, question.knowledge), _TEXTS))
    found = [(rank, slip) for rank, code in texts for slip in _of_text(code)]
    for rank, (code, function) in enumerate(_came_through(question)):
        found += [(rank, slip) for slip in (*never_bound(code, function), *not_spread(code, function))]
    yield from cheapest(_repair(question, slip, prior("shared.rank") * rank) for rank, slip in found)


def _of_text(code: Code) -> Iterator[Slip]:
    yield from uncalled_methods(code)
    yield from quoted_indexes(code)
    yield from unlike_its_note(code)
    yield from unlike_other_calls(code)
    yield from commas_behind(code)
    yield from renamed_targets(code)
    yield from built_in_items(code)
    yield from slips_of_loops(code)
    yield from slips_of_comparisons(code)


def _repair(question: Question, slip: Slip, doubt: float) -> Repair:
    return repair(question, slip.title, slip.edits, slip.cost + doubt, pattern=slip.pattern)


def _came_through(question: Question) -> Iterator[tuple[Code, ast.FunctionDef | ast.AsyncFunctionDef]]:
    seen: set[ast.AST] = set()
    for spot in spots(question.problem, question.knowledge):
        at = spot.node or next(iter(spot.candidates(ast.stmt)), None)
        function = None if at is None or is_test(spot.code.path) else spot.code.function(at)
        if function is not None and function not in seen and len(seen) < _WAY:
            seen.add(function)
            yield spot.code, function


REPAIRER = Repairer("plain slips", _CODES, diagnose, propose)
