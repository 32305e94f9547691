"""Code that quotes made a text of: what a header is followed by in place of its body."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.repairs.syntax.layout import MARKS, Statement
from gateline.repairs.syntax.site import Change, Site
from gateline.repairs.syntax.tokens import Kind

_CODE = re.compile(
    r"\s*(?:(?:async )?def \w+\(|class \w+|return\b|(?:if|for|while|with) .*:[ \t]*$"
    r"|[\w.]+ = |[\w.]+\(.*\)[ \t]*$)",
    re.MULTILINE,
)


def unquoted(site: Site) -> Iterator[Change]:
    """The quotes around a block of code go, and its first line comes to stand where a body begins."""
    if site.kind != "body" or not site.number:
        return
    header, statement = site.layout.statements[site.number - 1 : site.number + 1]
    token = site.tokens[statement.first]
    mark = token.text[:3]
    if token.kind is not Kind.STRING or mark not in MARKS or not _CODE.match(token.text[3:]):
        return
    start, behind = site.layout.starts[token.line], token.start + 3
    blanks = len(token.text[3:]) - len(token.text[3:].lstrip(" \t"))
    is_empty = token.text[3 + blanks] == "\n"
    for indent in [""] if is_empty else dict.fromkeys(_indents(header, blanks)):
        ends = ((start, behind + blanks, indent), (token.end - 3, token.end, ""))
        yield Change("quoted code", ends, statement.first)


def _indents(header: Statement, blanks: int) -> Iterator[str]:
    """As if the quotes were blanks, where that is deeper than the header; else the least there can be."""
    if 3 + blanks > header.width:
        yield " " * (3 + blanks)
    yield header.indent + " " * 4


RULES = (unquoted,)
