"""Breaks valid texts in the ways that people do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping

from gateline.repairs.syntax.layout import HEADERS, Layout, Statement
from gateline.repairs.syntax.site import Replacement
from gateline.repairs.syntax.tokens import Kind, Token

Spots = Iterator[tuple[Replacement, ...]]
Breaker = Callable[[Layout, random.Random], Spots]
"""Proposes ways to break a text, any number of them; what still compiles is no use and left out later."""


def _tokens(layout: Layout, *texts: str) -> Iterator[tuple[int, Token]]:
    return ((n, t) for n, t in enumerate(layout.tokens) if t.text in texts and t.kind is not Kind.STRING)


def _delete(token: Token) -> tuple[Replacement, ...]:
    return ((token.start, token.end, ""),)


def _write(token: Token, text: str) -> tuple[Replacement, ...]:
    return ((token.start, token.end, text),)


def deleting(*texts: str) -> Breaker:
    """One of these tokens is gone."""
    return lambda layout, _: (_delete(t) for _, t in _tokens(layout, *texts))


def doubling(*texts: str) -> Breaker:
    """One of these tokens stands twice."""
    return lambda layout, _: (_write(t, t.text * 2) for _, t in _tokens(layout, *texts))


def writing(**table: str) -> Breaker:
    """Some tokens become others: the values are separated by blanks, the names are in `_SIGNS`."""
    rows = {_SIGNS.get(name, name): text.split() for name, text in table.items()}
    return lambda layout, rng: (_write(t, rng.choice(rows[t.text])) for _, t in _tokens(layout, *rows))


_SIGNS = {
    "equal": "==", "unequal": "!=", "least": ">=", "most": "<=", "comma": ",", "round": ")",
    "square": "]", "curly": "}", "and_": "and", "or_": "or", "not_": "not", "none": "None",
    "assign": "=",
}  # fmt: skip


def header_colon(layout: Layout, rng: random.Random) -> Spots:
    """The colon of a header is gone, or something else stands there."""
    for statement in _headers(layout):
        colon = layout.tokens[statement.end - 1]
        yield _write(colon, rng.choice(["", "", "", ";", ",", ".", " then:", " do:", "::", " {", " then"]))


def _headers(layout: Layout) -> Iterator[Statement]:
    for statement in layout.statements:
        is_header = layout.tokens[statement.first].text in HEADERS
        if is_header and layout.tokens[statement.end - 1].text == ":":
            yield statement


def inner_colon(layout: Layout, rng: random.Random) -> Spots:
    """The colon of a dictionary, slice, lambda or annotation."""
    ends = {s.end - 1 for s in layout.statements}
    for number, token in _tokens(layout, ":"):
        if number not in ends:
            yield _write(token, rng.choice(["", "=", " =", ",", "::"]))


def keyword_argument(layout: Layout, rng: random.Random) -> Spots:
    """`f(a: 1)`, `f(a == 1)`, `f(a 1)`."""
    for number, token in _tokens(layout, "="):
        if layout.tokens[token_statement(layout, number).first].text in HEADERS or _depth(layout, number):
            yield _write(token, rng.choice([": ", " == ", " ", ":= "]))


def token_statement(layout: Layout, number: int) -> Statement:
    """The statement that holds a token."""
    return layout.statements[layout.statement_of(number)]


def _depth(layout: Layout, number: int) -> int:
    row = layout.tokens[token_statement(layout, number).first : number]
    return sum((t.kind is Kind.OPEN) - (t.kind is Kind.CLOSE) for t in row)


def test_assigns(layout: Layout, rng: random.Random) -> Spots:
    """`if a = b:`."""
    for number, token in _tokens(layout, "=="):
        if layout.tokens[token_statement(layout, number).first].text in HEADERS | {"return", "assert"}:
            yield _write(token, rng.choice(["=", "=", "=", "==="]))


def quote(layout: Layout, rng: random.Random) -> Spots:
    """A quote is gone, is of the other kind, or stands inside."""
    for token in layout.tokens:
        body = token.text.lstrip("rbfuRBFU")
        if token.kind is not Kind.STRING or body[:3] in {'"""', "'''"} or len(body) < 3:
            continue
        first = token.end - len(body)
        other = "'" if body[0] == '"' else '"'
        yield rng.choice(
            [
                ((token.end - 1, token.end, ""),),
                ((token.end - 1, token.end, ""),),
                ((first, first + 1, ""),),
                ((token.end - 1, token.end, other),),
                ((first, first + 1, other),),
                ((token.end - 1, token.end - 1, "\\"),),
            ]
        )


def word_quote(layout: Layout, rng: random.Random) -> Spots:
    """A quote beside a name, where none belongs."""
    for token in layout.tokens:
        if token.kind is Kind.NAME:
            at = rng.choice([token.start, token.end])
            yield ((at, at, rng.choice("'\"")),)


def apostrophe(layout: Layout, rng: random.Random) -> Spots:
    """A string with an apostrophe inside gets quotes of the same kind."""
    for token in layout.tokens:
        match = re.fullmatch(r"[fF]?\"(\w[^'\"\\]*'[^'\"\\]*)\"", token.text)
        if token.kind is Kind.STRING and match:
            first = token.start + match.start(1) - 1
            yield ((first, first + 1, "'"), (token.end - 1, token.end, "'"))


def triple(layout: Layout, rng: random.Random) -> Spots:
    """Three quotes are fewer, or gone."""
    for token in layout.tokens:
        body = token.text.lstrip("rbfuRBFU")
        if token.kind is Kind.STRING and body[:3] in {'"""', "'''"}:
            first = token.end - len(body)
            yield rng.choice(
                [
                    ((token.end - 3, token.end, ""),),
                    ((token.end - 1, token.end, ""),),
                    ((first, first + 1, ""),),
                ]
            )


def misspelling(layout: Layout, rng: random.Random) -> Spots:
    """Letters of a keyword are swapped, lost or doubled, or its case is wrong."""
    for token in layout.tokens:
        if token.kind is Kind.KEYWORD and len(token.text) > 1:
            yield _write(token, _misspelled(token.text, rng))


def _misspelled(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word) - 1)
    kind = rng.randrange(8)
    if kind < 3:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind < 5:
        return word[:at] + word[at + 1 :]
    if kind < 7:
        return word[:at] + word[at] + word[at:]
    return word.capitalize()


def glued(layout: Layout, rng: random.Random) -> Spots:
    """The blank behind a keyword is gone."""
    for number, token in enumerate(layout.tokens[:-1]):
        after = layout.tokens[number + 1]
        if token.kind is Kind.KEYWORD and after.kind in {Kind.NAME, Kind.NUMBER}:
            yield ((token.end, after.start, ""),)


def torn(layout: Layout, rng: random.Random) -> Spots:
    """A name or an operator has a blank inside."""
    for token in layout.tokens:
        if token.kind is Kind.NAME and "_" in token.text.strip("_"):
            at = token.start + token.text.index("_", 1)
            yield ((at, at + 1, rng.choice([" ", "-"])),)
        elif token.kind is Kind.OPERATOR and len(token.text) == 2:
            yield ((token.start + 1, token.start + 1, " "),)


def else_if(layout: Layout, rng: random.Random) -> Spots:
    """`elif` of other languages."""
    for _, token in _tokens(layout, "elif"):
        yield _write(token, rng.choice(["else if", "else if", "elseif", "elsif"]))


def shifted(layout: Layout, rng: random.Random) -> Spots:
    """A line is indented by some columns more or fewer."""
    for statement in layout.statements[1:]:
        start = layout.starts[statement.line]
        width = len(statement.indent)
        by = rng.choice([-1, -2, -3, 1, 2, 3, 4])
        if width + by >= 0:
            yield ((start, start + width, " " * (width + by)),)


def flattened(layout: Layout, rng: random.Random) -> Spots:
    """The body of a header stands at the level of the header: its first line, or all of it."""
    rows = layout.statements
    for number, statement in enumerate(rows[:-1]):
        after = rows[number + 1]
        if after.width <= statement.width:
            continue
        end = number + 2
        whole = rng.random() < 0.4
        while whole and end < len(rows) and rows[end].width > statement.width:
            end += 1
        by = after.width - statement.width
        lines = range(after.line, rows[end - 1].end_line + 1)
        spots = [(layout.starts[line], layout.indent(line)) for line in lines]
        yield tuple((at, at + min(by, len(indent)), "") for at, indent in spots if indent)


def tabbed(layout: Layout, rng: random.Random) -> Spots:
    """Some lines are indented with tabs."""
    for statement in layout.statements:
        width = len(statement.indent)
        if width and width % 4 == 0:
            start = layout.starts[statement.line]
            yield ((start, start + width, "\t" * (width // rng.choice([4, 8]) or 1)),)


def python_2(layout: Layout, rng: random.Random) -> Spots:
    """`print x`, `except A, e`, backticks, `raise E, x`."""
    for number, token in enumerate(layout.tokens[:-2]):
        after = layout.tokens[number + 1]
        if token.text in {"print", "repr"} and after.text == "(":
            close = _closing(layout, number + 1)
            if close is not None and token.text == "print" and close > number + 2:
                end = layout.tokens[close]
                yield ((token.end, after.end, " "), (end.start, end.end, ""))
            elif close is not None and token.text == "repr":
                yield (
                    (token.start, after.end, "`"),
                    (layout.tokens[close].start, layout.tokens[close].end, "`"),
                )
        elif token.text == "as" and layout.tokens[token_statement(layout, number).first].text == "except":
            yield ((layout.tokens[number - 1].end, token.end, ","),)


def _closing(layout: Layout, number: int) -> int | None:
    depth = 0
    for near in range(number, min(number + 200, len(layout.tokens))):
        token = layout.tokens[near]
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if depth == 0:
            return near
    return None


def unopened(layout: Layout, rng: random.Random) -> Spots:
    """An opening bracket is gone; a blank stays, so that no two words become one."""
    for token in layout.tokens:
        if token.kind is Kind.OPEN:
            yield ((token.start, token.end, " "),)


BREAKERS: Mapping[str, Breaker] = {
    "unclosed": deleting(")", "]", "}"),
    "unopened": unopened,
    "extra closing": doubling(")", "]", "}"),
    "other closing": writing(round="] }", square=") }", curly=") ]"),
    "header colon": header_colon,
    "inner colon": inner_colon,
    "comma": deleting(","),
    "two commas": doubling(","),
    "comma else": writing(comma="; ."),
    "keyword argument": keyword_argument,
    "test assigns": test_assigns,
    "quote": quote,
    "word quote": word_quote,
    "apostrophe": apostrophe,
    "triple": triple,
    "misspelling": misspelling,
    "glued": glued,
    "torn": torn,
    "else if": else_if,
    "shifted": shifted,
    "flattened": flattened,
    "tabbed": tabbed,
    "python 2": python_2,
    "operator": writing(
        equal="===", unequal="<> =! !==", least="=>", most="=<", and_="&&", or_="||", not_="!"
    ),
    "no operator": deleting("+", "==", "and", "or", "in", "%", "=", ".", "is", "import", "as", "*"),
    "two operators": doubling("=", "==", "+", ".", "*", "/"),
    "no keyword": deleting("def", "class", "import", "in", "if", "for", "return", "lambda", "else", "not"),
}
"""By name: what is broken."""
