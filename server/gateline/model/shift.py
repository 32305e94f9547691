"""Moves findings along with edits, so that what is known of the last version still fits the newest text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gateline.model.finding import Finding
from gateline.model.span import Position, Span


def shift(findings: Iterable[Finding], edits: Sequence[tuple[Span | None, str]]) -> tuple[Finding, ...]:
    """The findings after `edits`, each given against the text before it; None replaces everything.

    A finding whose own text was deleted is gone. One that was edited inside keeps its start.
    """
    kept: list[Finding] = list(findings)
    for span, text in edits:
        if span is None:
            return tuple(kept)
        kept = [moved for finding in kept if (moved := _moved(finding, span, text)) is not None]
    return tuple(kept)


def _moved(finding: Finding, edited: Span, text: str) -> Finding | None:
    span = finding.span
    if span.end < edited.start or (span.end == edited.start and span.start != edited.start):
        return finding
    if edited.start <= span.start and span.end <= edited.end and edited.start != edited.end:
        return None
    start = span.start if span.start < edited.start else _after(max(span.start, edited.end), edited, text)
    end = _after(max(span.end, edited.end), edited, text)
    return replace(finding, span=Span(start, max(start, end)))


def _after(position: Position, edited: Span, text: str) -> Position:
    """Where a place at or behind the end of the edited span is after the edit."""
    added = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = edited.start.line + len(added) - 1 + position.line - edited.end.line
    if position.line != edited.end.line:
        return Position(line, position.column)
    head = edited.start.column if len(added) == 1 else 0
    return Position(line, head + len(added[-1]) + position.column - edited.end.column)
