"""Where a comment that ignores a finding would stand, and what it says."""

from __future__ import annotations

import re
import tokenize

from gateline.gates.suppress import REASON_TO_GIVE
from gateline.model.finding import Finding
from gateline.model.source import Source
from gateline.model.span import Span

_CODES = re.compile(r"#\s*gateline:\s*ignore\[(?P<codes>[^\]]*)\]")


def comment_edit(source: Source, finding: Finding) -> tuple[Span, str] | None:
    """What to write, and in place of what, so that a comment ignores a finding once it has a reason.

    It stands on the line where the finding begins, or else where it ends; a code joins the comment that is
    there. None where no comment fits, as inside of a string.
    """
    first, last = finding.span.start.line, finding.span.end.line
    line = next((line for line in (first, last) if _fits(source, line)), None)
    return None if line is None else _edit(source, line, finding.code)


def _edit(source: Source, number: int, code: str) -> tuple[Span, str]:
    text = source.line(number)
    comment = next((c for c in source.comments if c.span.start.line == number), None)
    found = _CODES.search(text, comment.span.start.column) if comment else None
    if found is not None:
        codes = found["codes"].strip()
        return Span.of(number, *found.span("codes")[:1], number, found.end("codes")), _joined(codes, code)
    end = len(text.rstrip())
    return Span.of(number, end, number, len(text)), f"  # gateline: ignore[{code}] {REASON_TO_GIVE}"


def _joined(codes: str, code: str) -> str:
    return f"{codes}, {code}" if codes else code


def _fits(source: Source, number: int) -> bool:
    """Whether a comment may end a line: not in a string that goes on, nor after a backslash."""
    ends = number + 1
    if number >= len(source.lines) or not any(t.start[0] <= ends <= t.end[0] for t in source.tokens):
        return False
    goes_on = any(
        token.start[0] <= ends < token.end[0] and token.type not in (tokenize.NEWLINE, tokenize.NL)
        for token in source.tokens
    )
    comment = any(c.span.start.line == number for c in source.comments)
    return not goes_on and (comment or not source.line(number).endswith("\\"))
