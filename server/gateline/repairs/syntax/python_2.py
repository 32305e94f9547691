"""Statements of Python 2 that only lack a word or a sign: `except A, e`, `raise E, "m"`, backticks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gateline.repairs.syntax.site import Change, Replacement, Site, behind_blanks
from gateline.repairs.syntax.tokens import Kind, Token


def caught(site: Site, number: int) -> Iterator[Change]:
    """What an `except` catches, in parentheses, and the name of it behind `as`."""
    row = _line(site, number)
    commas = [n for n, t in enumerate(row) if t.text == "," and n + 1 < len(row)]
    if _is_named_without_as(row):
        yield Change("except name", _named(row, several=bool(commas) and row[0].text != "("), number)
    if not commas:
        return
    last = row[commas[-1]]
    if len(row) == commas[-1] + 2 and row[-1].kind is Kind.NAME:
        start = behind_blanks(site, last.end)
        lower = "name" if row[-1].text[0].islower() else "class"
        yield Change(f"except {lower}", ((last.start, start, " as "),), number)
    words = [t.text for t in row]
    end = row[words.index("as") - 1].end if "as" in words else row[-1].end
    yield Change("except tuple", _enclosed(row[0].start, end), number)


def _named(row: Sequence[Token], *, several: bool) -> tuple[Replacement, ...]:
    """`as` before the last name; `several` classes get the parentheses that they need then."""
    gap = row[-2].end, row[-1].start
    if not several:
        return ((*gap, " as "),)
    return (row[0].start, row[0].start, "("), (*gap, ") as ")


def _enclosed(start: int, end: int) -> tuple[Replacement, ...]:
    return (start, start, "("), (end, end, ")")


def _is_named_without_as(row: Sequence[Token]) -> bool:
    """Whether a name of lower case stands at the end right behind what is caught: `except A e`."""
    if len(row) < 2 or row[-1].kind is not Kind.NAME or not row[-1].text[0].islower():
        return False
    before = row[-2]
    return before.text == ")" or (
        before.kind is Kind.NAME and before.text not in {"as", "in", "is", "or", "and", "not"}
    )


def raised(site: Site, number: int) -> Iterator[Change]:
    """A message behind the comma of a `raise` in parentheses."""
    row = _line(site, number)
    comma = next((n for n, t in enumerate(row) if t.text == ","), None)
    if comma and comma + 1 < len(row):
        start, end = row[comma].start, row[-1].end
        yield Change("raise comma", ((start, row[comma + 1].start, "("), (end, end, ")")), number)


def backticks(site: Site, number: int) -> Iterator[Change]:
    """What stands in backticks, as `repr` or as a text."""
    token = site.tokens[number]
    end = next((t for t in site.tokens[number + 1 : number + 60] if t.text == "`"), None)
    if end is None:
        return
    inner = site.text[token.end : end.start].strip()
    wrapped = f"(({inner[1:-1]}))" if inner[:1] == "(" and inner[-1:] == ")" else f"({inner})"
    yield Change("backticks", ((token.start, end.end, f"repr{wrapped}"),), number)
    yield Change("quoted by backticks", ((token.start, token.end, '"'), (end.start, end.end, '"')), number)


def _line(site: Site, number: int) -> list[Token]:
    """The tokens behind one, up to the end of its line and without a colon there."""
    row = []
    for token in site.tokens[number + 1 : number + 60]:
        if token.kind in {Kind.NEWLINE, Kind.COMMENT}:
            break
        row.append(token)
    return row[:-1] if row and row[-1].text == ":" else row
