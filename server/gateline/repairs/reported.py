"""From a finding to the problem that families know."""

from __future__ import annotations

from gateline.model import Finding, Origin, Problem

SYNTAX = "GTL101"
TYPES = "GTL110"


def problem_of(finding: Finding) -> Problem:
    """The problem behind a finding: of a type checker's by its own code, of others by ours."""
    if finding.code == SYNTAX:
        return Problem(Origin.PARSER, SYNTAX, finding.message, finding.path, finding.span)
    if finding.code == TYPES:
        kind = finding.origin.partition(": ")[2]
        return Problem(Origin.TYPES, kind, finding.message, finding.path, finding.span)
    return Problem(Origin.ANALYZER, finding.code, finding.message, finding.path, finding.span)
