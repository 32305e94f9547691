"""Operators, comments and statements of other languages, and of Python 2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gateline.repairs.syntax.layout import Statement
from gateline.repairs.syntax.site import Change, Site, replace
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
            yield Change("operator !", ((token.start, _blanks(site, token.end), "not "),), number)
        if token.text == "?":
            yield from _ternary(site, number)


def _blanks(site: Site, at: int) -> int:
    while site.text[at : at + 1] in {" ", "\t"}:
        at += 1
    return at


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
            yield Change("comment mark", ((at, _blanks(site, end), ""),), site.at)
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
        start = _blanks(site, site.tokens[comma].end)
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
            yield from _except(site, number)
        elif token.text == "raise":
            yield from _raise(site, number)
        elif token.text == "`":
            yield from _backticks(site, number)
        elif re.fullmatch(r"0[\d_]+", token.text):
            yield replace("leading zeros", token, token.text.lstrip("0_") or "0", number)
            yield replace("octal", token, f"0o{token.text.lstrip('0_') or '0'}", number)


def _line(site: Site, number: int) -> list[Token]:
    """The tokens behind one, up to the end of its line and without a colon there."""
    row = []
    for token in site.tokens[number + 1 : number + 60]:
        if token.kind in {Kind.NEWLINE, Kind.COMMENT}:
            break
        row.append(token)
    return row[:-1] if row and row[-1].text == ":" else row


def _except(site: Site, number: int) -> Iterator[Change]:
    row = _line(site, number)
    commas = [n for n, t in enumerate(row) if t.text == "," and n + 1 < len(row)]
    if not row:
        return
    if _is_named_without_as(row):
        called, known = row[-1], row[:-1]
        opened, closed = ("(", ")") if commas and row[0].text != "(" else ("", "")
        edits = ((row[0].start, row[0].start, opened), (known[-1].end, called.start, f"{closed} as "))
        yield Change("except name", edits if opened else edits[1:], number)
    if not commas:
        return
    last = row[commas[-1]]
    if len(row) == commas[-1] + 2 and row[-1].kind is Kind.NAME:
        start = _blanks(site, last.end)
        lower = "name" if row[-1].text[0].islower() else "class"
        yield Change(f"except {lower}", ((last.start, start, " as "),), number)
    words = [t.text for t in row]
    end = row[words.index("as") - 1].end if "as" in words else row[-1].end
    yield Change("except tuple", ((row[0].start, row[0].start, "("), (end, end, ")")), number)


def _is_named_without_as(row: Sequence[Token]) -> bool:
    """Whether a name of lower case stands at the end right behind what is caught: `except A e`."""
    if len(row) < 2 or row[-1].kind is not Kind.NAME or not row[-1].text[0].islower():
        return False
    before = row[-2]
    return before.text == ")" or (
        before.kind is Kind.NAME and before.text not in {"as", "in", "is", "or", "and", "not"}
    )


def _raise(site: Site, number: int) -> Iterator[Change]:
    row = _line(site, number)
    comma = next((n for n, t in enumerate(row) if t.text == ","), None)
    if comma and comma + 1 < len(row):
        start, end = row[comma].start, row[-1].end
        yield Change("raise comma", ((start, row[comma + 1].start, "("), (end, end, ")")), number)


def _backticks(site: Site, number: int) -> Iterator[Change]:
    token = site.tokens[number]
    end = next((t for t in site.tokens[number + 1 : number + 60] if t.text == "`"), None)
    if end is None:
        return
    inner = site.text[token.end : end.start].strip()
    wrapped = f"(({inner[1:-1]}))" if inner[:1] == "(" and inner[-1:] == ")" else f"({inner})"
    yield Change("backticks", ((token.start, end.end, f"repr{wrapped}"),), number)
    yield Change("quoted by backticks", ((token.start, token.end, '"'), (end.start, end.end, '"')), number)


RULES = (operators, doubled, comments, counting, typed, line_end, print_statement, print_prose, python_2)
