"""Moves findings along with edits, so that what is known of the last version still fits the newest text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
        edit = _Edit.of(span, text)
        kept = [moved for finding in kept if (moved := edit.moved(finding)) is not None]
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class _Edit:
    span: Span
    """What was replaced."""
    lines: int
    """By how many lines what stands in later lines moves down."""
    columns: int
    """By how many columns what stands behind it in its last line moves to the right."""

    @classmethod
    def of(cls, span: Span, text: str) -> _Edit:
        added = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        head = span.start.column if len(added) == 1 else 0
        lines = len(added) - 1 + span.start.line - span.end.line
        return cls(span, lines, head + len(added[-1]) - span.end.column)

    def moved(self, finding: Finding) -> Finding | None:
        edited, span = self.span, finding.span
        if span.start.line > edited.end.line:
            # Most stand in later lines, and most edits stay in theirs: this is asked with every key.
            return finding if not self.lines else replace(finding, span=self._lower(span))
        if span.end < edited.start or (span.end == edited.start and span.start != edited.start):
            return finding
        if edited.start <= span.start and span.end <= edited.end and edited.start != edited.end:
            return None
        start = span.start if span.start < edited.start else self._after(max(span.start, edited.end))
        end = self._after(max(span.end, edited.end))
        after = Span(start, max(start, end))
        return finding if after == span else replace(finding, span=after)

    def _lower(self, span: Span) -> Span:
        start, end = span.start, span.end
        return Span(
            Position(start.line + self.lines, start.column), Position(end.line + self.lines, end.column)
        )

    def _after(self, position: Position) -> Position:
        """Where a place at or behind the end of the edited span is after the edit."""
        columns = self.columns if position.line == self.span.end.line else 0
        return Position(position.line + self.lines, position.column + columns)
