"""Keywords that are misspelled, of another language, or missing."""

from __future__ import annotations
import __future__

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from keyword import kwlist

from rapidfuzz.distance import OSA

from gateline.repairs.syntax.layout import Statement
from gateline.repairs.syntax.site import Change, Site, insert, replace
from gateline.repairs.syntax.tokens import Kind, Token

_WORDS = tuple(kwlist)
_FOREIGN = {
    "function": "def",
    "func": "def",
    "fn": "def",
    "fun": "def",
    "define": "def",
    "sub": "def",
    "foreach": "for",
    "until": "while",
    "unless": "if not",
    "switch": "match",
    "when": "if",
    "catch": "except",
    "rescue": "except",
    "throw": "raise",
    "throws": "raise",
    "using": "with",
    "require": "import",
    "include": "import",
    "use": "import",
    "elseif": "elif",
    "elsif": "elif",
    "elsf": "elif",
    "default": "else",
    "delete": "del",
    "struct": "class",
    "interface": "class",
    "null": "None",
    "nil": "None",
    "const": "",
    "var": "",
    "let": "",
    "new": "",
    "val": "",
    "int": "",
    "public": "",
    "private": "",
    "static": "",
    "final": "",
    "void": "def",
    "then": "",
    "do": "",
    "begin": "",
    "end": "",
    "instanceof": "is",
    "of": "in",
    "typeof": "type",
    "not": "",
}
_ABOVE = 40
"""So many statements above, an `if` may belong to a clause."""
_FIRST = frozenset(
    {"def", "class", "if", "elif", "else", "for", "while", "return", "import", "from", "try", "except"}
    | {"finally", "with", "raise", "del", "assert", "pass", "async", "global", "nonlocal", "yield"}
)


def misspelled(site: Site) -> Iterator[Change]:
    """A word that is nearly a keyword."""
    for number in site.words:
        token = site.tokens[number]
        if token.kind not in {Kind.NAME, Kind.KEYWORD}:
            continue
        for word, distance in _near(token.text):
            exact = "keyword case" if word.lower() == token.text.lower() else f"keyword {distance}"
            yield replace(exact, token, word, number)
        yield from _glued(token, number)


@lru_cache(maxsize=1024)
def _near(text: str) -> tuple[tuple[str, int], ...]:
    """The keywords at a small distance, nearest first."""
    found = []
    for word in _WORDS:
        if word == text or abs(len(word) - len(text)) > 2:
            continue
        distance = OSA.distance(text.lower(), word.lower())
        if distance <= (1 if min(len(word), len(text)) <= 3 else 2) and distance < len(word):
            found.append((word, int(distance)))
    return tuple(sorted(found, key=lambda row: row[1]))


def _glued(token: Token, number: int) -> Iterator[Change]:
    """`returnx`, `importos`: a keyword without the blank behind it."""
    for word in sorted(_FIRST):
        rest = token.text.removeprefix(word)
        if rest != token.text and len(rest) > 0 and token.kind is Kind.NAME:
            blank = "" if rest[0].isdigit() and word == "else" else " "
            yield replace("glued keyword", token, f"{word}{blank}{rest}", number)


def foreign(site: Site) -> Iterator[Change]:
    """A word of another language."""
    for number in site.words:
        token = site.tokens[number]
        word = _FOREIGN.get(token.text)
        if word is None:
            continue
        if word:
            yield replace("foreign keyword", token, word, number)
        else:
            end = token.end + (site.text[token.end : token.end + 1].isspace())
            yield Change("foreign modifier", ((token.start, end, ""),), number)


def first_word(site: Site) -> Iterator[Change]:
    """The first word of a header is no keyword at all: any that can stand there."""
    for statement in site.suspects:
        token = site.tokens[statement.first]
        if site.tokens[statement.end - 1].text == ":" and token.kind is Kind.NAME:
            for word in ("while", "for", "if", "elif", "except", "with", "def", "class", "finally", "else"):
                yield replace(f"some word to {word}", token, word, statement.first)


def missing(site: Site) -> Iterator[Change]:
    """`for x range(3):`, `for x = 1`, `with f() g:`, `import a from b`, `from a b`."""
    for statement in site.suspects:
        row = [site.tokens[n] for n in range(statement.first, statement.end) if n in site.region]
        words = {t.text for t in row}
        first = row[0].text if row else ""
        if first == "import" and "from" in words:
            yield from _reordered(site, row, statement.first)
        if first in {"import", "from"}:
            yield from _listed(row, statement.first)
        if first == "from" and "import" not in words and len(row) > 1:
            yield insert("import all", row[-1].end, " import *", statement.first)


def _reordered(site: Site, row: list[Token], number: int) -> Iterator[Change]:
    at = next(n for n, t in enumerate(row) if t.text == "from")
    if 1 < at < len(row) - 1:
        names = site.text[row[1].start : row[at - 1].end]
        module = site.text[row[at + 1].start : row[-1].end]
        yield Change("import from", ((row[0].start, row[-1].end, f"from {module} import {names}"),), number)


def _listed(row: list[Token], number: int) -> Iterator[Change]:
    """`from a import b and c`, `b, and c`, and a comma at the end."""
    for before, token in pairwise(row):
        if token.text in {"and", "&", "+", ";"}:
            start = before.start if before.text == "," else before.end
            yield Change("import list", ((start, token.end, ","),), number)
    if row[-1].text in {",", ";", "."}:
        yield Change("import ends with comma", ((row[-1].start, row[-1].end, ""),), number)


_TESTS = {
    ("is", "not", "in"): "not in",
    ("in", "not"): "not in",
    ("not", "is"): "is not",
    ("is", "in"): "in",
    ("is", "equal", "to"): "==",
}


def tests(site: Site) -> Iterator[Change]:
    """`x is not in rows`, `x in not rows`, `x not is None`."""
    for number in site.words:
        for said, meant in _TESTS.items():
            row = site.tokens[number : number + len(said)]
            before = site.previous(number)
            if tuple(t.text for t in row) == said and before is not None and before.is_operand_end:
                yield Change("order of a test", ((row[0].start, row[-1].end, meant),), number)


def left_out(site: Site) -> Iterator[Change]:
    """`for in rows:`, `async f():`, `elif` without an `if`."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        texts = [t.text for t in row[:3]]
        if texts[:2] == ["for", "in"]:
            yield insert("missing target", row[0].end, " _", statement.first)
        if texts[:1] == ["async"] and texts[2:] == ["("]:
            yield insert("missing def", row[0].end, " def", statement.first)
        if texts[:1] == ["elif"] and not _has_opener(site, statement):
            yield replace("elif to if", row[0], "if", statement.first)


def _has_opener(site: Site, statement: Statement) -> bool:
    """Whether an `if` stands above, to which an `elif` may belong."""
    number = site.layout.statement_of(statement.first)
    above = site.layout.statements[max(number - _ABOVE, 0) : number]
    return any(site.tokens[s.first].text in {"if", "elif"} for s in above)


def other_value(site: Site) -> Iterator[Change]:
    """`x if late` without an `else`, or with nothing behind it."""
    if "expected 'else' after 'if'" in site.message:
        end = site.statement.end
        closes = (n for n in range(site.at, end) if site.tokens[n].text in {")", "]", "}", ","})
        number = next(closes, end)
        if (before := site.previous(number)) is not None:
            yield insert("else of a condition", before.end, " else None", min(number, end - 1))
    last = site.tokens[site.statement.end - 1]
    if last.text == "else":
        yield insert("else of a condition", last.end, " None", site.statement.end - 1)


_FEATURE = re.compile(r"future feature (\w+) is not defined")


def features(site: Site) -> Iterator[Change]:
    """`from __future__ import divisio`."""
    told = _FEATURE.search(site.message)
    for number in site.words if told else ():
        token = site.tokens[number]
        if told and token.text == told[1]:
            near = sorted(__future__.all_feature_names, key=lambda name: OSA.distance(name, token.text))
            yield replace("future feature", token, near[0], number)


RULES = (misspelled, foreign, first_word, missing, tests, left_out, other_value, features)
