"""Code frames: a finding, the line it stands on, and a mark under its span. Secrets are covered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click

from gateline.cli.output.order import severity_in
from gateline.cli.terminal import clipped, columns, harmless
from gateline.model import Finding, Severity, Span
from gateline.model.document import split_lines
from gateline.session.check_result import CheckResult

COLOURS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "cyan",
    Severity.HINT: "white",
}
_SECRET = "GTL310"
_COVER = "•"
_GUTTER = 8
"""Columns left of the code."""
_TAB = 4


class Frames:
    """Makes the frames of one result, in lines of at most `width` columns of code."""

    def __init__(self, result: CheckResult, width: int) -> None:
        self._evaluation = result.evaluation
        self._lines = {path: split_lines(text) for path, text in result.sources.items()}
        self._room = max(width - _GUTTER, 40)
        self._secrets: dict[tuple[str, int], list[Span]] = defaultdict(list)
        for finding in (*result.evaluation.findings, *result.evaluation.suppressed):
            if finding.code == _SECRET:
                self._secrets[finding.path, finding.span.start.line].append(finding.span)

    def of(self, finding: Finding) -> Iterator[str]:
        """The lines of a finding's frame, styled."""
        colour = COLOURS[severity_in(self._evaluation, finding)]
        start = finding.span.start
        place = click.style(f"{harmless(finding.path)}:{start.line + 1}:{start.column + 1}", bold=True)
        code = click.style(finding.code, fg=colour, bold=True)
        yield f"{place} {code} {harmless(finding.message)}"
        yield from self._code(finding, colour)
        for related in finding.related:
            where = f"{harmless(related.path)}:{related.span.start.line + 1}"
            yield click.style(f"      = {where}: {harmless(related.message)}", dim=True)
        if finding.remark:
            yield click.style(f"      = {harmless(finding.remark)}", fg="yellow")
        known = " · ".join(filter(None, (finding.origin, finding.identity)))
        yield click.style(f"      = {harmless(known)}", dim=True)

    def _code(self, finding: Finding, colour: str) -> Iterator[str]:
        start, end = finding.span.start, finding.span.end
        line = self._line(finding.path, start.line)
        if not line.strip():
            return
        stop = end.column if end.line == start.line else len(line)
        before, marked, after = line[: start.column], line[start.column : stop], line[stop:]
        before, marked, after = _fitted(_shown(before), _shown(marked), _shown(after), self._room)
        gutter = click.style(f"{start.line + 1:>5} │ ", dim=True)
        yield f"{gutter}{before}{marked}{after}".rstrip()
        mark = click.style("^" * max(columns(marked), 1), fg=colour, bold=True)
        yield click.style("      │ ", dim=True) + " " * columns(before) + mark

    def _line(self, path: str, number: int) -> str:
        lines = self._lines.get(path, ())
        text = lines[number].rstrip("\r\n") if number < len(lines) else ""
        for span in self._secrets[path, number]:
            stop = span.end.column if span.end.line == number else len(text)
            hidden = text[span.start.column : stop]
            text = text[: span.start.column] + _COVER * len(hidden) + text[stop:]
        return text


def _shown(text: str) -> str:
    return harmless(text.replace("\t", " " * _TAB))


def _fitted(before: str, marked: str, after: str, room: int) -> tuple[str, str, str]:
    """The three parts of a line, cut so that the marked one is seen as far as there is room."""
    if columns(before + marked) > room:
        before = clipped(before[::-1], room // 3)[::-1]
    marked = clipped(marked, room - columns(before))
    return before, marked, clipped(after, room - columns(before + marked))
