"""Headers of blocks: what stands where the colon should be, and clauses of other languages."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.repairs.syntax.layout import HEADERS, Statement
from gateline.repairs.syntax.site import Change, Site, insert
from gateline.repairs.syntax.tokens import CLOSERS, Kind

_INSTEAD = {";", ",", ".", "{", "=", "then", "do", "begin", "::", ":;", "->", "=>", "|", "!"}


def colon_at_end(site: Site) -> Iterator[Change]:
    """A header without its colon, or with something else there."""
    for statement in _headers(site):
        last = site.tokens[statement.end - 1]
        if last.text != ":":
            yield insert("header colon", last.end, ":", statement.end - 1)
        before = site.previous(statement.end - 1)
        if before is not None and (last.text in _INSTEAD or last.kind is Kind.JUNK):
            text = "" if before.text == ":" else ":"
            yield Change("wrong header colon", ((before.end, last.end, text),), statement.end - 1)
        if before is not None and last.text == ":" and before.text in _INSTEAD | {":"}:
            start = site.previous(statement.end - 2)
            yield Change(
                "doubled header colon",
                ((start.end if start else before.start, last.start, ""),),
                statement.end - 1,
            )


def colon_at_line_end(site: Site) -> Iterator[Change]:
    """A header that brackets carry into the next lines: its own line ends with the colon."""
    for statement in _headers(site):
        for number in range(statement.first + 1, min(statement.end, statement.first + 60)):
            before = site.previous(number)
            if site.tokens[number].kind is not Kind.NEWLINE or before is None or before.text in {":", ","}:
                continue
            yield insert("colon at line end", before.end, ":", number)
            if before.kind is Kind.OPEN:
                ahead = site.previous(number - 1)
                start = ahead.end if ahead else before.start
                yield Change("brace for colon", ((start, before.end, ":"), *_closing(site, number)), number)
            break


def _closing(site: Site, number: int) -> tuple[tuple[int, int, str], ...]:
    """The closing brace that stands alone on a line below, if there is one."""
    for near in range(number, min(number + 400, len(site.tokens) - 1)):
        token = site.tokens[near]
        alone = site.tokens[near - 1].kind is Kind.NEWLINE and site.tokens[near + 1].kind is Kind.NEWLINE
        if token.text == CLOSERS["{"] and alone:
            return ((site.layout.starts[token.line], site.tokens[near + 1].end, ""),)
    return ()


def braces(site: Site) -> Iterator[Change]:
    """A line that is nothing but closing braces."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        if row and all(t.text in {"}", ";", ")"} for t in row):
            start = site.layout.starts[statement.line]
            yield Change("brace alone", ((start, min(row[-1].end + 1, len(site.text)), ""),), statement.first)


def lone_braces(site: Site) -> Iterator[Change]:
    """A header, an opening brace on a line of its own, and a closing one below."""
    rows = site.layout.statements
    for number in range(max(site.number - 1, 0), min(site.number + 2, len(rows))):
        brace = site.tokens[rows[number].first]
        header = rows[number - 1] if number else None
        if brace.text != "{" or header is None or site.tokens[header.first].text not in HEADERS:
            continue
        after = site.following(rows[number].first)
        closing = _closing(site, rows[number].first)
        if after is not None and after.line > brace.line and closing:
            last = site.tokens[header.end - 1]
            colon = () if last.text == ":" else ((last.end, last.end, ":"),)
            start = site.layout.starts[brace.line]
            opening = (start, site.layout.starts[brace.line + 1], "")
            yield Change("braces on their lines", (*colon, opening, *closing), header.first)


def returned(site: Site) -> Iterator[Change]:
    """`def f(x) => int:`, `def f(x): int:`."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        if row[0].text not in {"def", "async"}:
            continue
        end = next((n for n, t in enumerate(row) if t.text == ")" and n + 2 < len(row)), None)
        if end is None:
            continue
        size = 3 if [t.text for t in row[end + 1 : end + 3]] == ["=", ">"] else 2
        if row[end + size - 1].text in {">", ":", "=>"} and row[-1].text == ":" and end + size < len(row) - 1:
            yield Change(
                "arrow of a result", ((row[end].end, row[end + size].start, " -> "),), statement.first
            )


def else_if(site: Site) -> Iterator[Change]:
    """`else if`, and the words of other languages for it."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        if len(row) > 1 and row[0].text == "else" and row[1].text == "if":
            yield Change("else if", ((row[0].start, row[1].end, "elif"),), statement.first)
        elif row[0].text in {"elseif", "elsif", "elsIf", "elseIf", "elif_", "eliff", "ifelse"}:
            yield Change("else if", ((row[0].start, row[0].end, "elif"),), statement.first)
        elif len(row) > 1 and row[0].text in {"else", "try", "finally"} and row[1].text != ":":
            last = row[-1].start if row[-1].text == ":" else row[-1].end
            yield Change("clause without condition", ((row[0].end, last, ""),), statement.first)
            if row[0].text == "else":
                yield Change("else for elif", ((row[0].start, row[0].end, "elif"),), statement.first)


def defined(site: Site) -> Iterator[Change]:
    """A definition without its keyword or brackets, or with those of another language."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        if len(row) < 2 or row[-1].text != ":":
            continue
        if row[0].kind is Kind.NAME and row[1].text == "(":
            name = row[0].text
            for prefix in ("undefined", "function", "func", "define", "fn", "def"):
                if name.startswith(prefix) and name != prefix:
                    start = row[0].start
                    yield Change("glued def", ((start, start + len(prefix), "def "),), statement.first)
            yield insert("missing def", row[0].start, "def ", statement.first)
        if row[0].text == "def" and row[1].kind is Kind.STRING:
            yield Change(
                "literal as name", ((row[1].start, row[1].end, row[1].text.strip("\"'")),), statement.first
            )
        if row[0].text == "def" and len(row) > 4 and row[2].text == "." and row[3].kind is Kind.NAME:
            yield Change("dotted definition", ((row[2].start, row[2].end, "_"),), statement.first)


def condition(site: Site) -> Iterator[Change]:
    """`while:` is a loop without an end, `if:` has a body that is always run."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        if len(row) == 2 and row[0].text in {"while", "if"} and row[1].text == ":":
            yield insert("header without condition", row[0].end, " True", statement.first)


def tried(site: Site) -> Iterator[Change]:
    """A handler without its `try`: the statement before it is what is tried, or nothing is."""
    if site.tokens[site.statement.first].text not in {"except", "finally"}:
        return
    rows, handler = site.layout.statements, site.statement
    first = site.number
    while first > 0 and rows[first - 1].width > handler.width:
        first -= 1
    start = site.layout.starts[handler.line]
    indent = handler.indent
    if first and rows[first - 1].width == handler.width:
        start = site.layout.starts[rows[first - 1].line]
        lines = range(rows[first - 1].line, rows[site.number - 1].end_line + 1)
        deeper = tuple((site.layout.starts[n], site.layout.starts[n], "    ") for n in lines)
        opening = (start, start, f"{indent}try:\n    ")
        yield Change("try the statement", (opening, *deeper[1:]), handler.first)
    elif first == site.number:
        yield insert("try nothing", start, f"{indent}try:\n{indent}    pass\n", handler.first)


def _headers(site: Site) -> Iterator[Statement]:
    for statement in site.suspects:
        first = site.tokens[statement.first]
        if first.text in HEADERS or first.text in {"match", "case", "elseif", "elsif", "switch"}:
            yield statement


RULES = (colon_at_end, colon_at_line_end, braces, lone_braces, returned, else_if, defined, condition, tried)
