"""The first gate point: a specification that somebody can work from, and be judged by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from gateline.refinement.verifier import naming
from gateline.refinement.verifier.codebase import Codebase
from gateline.refinement.verifier.documents import Kind, Mark, Statement
from gateline.refinement.verifier.references import is_literal, named, new_names
from gateline.refinement.verifier.roles import Specification, read_specification
from gateline.refinement.verifier.testable import why_not
from gateline.refinement.verifier.values import Check, GatePoint, Verification, verification
from gateline.refinement.verifier.vocabulary import CIRCUMSTANCE, OPEN, RETURNS, words


@dataclass(frozen=True, slots=True)
class Looked:
    """A specification beside the code that it speaks of."""

    read: Specification
    code: Codebase
    new: frozenset[str]


def verify_specification(text: str, code: Codebase) -> Verification:
    """Whether a specification is sufficient."""
    read = read_specification(text)
    return verification(GatePoint.SPECIFICATION, CHECKS, Looked(read, code, new_names(read.new)))


def open_points(statements: tuple[Statement, ...]) -> Iterator[tuple[str, int]]:
    """What is still to be decided: marks as TBD, and questions."""
    for statement in statements:
        said = {word.strip(".,;:()[]").lower() for word in statement.prose.split()}
        if mark := sorted(said & OPEN):
            yield f"“{mark[0].upper()}” leaves something open: decide it, or leave it out", statement.line
        elif statement.prose.endswith("?") and statement.kind in (Kind.ITEM, Kind.PARAGRAPH):
            yield "a question is left open: answer it, or leave it out", statement.line


def _goal(looked: Looked) -> Iterator[str]:
    if not looked.read.goals:
        yield "no goal: say in a sentence what is to be reached, or what is wrong today"


def _criteria(looked: Looked) -> Iterator[str]:
    if not looked.read.criteria:
        yield "no acceptance criteria: list what can be looked at to know that the goal is reached"


def _testable(looked: Looked) -> Iterator[tuple[str, int]]:
    for criterion in looked.read.criteria:
        is_open = any(open_points((criterion,)))
        if not is_open and (why := why_not(criterion)):
            yield why, criterion.line


def _settled(looked: Looked) -> Iterator[tuple[str, int]]:
    yield from open_points(looked.read.all)


def _names(looked: Looked) -> Iterator[tuple[str, int]]:
    yield from naming.unknown_names(looked.read.all, looked.code, looked.new)
    yield from naming.unknown_paths(looked.read.all, looked.code, looked.new)


def _agrees(looked: Looked) -> Iterator[tuple[str, int]]:
    yield from naming.disagreements(looked.read.all, looked.code, looked.new)
    results: dict[str, tuple[str, int]] = {}
    for criterion in looked.read.criteria:
        for call, result in _results(criterion):
            known, line = results.setdefault(call, (result, criterion.line))
            if known != result:
                told = f"`{call}` {result} here and {known} in line {line}: keep one, or say when which holds"
                yield told, criterion.line


def _results(criterion: Statement) -> Iterator[tuple[str, str]]:
    """The calls of a criterion with the result that it states: `returns 3`, `raises ValueError`."""
    if CIRCUMSTANCE & set(words(criterion.prose)):
        return
    pieces = [piece for piece in criterion.pieces if piece.mark is not Mark.LINK]
    for (first, between), (_, last) in pairwise(pairwise(pieces)):
        said = words(between.content)
        if first.mark is not Mark.CODE or last.mark is not Mark.CODE or not said:
            continue
        for call in (c for c in named(first.content).calls[:1] if c.closed):
            if said[-1] in ("raise", "raises"):
                yield call.text, f"raises {last.content}"
            elif said[-1] in RETURNS and is_literal(last.content):
                yield call.text, f"returns {last.content}"


CHECKS: tuple[Check[Looked], ...] = (
    Check("specification.goal", "a sentence on what is to be reached, or what is wrong today", _goal),
    Check("specification.criteria", "acceptance criteria: items, examples, sentences with must", _criteria),
    Check(
        "specification.testable",
        "each criterion: something to observe, no quality without a measure",
        _testable,
    ),
    Check("specification.settled", "marks as TBD, and questions", _settled),
    Check("specification.names", "names and files in code spans: in the project, or said to be new", _names),
    Check(
        "specification.agrees",
        "calls, places, constants and coroutines as the code has them; no call with two results",
        _agrees,
    ),
)
