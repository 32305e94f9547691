"""Brackets that nothing closes, nothing opens, or that meet one of another kind."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from itertools import pairwise

from gateline.repairs.syntax.layout import Statement, width_of
from gateline.repairs.syntax.site import Change, Site, insert, replace
from gateline.repairs.syntax.tokens import CLOSERS, OPENERS, Kind, Token

_SPOTS = 60
"""Tokens of a statement at which a bracket may be missing."""


def closed(site: Site) -> Iterator[Change]:
    """A closing bracket is missing: at each place behind its opening one, and all that are, at the end."""
    for statement in _disordered(site):
        stack: list[int] = []
        near = _near(site, statement)
        for number in range(statement.first, statement.end):
            if stack and number in near:
                yield from _at(site, number, stack)
            _step(site, number, stack)
        if stack:
            yield from _at_end(site, statement, stack)


def _at(site: Site, number: int, stack: list[int]) -> Iterator[Change]:
    """Before a token, or at the end of a line."""
    token = site.tokens[number]
    if token.kind is Kind.NEWLINE:
        yield _at_line_end(site, number, stack)
        return
    yield _closing(site, number, stack[-1:])
    if len(stack) > 1 and token.text == ":":
        yield _closing(site, number, stack)


def _step(site: Site, number: int, stack: list[int]) -> None:
    kind = site.tokens[number].kind
    if kind is Kind.OPEN:
        stack.append(number)
    elif kind is Kind.CLOSE and stack:
        stack.pop()


def _near(site: Site, statement: Statement) -> set[int]:
    """The tokens of the region, and those behind an opening bracket that nothing closes."""
    near = set(site.region)
    for opener in statement.unclosed:
        near |= set(range(opener, min(opener + _SPOTS, statement.end)))
    return near


def _at_line_end(site: Site, number: int, stack: list[int]) -> Change:
    """Before the comma that ends a line, or behind its last token."""
    before = site.previous(number)
    at = site.tokens[number].start if before is None else before.end
    place = _place(site, number, stack[-1])
    if before is not None and before.text == ",":
        return insert(f"close before line's comma {place}", before.start, _closers(site, stack[-1:]), number)
    return insert(f"close at end of line {place}", at, _closers(site, stack), number)


def _place(site: Site, number: int, opener: int) -> str:
    """How the next line stands to that of an opening bracket."""
    line = site.tokens[number].line + 1
    while site.layout.is_blank(line) and line < len(site.layout.starts):
        line += 1
    now, then = (width_of(site.layout.indent(n)) for n in (line, site.tokens[opener].line))
    return "aligned" if now == then else "deeper" if now > then else "shallower"


def _closers(site: Site, stack: list[int]) -> str:
    return "".join(CLOSERS[site.tokens[opener].text] for opener in reversed(stack))


def _closing(site: Site, number: int, stack: list[int]) -> Change:
    """Closes brackets right behind the token before."""
    before = site.previous(number)
    text = _closers(site, stack)
    at = before.end if before else site.tokens[number].start
    where = "after ," if before and before.text == "," else f"before {_kind(site.tokens[number])}"
    return insert(f"close {where}", at, text, number)


def _kind(token: Token) -> str:
    if token.text in {":", ",", "=", ".", "->", "in", "for", "if", "+=", "-="}:
        return token.text
    return token.kind.value


def _at_end(site: Site, statement: Statement, stack: list[int]) -> Iterator[Change]:
    """Behind the last token of the statement, or before a comma or colon that ends it."""
    text = _closers(site, stack)
    last = site.tokens[statement.end - 1]
    yield insert("close at end", last.end, text, statement.end - 1)
    if len(text) > 1:
        yield insert("close one at end", last.end, text[0], statement.end - 1)
    if last.text == ",":
        yield Change("close at comma", ((last.start, last.end, text),), statement.end - 1)
    if last.text == ":":
        yield insert("close before :", last.start, text, statement.end - 1)


def opened(site: Site) -> Iterator[Change]:
    """An opening bracket is missing, or the closing one is too much."""
    for statement in _disordered(site):
        for stray in statement.unopened[:4]:
            token = site.tokens[stray]
            yield Change("delete unopened", ((token.start, token.end, ""),), stray)
            opener = OPENERS[token.text]
            for number in range(max(statement.first, stray - _SPOTS), stray):
                other = site.tokens[number]
                if other.is_operand_start or other.kind is Kind.OPEN:
                    yield insert("open", other.start, opener, number)


def of_another_kind(site: Site) -> Iterator[Change]:
    """A bracket of the wrong kind, one of them or both."""
    for statement in _disordered(site):
        stack: list[int] = []
        for number in range(statement.first, statement.end):
            token = site.tokens[number]
            if token.kind is Kind.OPEN:
                stack.append(number)
            elif token.kind is Kind.CLOSE and stack:
                opener = site.tokens[stack[-1]]
                if CLOSERS[opener.text] != token.text:
                    yield replace("closing kind", token, CLOSERS[opener.text], number)
                    yield replace("opening kind", opener, OPENERS[token.text], stack[-1])
                stack.pop()


def both_kinds(site: Site) -> Iterator[Change]:
    """A pair of the wrong kind: `f[x]` for `f(x)`, `<int>` for `[int]`."""
    for statement in site.suspects:
        stack: list[int] = []
        for number in range(statement.first, min(statement.end, statement.first + 2 * _SPOTS)):
            token = site.tokens[number]
            if token.kind is Kind.OPEN:
                stack.append(number)
            elif token.kind is Kind.CLOSE and stack:
                yield from _pairs(site, stack.pop(), number)


def _pairs(site: Site, first: int, last: int) -> Iterator[Change]:
    opener, closer = site.tokens[first], site.tokens[last]
    if first not in site.region and last not in site.region:
        return
    for other in "([{":
        if other != opener.text:
            both = ((opener.start, opener.end, other), (closer.start, closer.end, CLOSERS[other]))
            yield Change("kind of both", both, first)
    yield Change("delete pair", ((opener.start, opener.end, ""), (closer.start, closer.end, "")), first)
    if opener.text == "[":
        both = ((opener.start, opener.start, "("), (closer.end, closer.end, ")"))
        yield Change("call with list", both, first)


def angled(site: Site) -> Iterator[Change]:
    """Other languages' angle brackets around types."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        spots = [t for t in row if t.text in {"<", ">"}]
        if len(spots) >= 2 and len(spots) % 2 == 0:
            pairs = tuple((t.start, t.end, "[" if t.text == "<" else "]") for t in spots)
            yield Change("angle brackets", pairs, statement.first)


def spanned(site: Site) -> Iterator[Change]:
    """What is called without brackets: `range 3`, `print x`, `def f a, b:`."""
    called = _called(site)
    for statement in site.suspects:
        for number in range(statement.first, statement.end - 1):
            token, after = site.tokens[number], site.tokens[number + 1]
            if number not in site.region or token.kind is not Kind.NAME:
                continue
            if not (after.is_operand_start or after.text in {":", "*", "**"}) or after.kind is Kind.OPEN:
                continue
            what = "def" if _is_defined(site, number) else _called_as(token.text, called)
            for end in _ends(site, number + 1, statement.end):
                last = site.tokens[end - 1].end if end > number + 1 else token.end
                opening = (token.end, after.start if end > number + 1 else token.end, "(")
                yield Change(f"brackets of {what}", (opening, (last, last, ")")), number)


_BUILTINS = frozenset(name for name in dir(builtins) if name.islower())


def _called(site: Site) -> frozenset[str]:
    """What the text calls with brackets, and what is built in."""
    pairs = pairwise(site.tokens)
    return _BUILTINS | {a.text for a, b in pairs if a.kind is Kind.NAME and b.text == "("}


def _called_as(name: str, called: frozenset[str]) -> str:
    if name in called:
        return "known"
    return "class" if _CLASS.fullmatch(name) else "other"


_CLASS = re.compile(r"_*[A-Z]\w*[a-z]\w*")


def _is_defined(site: Site, number: int) -> bool:
    before = site.previous(number)
    return before is not None and before.text in {"def", "class"}


def _ends(site: Site, first: int, end: int) -> Iterator[int]:
    """Where the arguments may end: before a colon or behind the last token."""
    for number in range(first, end):
        if site.tokens[number].text == ":":
            yield number
            return
    yield end


def _disordered(site: Site) -> Iterator[Statement]:
    """The suspects, and what stands a little before them: an opening bracket may be far from its failure."""
    rows = site.layout.statements
    for number in range(site.number, max(site.number - 4, -1), -1):
        if rows[number].unclosed or rows[number].unopened or rows[number] in site.suspects:
            yield rows[number]


RULES = (closed, opened, of_another_kind, both_kinds, angled, spanned)
