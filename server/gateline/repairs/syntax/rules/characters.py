"""Characters that look like Python's own: typographic quotes, full-width forms, blanks nobody sees."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from gateline.repairs.syntax.site import Change, Replacement, Site
from gateline.repairs.syntax.tokens import Kind

_DOUBLE = dict.fromkeys("“”„‟«»″〝〞〟＂", '"')
_SINGLE = dict.fromkeys("‘’‚‛′`´‹›", "'")
_SIGNS = {
    **dict.fromkeys("‐‑‒–—―−﹣", "-"),
    "×": "*",
    "∗": "*",
    "·": "*",
    "÷": "/",
    "⁄": "/",
    "∕": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≡": "==",
    "→": "->",
    "⇒": "->",
    "…": "...",
    "、": ",",
    "。": ".",
    "‚": ",",
    "‹": "<",
    "›": ">",
    "【": "[",
    "】": "]",
    "「": '"',
    "」": '"',
    "¬": "not ",
    "∧": " and ",
    "∨": " or ",
    "∞": "float('inf')",
    "√": "",
    "$": "",
    "?": "",
    "!": "",
    "`": "'",
}
_UNSEEN = {"Cf", "Cc", "Cn", "Co", "Mn"}


def mapped(site: Site) -> Iterator[Change]:
    """All such characters at once, as quotes or as operators; or those of the line alone."""
    for pattern, table in (
        ("characters", {**_SIGNS, **_SINGLE, **_DOUBLE}),
        ("characters as signs", {**_SINGLE, **_DOUBLE, **_SIGNS}),
    ):
        found = tuple(_all(site, table))
        if found:
            yield Change(pattern, found, site.at)
            if len(found) > 1:
                here = tuple(r for r in found if site.layout.line_at(r[0]) == site.failure.line)
                if here and here != found:
                    yield Change(f"{pattern} of the line", here, site.at)
    yield from _stripped(site)
    yield from _nearest(site)


def _all(site: Site, table: Mapping[str, str]) -> Iterator[Replacement]:
    for token in site.tokens:
        if token.kind is Kind.JUNK and (new := _plain(token.text, table)) is not None:
            yield token.start, token.end, new
        elif token.kind is Kind.NAME and not token.text.isascii():
            # A fraction is a digit to Unicode, and so part of a word to the tokenizer.
            yield from (
                (token.start + n, token.start + n + 1, new)
                for n, c in enumerate(token.text)
                if not f"a{c}".isidentifier() and (new := _plain(c, table)) is not None
            )


def _plain(character: str, table: Mapping[str, str]) -> str | None:
    """What a character stands for in Python; None when nobody knows."""
    if character in table and character not in "$?!`":
        return table[character]
    if character.isascii():
        return None
    if unicodedata.category(character) in _UNSEEN:
        return ""
    if unicodedata.category(character) == "Zs":
        return " "
    plain = unicodedata.normalize("NFKC", character).replace("⁄", "/")
    return plain if plain.isascii() else None


def _stripped(site: Site) -> Iterator[Change]:
    """A pair of quotes with blanks inside, as the French write them."""
    odd = [t for t in site.tokens if t.kind is Kind.JUNK and not t.text.isascii()]
    junk = [t for t in odd if t.line == site.failure.line]
    if len(junk) == 2:
        first, last = junk
        inner = site.text[first.end : last.start].strip()
        if inner:
            yield Change("spaced quotes", ((first.start, last.end, f'"{inner}"'),), site.at)


def _nearest(site: Site) -> Iterator[Change]:
    """A single odd character is taken out."""
    for number in site.words:
        token = site.tokens[number]
        if token.kind is Kind.JUNK:
            yield Change("delete character", ((token.start, token.end, ""),), number)
            if token.text == "\\":
                yield Change("backslash to slash", ((token.start, token.end, "/"),), number)


_MIXED = re.compile(r"(?<![\w.])(\d+)[ \u2044]?([¼½¾⅐-⅞])(?!\w)")


def mixed(site: Site) -> Iterator[Change]:
    """`1½`: a number and a fraction."""
    line = site.failure.line
    start = site.layout.starts[line]
    for match in _MIXED.finditer(site.line_text(line)):
        value = int(match[1]) + unicodedata.numeric(match[2])
        whole, part = unicodedata.normalize("NFKC", match[2]).split("\u2044")
        text = f"{value:g}" if float(f"{value:g}") == value else f"({match[1]} + {whole}/{part})"
        yield Change("mixed number", ((start + match.start(), start + match.end(), text),), site.at)


def escapes(site: Site) -> Iterator[Change]:
    r"""`print(\t)`: an escape outside of a text."""
    for number in site.words:
        token, after = site.tokens[number], site.following(number)
        if token.text == "\\" and after is not None and after.start == token.end:
            yield Change("quoted escape", ((token.start, after.end, f'"\\{after.text}"'),), number)


RULES = (mapped, mixed, escapes)
