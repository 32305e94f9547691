"""Strings that are not closed, not opened, or closed by another quote."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.repairs.syntax.site import Change, Site, insert
from gateline.repairs.syntax.tokens import CLOSERS, Kind, Token

_BOUNDARY = re.compile(r"(?<=\w)(?=\W)|(?<=\W)(?=\w)|(?<=[^\w\s])(?=[^\w\s])|(?<=\s)(?=\S)|(?<=\S)(?=\s)|\Z")
_QUOTE = re.compile(r"\\.|'{3}|\"{3}|(?P<quote>['\"])")
_SPOTS = 60


def closed(site: Site) -> Iterator[Change]:
    """The closing quote is missing: at each boundary of the rest of the line."""
    for number in _broken(site):
        token = site.tokens[number]
        quote, body = _quote(token), _body(token)
        if len(quote) == 3:
            continue
        visible = token.start + len(token.text.rstrip())
        if closers := _open_brackets(site, number):
            yield insert("close string and brackets", visible, quote + closers, number)
        yield insert("close string at end", visible, quote, number)
        if visible != token.end:
            yield insert("close string at line end", token.end, quote, number)
        for match in list(_BOUNDARY.finditer(token.text, body))[:_SPOTS]:
            if match.start() < len(token.text):
                yield insert(
                    _close_pattern(token.text, match.start()), token.start + match.start(), quote, number
                )


def _open_brackets(site: Site, number: int) -> str:
    """What closes the brackets that are open on the line of a token, before it."""
    stack: list[str] = []
    for token in reversed(site.tokens[max(number - _SPOTS, 0) : number]):
        if token.line != site.tokens[number].line:
            break
        stack.append(token.text if token.kind in {Kind.OPEN, Kind.CLOSE} else "")
    left: list[str] = []
    for bracket in filter(None, reversed(stack)):
        if bracket in CLOSERS:
            left.append(CLOSERS[bracket])
        elif left:
            left.pop()
    return "".join(reversed(left))


def _close_pattern(text: str, at: int) -> str:
    following = text[at]
    rest = text[at:].rstrip()
    if not rest.strip(")]}:,; \t"):
        return "close string before trailing"
    return f"close string before {following if following in ')],:' else 'other'}"


def unquoted(site: Site) -> Iterator[Change]:
    """A quote too many."""
    for number in _broken(site):
        token = site.tokens[number]
        quote = _quote(token)
        at = token.end - len(token.text.lstrip("rbfuRBFU"))
        if len(quote) == 1:
            yield Change("delete quote", ((token.start, at + 1, ""),), number)
            yield Change("double quote", ((at, at + 1, quote * 2),), number)


def opened(site: Site) -> Iterator[Change]:
    """The opening quote is missing: before a word to the left of the quote that seems to open."""
    for number in _broken(site):
        token = site.tokens[number]
        quote = _quote(token)
        if len(quote) == 3:
            continue
        line = site.layout.starts[token.line]
        for match in _BOUNDARY.finditer(site.text, line, token.start):
            spot = match.start()
            if site.text[spot : spot + 1].strip() and spot > line:
                pattern = "open string" if spot and site.text[spot - 1] in "([{,=: " else "open string inside"
                yield Change(pattern, ((spot, spot, quote),), number)


def matched(site: Site) -> Iterator[Change]:
    """One of the quotes on the line is of the other kind."""
    for number in _broken(site):
        token = site.tokens[number]
        if len(_quote(token)) == 3:
            continue
        start = site.layout.starts[token.line]
        end = token.end if "\n" not in token.text else token.start + token.text.index("\n")
        for at in _quotes(site.text, start, end):
            other = "'" if site.text[at] == '"' else '"'
            yield Change("other quote", ((at, at + 1, other),), number)


def _quotes(text: str, start: int, end: int) -> list[int]:
    """Where single quotes stand, of either kind, without escaped ones and without three in a row."""
    return [match.start() for match in _QUOTE.finditer(text, start, end) if match["quote"]]


def requoted(site: Site) -> Iterator[Change]:
    """An apostrophe, or quoted words, inside a string: the outer quotes are switched, or it is escaped."""
    for line in dict.fromkeys(site.tokens[n].line for n in (*_broken(site), *_near(site))):
        text, start = site.line_text(line), site.layout.starts[line]
        spots = _quotes(text, 0, len(text))
        for first in spots[:6]:
            if not _may_open(text, first):
                continue
            same = [spot for spot in spots if spot > first and text[spot] == text[first]]
            for last in same[1:6]:
                if _may_close(text, last):
                    between = [start + spot for spot in same if spot < last]
                    yield from _requoted(site, start + first, start + last, between)


def _may_open(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum() or text[:at].rstrip("rbfuRBFU")[-1:] in "([{,=: "


def _may_close(text: str, at: int) -> bool:
    return not (text[at + 1 : at + 2].isalnum() or text[at + 1 : at + 2] in {"_", "{"})


def _requoted(site: Site, first: int, last: int, between: list[int]) -> Iterator[Change]:
    text = site.text
    other = "'" if text[first] == '"' else '"'
    inside = text[between[0] - 1].isalnum() and text[between[0] + 1 : between[0] + 2].isalnum()
    kind = "apostrophe" if len(between) == 1 and inside else "pair" if len(between) == 2 else "quotes"
    yield Change(f"escape {kind}", tuple((spot, spot, "\\") for spot in between), site.at)
    if len(between) % 2 == 0:
        yield Change(f"inner {kind}", tuple((spot, spot + 1, other) for spot in between), site.at)
    if other not in text[first:last]:
        yield Change(f"outer {kind}", ((first, first + 1, other), (last, last + 1, other)), site.at)


def _near(site: Site) -> Iterator[int]:
    """Strings beside words, as an apostrophe leaves them."""
    for number in site.words:
        if site.tokens[number].kind is Kind.STRING:
            yield number


def escaped(site: Site) -> Iterator[Change]:
    """A backslash before the last quote, or a path with backslashes."""
    for number in site.words:
        token = site.tokens[number]
        if token.kind is Kind.BROKEN and re.search(r"\\['\"]", token.text):
            for match in re.finditer(r"\\(?=['\"])", token.text):
                yield insert("escape backslash", token.start + match.start(), "\\", number)
        if token.kind in {Kind.STRING, Kind.BROKEN} and re.search(r"\\[UuxN]", token.text):
            prefix = token.text[: len(token.text) - len(token.text.lstrip("rbfuRBFU"))]
            if "r" not in prefix.lower() and "u" not in prefix.lower():
                yield insert("raw string", token.start, "r", number)
            slashes = (m.start() for m in re.finditer(r"(?<!\\)\\(?!\\)", token.text))
            spots = tuple((token.start + at, token.start + at, "\\") for at in slashes)
            yield Change("escape backslashes", spots, number)


def _broken(site: Site) -> Iterator[int]:
    """Strings in the region that are not closed, and those of the line of the failure."""
    yield from (n for n in site.words if site.tokens[n].kind is Kind.BROKEN)


def _quote(token: Token) -> str:
    body = token.text.lstrip("rbfuRBFU")
    return body[:3] if body[:3] in {'"""', "'''"} else body[:1]


def _body(token: Token) -> int:
    return len(token.text) - len(token.text.lstrip("rbfuRBFU")) + len(_quote(token))


RULES = (closed, unquoted, opened, matched, requoted, escaped)
