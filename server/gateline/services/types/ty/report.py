"""From ty's diagnostics to findings."""

from __future__ import annotations

from collections.abc import Sequence

from gateline.model import Dimension, Finding, Report, Span, State, Weight
from gateline.model.document import split_lines
from gateline.services.types.report import CODE, NAME
from gateline.services.types.resident.scopes import scopes_of
from gateline.services.types.ty.server import Diagnostic

_WEIGHTS = {1: Weight.COUNTS, 2: Weight.ADVICE}
"""By ty's severity. mypy knows errors only, so what ty but warns of must not decide; hints are left out."""
_PANIC = "panic"
_DETAILS = "\n\ninfo:"
"""From here on ty explains its message, with paths of the machine."""


def report_of(path: str, text: str, diagnostics: Sequence[Diagnostic], limit: str = "") -> Report:
    """The report of a text. `limit` says what ty had to go without."""
    crashed = [str(d["message"]) for d in diagnostics if d.get("code") == _PANIC]
    if crashed:
        return failure(f"ty failed: {_first_line(crashed[0])}")
    said = [d for d in diagnostics if d.get("severity") in _WEIGHTS]
    return Report(NAME, Dimension.ERRORS, reason=limit, findings=_findings(path, text, said))


def failure(reason: str) -> Report:
    """The report of a text that could not be checked."""
    return Report(NAME, Dimension.ERRORS, State.FAILED, reason)


def _findings(path: str, text: str, diagnostics: Sequence[Diagnostic]) -> tuple[Finding, ...]:
    if not diagnostics:
        return ()
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    symbols = scopes_of(lines)
    return tuple(_finding(path, lines, symbols, diagnostic) for diagnostic in diagnostics)


def _finding(path: str, lines: Sequence[str], symbols: Sequence[str], diagnostic: Diagnostic) -> Finding:
    span = _span(diagnostic)
    line = span.start.line
    inside = line < len(lines)
    code = diagnostic.get("code")
    return Finding(
        code=CODE,
        path=path,
        span=span,
        message=str(diagnostic["message"]).split(_DETAILS)[0].strip(),
        dimension=Dimension.ERRORS,
        weight=_WEIGHTS[diagnostic["severity"]],
        origin=f"ty: {code}" if code else "ty",
        symbol=symbols[line] if inside else "",
        line_text=lines[line] if inside else "",
    )


def _span(diagnostic: Diagnostic) -> Span:
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return Span.of(start["line"], start["character"], end["line"], end["character"])


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
