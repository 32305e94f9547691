"""Operators, comments and statements of other languages, and of Python 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from gateline.repairs.syntax.layout import Statement
from gateline.repairs.syntax.python_2 import backticks, caught, raised
from gateline.repairs.syntax.site import Change, Site, behind_blanks, replace
from gateline.repairs.syntax.tokens import Kind, Token, tokens_of

_PAIRS = {
    "&&": "and",
    "||": "or",
    "===": "==",
    "!==": "!=",
    "<>": "!=",
    "++": "+= 1",
    "--": "-= 1",
    "=>": ":",
    "::": ".",
    "??": "or",
    "=~": "==",
    "**=": "**=",
    ":=": "=",
    "..": ".",
    "->": ".",
}


def operators(site: Site) -> Iterator[Change]:
    """Two or three characters that are one operator elsewhere."""
    for number in site.words:
        token = site.tokens[number]
        for size in (2, 1, 0):
            end = number + size
            if end >= len(site.tokens) or site.tokens[end].end - token.start > 4:
                continue
            text = site.text[token.start : site.tokens[end].end]
            if (new := _PAIRS.get(text)) and new != text:
                yield Change(
                    f"operator {text}",
                    ((token.start, site.tokens[end].end, _apart(site, token, site.tokens[end], new)),),
                    number,
                )
        if token.text == "!":
            yield Change("operator !", ((token.start, behind_blanks(site, token.end), "not "),), number)
        if token.text == "?":
            yield from _ternary(site, number)


def _apart(site: Site, first: Token, last: Token, text: str) -> str:
    left = "" if not text[0].isalpha() or site.text[first.start - 1 : first.start].isspace() else " "
    right = "" if not text[-1].isalpha() or site.text[last.end : last.end + 1].isspace() else " "
    if text in {"+= 1", "-= 1"}:
        left = " "
    return f"{left}{text}{right}"


def _ternary(site: Site, number: int) -> Iterator[Change]:
    """`a ? b : c`."""
    statement = site.statement
    row = range(number + 1, statement.end)
    colon = next((n for n in row if site.tokens[n].text == ":"), None)
    start = statement.first
    for near in range(number - 1, statement.first, -1):
        if site.tokens[near].text in {"=", "return", "(", ","}:
            start = near + 1
            break
    if colon is None or start >= number:
        return
    condition = site.text[site.tokens[start].start : site.tokens[number - 1].end]
    value = site.text[site.tokens[number + 1].start : site.tokens[colon - 1].end]
    new = f"{value} if {condition} else"
    yield Change("conditional", ((site.tokens[start].start, site.tokens[colon].end, new),), number)


def doubled(site: Site) -> Iterator[Change]:
    """An operator that is written twice, with or without a blank between."""
    for number in site.words:
        token, after = site.tokens[number], site.following(number)
        if after is not None and token.kind is Kind.OPERATOR and after.text == token.text:
            yield Change("doubled operator", ((token.end, after.end, ""),), number)


_FOREIGN_SIGNS = {"{", "}", "//", ";"}


def comments(site: Site) -> Iterator[Change]:
    """Comments of other languages."""
    for line in dict.fromkeys(site.tokens[n].line for n in site.words):
        text, start = site.line_text(line), site.layout.starts[line]
        for match in re.finditer(r"//|/\*|\*/|--|<!--|%%", text):
            at, end = start + match.start(), start + match.end()
            whole = not text[: match.start()].strip()
            yield Change("whole comment" if whole else "end comment", ((at, end, "#"),), site.at)
            yield Change("comment mark", ((at, behind_blanks(site, end), ""),), site.at)
            if match.start() and text[match.start() - 1] == ";":
                yield Change("end comment", ((at - 1, end, "  #"),), site.at)
        yield from _whole_line(site, line)
    yield from _blocks(site)


def _whole_line(site: Site, line: int) -> Iterator[Change]:
    """A short line that is no Python at all: it is made a comment."""
    text, start = site.line_text(line), site.layout.starts[line]
    at = start + len(site.layout.indent(line))
    words = tokens_of(text[at - start :])
    foreign = any(t.kind is Kind.JUNK or t.text in _FOREIGN_SIGNS for t in words)
    is_comment = text[at - start :].startswith(("//", "/*", "--", "<!--", "%%"))
    if words and not is_comment and (foreign or words[0].kind is Kind.NAME or "//" in text or ";" in text):
        yield Change("line to comment", ((at, start + len(text), f"# {text.strip()}"),), site.at)


def _blocks(site: Site) -> Iterator[Change]:
    """`/* … */` around lines."""
    for match in re.finditer(r"/\*(.*?)\*/", site.text, re.DOTALL):
        ends = ((match.start(), match.start() + 2, ""), (match.end() - 2, match.end(), ""))
        yield Change("comment marks", ends, site.at)
        if "\n" in match[0]:
            lines = (row.strip().removeprefix("* ") for row in match[1].strip().split("\n"))
            indent = site.layout.indent(site.layout.line_at(match.start()))
            text = f"\n{indent}".join(f"# {row}".rstrip() for row in lines)
            yield Change("block comment", ((match.start(), match.end(), text),), site.at)
        if "\n" not in match[0]:
            yield Change("end comment", ((match.start(), match.end(), f"#{match[1]}"),), site.at)


_COUNTING = re.compile(
    r"for \(?(?:int |let |var )?(\w+) ?= ?([\w.()]+); ?\1 ?(<=?) ?([\w.()]+?); ?"
    r"(?:\1 ?\+\+|\+\+ ?\1|\1 ?\+= ?1)\)? ?[:{]?"
)


def counting(site: Site) -> Iterator[Change]:
    """`for (i = 0; i < n; i++)`."""
    line = site.failure.line
    match = _COUNTING.search(site.line_text(line))
    if match:
        stop = match[4] if match[3] == "<" else f"{match[4]} + 1"
        bounds = stop if match[2] == "0" else f"{match[2]}, {stop}"
        start = site.layout.starts[line]
        text = f"for {match[1]} in range({bounds}):"
        yield Change("counting loop", ((start + match.start(), start + match.end(), text),), site.at)


_TYPES = frozenset({"int", "str", "float", "bool", "list", "dict", "bytes", "string", "double"})


def typed(site: Site) -> Iterator[Change]:
    """`def f(int x, str y)`: the type stands behind the name."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        if row[0].text not in {"def", "async"}:
            continue
        pairs = [(a, b) for a, b in pairwise(row) if a.text in _TYPES and b.kind is Kind.NAME]
        names = {"string": "str", "double": "float"}
        new = tuple((a.start, b.end, f"{b.text}: {names.get(a.text, a.text)}") for a, b in pairs)
        if new:
            yield Change("type before name", new, statement.first)


def line_end(site: Site) -> Iterator[Change]:
    """What other languages end a line with."""
    for statement in site.suspects:
        last = site.tokens[statement.end - 1]
        before = site.previous(statement.end - 1)
        if before is None:
            continue
        if last.text in {";", "\\", ",", "."} or last.kind in {Kind.OPERATOR, Kind.JUNK}:
            yield Change("end of line", ((before.end, last.end, ""),), statement.end - 1)


def print_statement(site: Site) -> Iterator[Change]:
    """`print x`, `exec code`, `print >>f, x`."""
    for statement in site.suspects:
        for number in range(statement.first, statement.end - 1):
            token, after = site.tokens[number], site.tokens[number + 1]
            if token.text not in {"print", "exec"} or (after.kind is Kind.OPEN and after.text == "("):
                continue
            start, end = after.start, _statement_end(site, statement, number)
            if start >= end:
                continue
            if after.text == ">>":
                yield from _printed_to(site, number, end)
            yield Change("print statement", ((token.end, start, "("), (end, end, ")")), number)


def _statement_end(site: Site, statement: Statement, number: int) -> int:
    for near in range(number, statement.end):
        if site.tokens[near].text == ";":
            return site.tokens[near - 1].end
    return site.tokens[statement.end - 1].end


def _printed_to(site: Site, number: int, end: int) -> Iterator[Change]:
    row = range(number + 2, len(site.tokens))
    comma = next((n for n in row if site.tokens[n].text == "," or site.tokens[n].start >= end), None)
    if comma is not None and site.tokens[comma].start < end:
        file = site.text[site.tokens[number + 2].start : site.tokens[comma].start]
        start = behind_blanks(site, site.tokens[comma].end)
        yield Change(
            "print to file",
            ((site.tokens[number].end, start, "("), (end, end, f", file={file})")),
            number,
        )


_PROSE = re.compile(r"print[ \t]+([^\W\d]\w*[ \t]+[^'\"#\r\n]*[\w.!?])[ \t]*$")


def print_prose(site: Site) -> Iterator[Change]:
    """`print hello world!`: words without quotes and brackets."""
    for statement in site.suspects:
        start = site.tokens[statement.first].start
        match = _PROSE.match(site.text[start : site.tokens[statement.end - 1].end])
        if match:
            yield Change(
                "print prose", ((start, start + match.end(), f'print("{match[1]}")'),), statement.first
            )


def python_2(site: Site) -> Iterator[Change]:
    """`except A, e`, `raise E, "m"`, backticks, `0777`, `10L`."""
    for number in site.words:
        token = site.tokens[number]
        if token.text == "except":
            yield from caught(site, number)
        elif token.text == "raise":
            yield from raised(site, number)
        elif token.text == "`":
            yield from backticks(site, number)
        elif re.fullmatch(r"0[\d_]+", token.text):
            yield replace("leading zeros", token, token.text.lstrip("0_") or "0", number)
            yield replace("octal", token, f"0o{token.text.lstrip('0_') or '0'}", number)


RULES = (operators, doubled, comments, counting, typed, line_end, print_statement, print_prose, python_2)
