"""Lines that are indented too much, too little, or with the wrong characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile

from gateline.repairs.syntax.layout import HEADERS, Statement, width_of
from gateline.repairs.syntax.site import Change, Replacement, Site
from gateline.repairs.syntax.tokens import Kind

_LEVELS = 6
_WIDE = 1_000
_OPENER = re.compile(r"on line (\d+)$")
_LEAVES = {"return", "raise", "continue", "break"}
_CLAUSES = {
    "else": ("if", "for", "while", "try", "elif", "except"),
    "elif": ("if", "elif"),
    "except": ("try", "except"),
    "finally": ("try", "except", "else"),
}


def reindented(site: Site) -> Iterator[Change]:
    """The line, or the block that begins with it, moves to another level."""
    for statement in _lines(site):
        for width, pattern in _targets(site, statement):
            for end, scope in _scopes(site, statement):
                moved = _moved(site, statement.line, end, width - statement.width)
                if moved:
                    yield Change(f"{pattern} {scope}", moved, statement.first)


def _lines(site: Site) -> Iterator[Statement]:
    yield site.statement
    if site.failure.is_indentation or site.failure.is_late or site.at <= site.statement.first + 2:
        if site.number > 0:
            yield site.layout.statements[site.number - 1]
        if site.number + 1 < len(site.layout.statements) and site.failure.is_indentation:
            yield site.layout.statements[site.number + 1]


def _targets(site: Site, statement: Statement) -> Iterator[tuple[int, str]]:
    """The widths that the line may have, with what each of them means."""
    number = site.layout.statement_of(statement.first)
    before = site.layout.statements[number - 1] if number else None
    named: dict[int, str] = {}
    if before is not None and _opens_block(site, before):
        named[before.width + _unit(site)] = "indent as body"
    if site.tokens[statement.first].text in _CLAUSES:
        named |= {width: "indent as clause" for width in _openers(site, number) if width not in named}
    for rank, width in enumerate(_levels(site, number)):
        near = "indent to level"
        if before is not None and width == before.width:
            leaves = site.tokens[before.first].text in _LEAVES
            near = "indent behind the end" if leaves else "indent as before"
        named.setdefault(width, near if rank < 2 else "indent to far level")
    if number + 1 < len(site.layout.statements):
        named.setdefault(site.layout.statements[number + 1].width, "indent as after")
    yield from ((width, pattern) for width, pattern in named.items() if width != statement.width)


def _openers(site: Site, number: int) -> Iterator[int]:
    """The levels of the statements above that a clause may belong to."""
    words = _CLAUSES[site.tokens[site.layout.statements[number].first].text]
    for statement in reversed(site.layout.statements[max(number - 40, 0) : number]):
        if site.tokens[statement.first].text in words:
            yield statement.width


def _levels(site: Site, number: int) -> list[int]:
    """The levels of the blocks that are open above a statement, innermost first."""
    found: list[int] = []
    lowest = 1 << 30
    for statement in reversed(site.layout.statements[max(number - 80, 0) : number]):
        if statement.width < lowest:
            lowest = statement.width
            if _opens_block(site, statement) and not found:
                found.append(statement.width + _unit(site))
            found.append(statement.width)
        if lowest == 0 or len(found) >= _LEVELS:
            break
    return list(dict.fromkeys(found)) or [0]


def _opens_block(site: Site, statement: Statement) -> bool:
    return site.tokens[statement.end - 1].text == ":" or site.tokens[statement.first].text in HEADERS


def _unit(site: Site) -> int:
    """The step of the text's indentation: the smallest difference between a header and its body."""
    rows = site.layout.statements[:400]
    steps = [b.width - a.width for a, b in pairwise(rows) if a.width < b.width and _opens_block(site, a)]
    return max(set(steps), key=steps.count) if steps else 4


def _scopes(site: Site, statement: Statement) -> Iterator[tuple[int, str]]:
    """Where the lines that move end: with the statement, its block, its run, or the methods that follow."""
    rows = site.layout.statements
    number = site.layout.statement_of(statement.first)
    ends = {statement.end_line + 1: "line"}
    for kind, least, most in (("block", 1, _WIDE), ("run", 0, _WIDE), ("same level", 0, 0)):
        end = number + 1
        while end < len(rows) and least <= rows[end].width - statement.width <= most:
            end += 1
        ends.setdefault(rows[end - 1].end_line + 1, kind)
    ends.setdefault(rows[_paragraph(site, number)].end_line + 1, "paragraph")
    leaves = _leaving(site, number)
    if leaves:
        ends.setdefault(rows[leaves].end_line + 1, "to the end")
    end = number + 1
    while end < len(rows) and (rows[end].width > statement.width or _is_method(site, rows[end])):
        end += 1
    ends.setdefault(rows[end - 1].end_line + 1, "methods")
    nested = _nested(site, number)
    yield from ((end, f"{kind}{nested}") for end, kind in ends.items())


def _paragraph(site: Site, number: int) -> int:
    """The last statement before an empty line, or before what stands less deep."""
    rows = site.layout.statements
    last = number
    while last + 1 < len(rows) and rows[last + 1].width >= rows[number].width:
        if any(site.layout.is_blank(n) for n in range(rows[last].end_line + 1, rows[last + 1].line)):
            break
        last += 1
    return last


def _leaving(site: Site, number: int) -> int:
    """The `return` or such that the statements beside one end with; 0 when there is none."""
    rows = site.layout.statements
    for near in range(number + 1, len(rows)):
        if rows[near].width < rows[number].width:
            break
        if rows[near].width == rows[number].width and site.tokens[rows[near].first].text in _LEAVES:
            return near
    return 0


def _is_method(site: Site, statement: Statement) -> bool:
    """A definition whose first parameter is `self` or `cls`, or a decorator, which may stand above one."""
    row = [t.text for t in site.tokens[statement.first : statement.first + 5]]
    return row[:1] == ["@"] or any(name in row[3:5] for name in ("self", "cls"))


def _nested(site: Site, number: int) -> str:
    """A function in a function is rare: more often the outer one has no body."""
    if number == 0:
        return ""
    words = [site.tokens[site.layout.statements[n].first].text for n in (number - 1, number)]
    return " in function" if words[0] == "def" and words[1] in {"def", "class", "@"} else ""


def _moved(site: Site, first: int, end: int, by: int) -> tuple[Replacement, ...]:
    """The lines from `first` up to `end` with `by` columns more or fewer, strings in them left alone."""
    inside = _inside_strings(site, first, end)
    moved = []
    for line in range(first, min(end, len(site.layout.starts))):
        start = site.layout.starts[line]
        indent = site.layout.indent(line)
        if line in inside or not site.line_text(line).strip():
            continue
        width = max(width_of(indent) + by, 0)
        new = _blanks(site, width)
        if new != indent:
            moved.append((start, start + len(indent), new))
    return tuple(moved)


def _inside_strings(site: Site, first: int, end: int) -> set[int]:
    strings = (t for t in site.tokens if t.kind is Kind.STRING and first <= t.line < end and "\n" in t.text)
    return {line for t in strings for line in range(t.line + 1, t.line + 1 + t.text.count("\n"))}


def _blanks(site: Site, width: int) -> str:
    """An indentation in the characters that the text uses."""
    tabs = sum(1 for s in site.layout.statements[:200] if s.indent.startswith("\t"))
    blanks = sum(1 for s in site.layout.statements[:200] if s.indent.startswith(" "))
    if tabs > blanks:
        return "\t" * (width // 8) + " " * (width % 8)
    return " " * width


def untabbed(site: Site) -> Iterator[Change]:
    """Tabs and blanks are mixed: a tab is four columns, or eight, or a step of the text."""
    for statement in (*site.suspects, *site.layout.statements[site.number + 1 : site.number + 2]):
        if "\t" not in statement.indent:
            continue
        start = site.layout.starts[statement.line]
        end = start + len(statement.indent)
        for size in (4, 8, _unit(site)):
            yield Change(
                "tabs", ((start, end, " " * len(statement.indent.expandtabs(size))),), statement.first
            )
    for size in (4, 8):
        all_lines = tuple(_tabbed(site, size))
        if all_lines:
            yield Change("all tabs", all_lines, site.at)


def _tabbed(site: Site, size: int) -> Iterator[Replacement]:
    for statement in site.layout.statements:
        if "\t" in statement.indent:
            start = site.layout.starts[statement.line]
            yield start, start + len(statement.indent), " " * len(statement.indent.expandtabs(size))


def empty_body(site: Site) -> Iterator[Change]:
    """A header without a body."""
    told = _OPENER.search(site.message)
    if told is None:
        return
    line = int(told[1]) - 1
    number = next((n for n, s in enumerate(site.layout.statements) if s.line <= line <= s.end_line), None)
    if number is None:
        return
    header = site.layout.statements[number]
    at = site.tokens[header.end - 1].end
    indent = " " * (header.width + _unit(site))
    yield Change("empty body", ((at, at, f"\n{indent}pass"),), header.first)


_OUTSIDE = re.compile(r"'\w+' outside (?:async )?function|outside function")


def fallen_out(site: Site) -> Iterator[Change]:
    """A `return` outside of all functions: what stands between it and the function above fell out of that."""
    if not _OUTSIDE.search(site.message):
        return
    rows, width = site.layout.statements, site.statement.width
    above = range(site.number - 1, -1, -1)
    block = list(takewhile(lambda n: rows[n].width >= width, above))
    takes_self = any(_is_method(site, rows[n]) for n in block)
    for number in block:
        if rows[number].width == width and _is_owner(site, number, takes_self):
            first = next((n for n in range(number + 1, site.number + 1) if rows[n].width <= width), number)
            moved = _moved(site, rows[first].line, rows[site.number].end_line + 1, _unit(site))
            yield Change("indent into function", moved, rows[first].first)
            return


def _is_owner(site: Site, number: int, takes_self: bool) -> bool:
    """A function with a body; beside methods, one of these."""
    rows = site.layout.statements
    is_def = site.tokens[rows[number].first].text in {"def", "async"}
    return (
        is_def
        and rows[number + 1].width > rows[number].width
        and (not takes_self or _is_method(site, rows[number]))
    )


RULES = (reindented, untabbed, empty_body, fallen_out)
