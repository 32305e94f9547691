"""From a finding to the problem that families know."""

from __future__ import annotations

from collections.abc import Iterable

from gateline.model import Finding, Origin, Problem

SYNTAX = "GTL101"
TYPES = "GTL110"
_NEAR = 10
"""Lines around a problem in which others may tell of the same mistake."""


def problem_of(finding: Finding) -> Problem:
    """The problem behind a finding: of a type checker's by its own code, of others by ours."""
    if finding.code == SYNTAX:
        return Problem(Origin.PARSER, SYNTAX, finding.message, finding.path, finding.span)
    if finding.code == TYPES:
        kind = finding.origin.partition(": ")[2]
        return Problem(Origin.TYPES, kind, finding.message, finding.path, finding.span)
    return Problem(Origin.ANALYZER, finding.code, finding.message, finding.path, finding.span)


def left_beside(problem: Problem, reported: Iterable[Problem]) -> int:
    """How many others near a problem tell of None as well: a test that is lost is often missed twice."""
    if problem.origin is not Origin.TYPES or "None" not in problem.message:
        return 0
    return sum(
        one.path == problem.path and abs(one.line - problem.line) <= _NEAR and "None" in one.message
        for one in reported
    )
