"""One token too few, too many, or a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, hexdigits, octdigits

from gateline.repairs.syntax.site import Change, Site, insert, replace
from gateline.repairs.syntax.tokens import Kind, Token

_BETWEEN = (
    ",",
    ":",
    "=",
    "==",
    " in ",
    " as ",
    " and ",
    " or ",
    ".",
    " import ",
    " if ",
    " else ",
    " for ",
    " + ",
)
"""What may be missing between two operands."""
_LEADING = ("not ", "def ", "if ", "_ = ", "import ")
"""What may be missing before an operand at the start of a statement."""
_INSTEAD = {
    "=": ("==", ":", ":=", ","),
    "==": ("=", ":"),
    ":": ("=", ",", ".", ":="),
    ":=": ("=", "==", ":"),
    ";": (":", ","),
    ".": (",", ":"),
    ",": (":", ".", " in ", "=", " as "),
    "and": (",",),
    "or": (",",),
    "&": (" and ", ","),
    "|": (" or ", ","),
    "+": (",", "="),
    "-": ("=", "->", "_"),
    "*": (",",),
    "/": (",",),
    "in": ("=",),
    "->": (".", "=", ":", "-"),
    ">": (".",),
    "<": (),
    "is": ("==",),
    "else": ("if",),
    "from": ("import", "in"),
    "for": ("in",),
    "with": ("as",),
    "as": ("=",),
}
"""What a token may stand for."""
_BEFORE_NAMES = {"def", "class", "for", "(", ",", "import", "as", "global"}
_OPERATORS = {"**", "//", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "<<", ">>", "..."}
_OPERATORS |= {"|=", "&=", "^=", "//=", "**="}
_SIGNS = {Kind.OPERATOR, Kind.JUNK}
"""An exclamation mark alone is no operator of Python."""
_REVERSED = {"=<": "<=", "=>": ">=", "=!": "!=", "=+": "+=", "=-": "-=", "=*": "*=", "=:": ":=", ">-": "->"}


def inserted(site: Site) -> Iterator[Change]:
    """A token that is missing."""
    for number in site.words:
        token, before = site.tokens[number], site.previous(number)
        if before is None:
            continue
        if before.is_operand_end and token.is_operand_start:
            yield from (_put(site, before, number, text) for text in _BETWEEN)
        elif token.is_operand_start and number == site.statement.first:
            yield from (insert(f"insert {t.strip()}", token.start, t, number) for t in _LEADING)
        if token.text in {"if", "for", "else", "in", "and", "or", "is"} and not before.is_operand_end:
            continue
        if before.is_operand_end and token.kind is not Kind.CLOSE:
            yield _put(site, before, number, ":")


def _put(site: Site, before: Token, number: int, text: str) -> Change:
    """Right behind the token before; words and operators stand between blanks."""
    token = site.tokens[number]
    pattern = f"insert {text.strip()}"
    if text in {",", ":"}:
        behind = " " if token.start == before.end else ""
        return insert(pattern, before.end, text + behind, number)
    if token.start > before.end and text.strip() not in {".", "="}:
        return Change(pattern, ((before.end, token.start, f" {text.strip()} "),), number)
    if token.line == before.line and text in {".", "="}:
        return Change(pattern, ((before.end, token.start, text),), number)
    return insert(pattern, before.end, text, number)


def deleted(site: Site) -> Iterator[Change]:
    """A token that is too much."""
    for number in site.words:
        token, before = site.tokens[number], site.previous(number)
        start, end = token.start, token.end
        if before is not None and before.line == token.line and before.end < start:
            start = before.end
            if token.kind in {Kind.NAME, Kind.KEYWORD, Kind.NUMBER, Kind.STRING} and end < len(site.text):
                start, end = token.start, end + (site.text[end] in " \t")
        same = before is not None and before.text == token.text
        glue = _glue(site, start, end)
        yield Change(f"delete {'doubled' if same else _class(token)}", ((start, end, glue),), number)


def _glue(site: Site, start: int, end: int) -> str:
    """A blank, where two words would become one."""
    left, right = site.text[start - 1 : start], site.text[end : end + 1]
    is_word = (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
    return " " if is_word else ""


def _class(token: Token) -> str:
    if token.kind in {Kind.OPERATOR, Kind.KEYWORD}:
        return token.text
    return str(token.kind.value)


def replaced(site: Site) -> Iterator[Change]:
    """A token that stands for another one, alone or wherever it stands in the statement."""
    for number in site.words:
        token = site.tokens[number]
        for text in _INSTEAD.get(token.text, ()):
            pattern = f"{token.text} to {text.strip()}"
            new = _spaced(site, token, text)
            # A colon has a blank behind it, the equals sign of an argument has none.
            end = token.end + (pattern == ": to =" and site.text[token.end : token.end + 1] == " ")
            yield Change(pattern, ((token.start, end, new),), number)
            if number == site.at or token.text in {";", "="}:
                yield from _everywhere(site, number, text)
        if token.text == "." and site.tokens[site.statement.first].text == "def":
            yield replace(". to _", token, "_", number)


def _everywhere(site: Site, number: int, text: str) -> Iterator[Change]:
    """The same for all such tokens from here to the end of the bracket."""
    token = site.tokens[number]
    depth, same = 0, []
    for other in site.tokens[number : site.statement.end]:
        depth += (other.kind is Kind.OPEN) - (other.kind is Kind.CLOSE)
        if depth < 0:
            break
        if depth == 0 and other.text == token.text:
            same.append(other)
    if len(same) > 1:
        spots = tuple((t.start, t.end, _spaced(site, t, text)) for t in same)
        yield Change(f"every {token.text} to {text.strip()}", spots, number)


def _spaced(site: Site, token: Token, text: str) -> str:
    """Words keep blanks around them; where there are some already, no more are added."""
    left = site.text[token.start - 1 : token.start].isspace()
    right = site.text[token.end : token.end + 1].isspace()
    bare = text.strip()
    if text == bare:
        return f" {bare}" if bare == "==" and right and not left else bare
    return f"{'' if left else ' '}{bare}{'' if right else ' '}"


def split(site: Site) -> Iterator[Change]:
    """`a = 1 b = 2`: two statements on a line."""
    for number in site.words:
        token, before, after = site.tokens[number], site.previous(number), site.following(number)
        if before is None or after is None or before.line != token.line or not before.is_operand_end:
            continue
        if number == site.layout.statements[site.layout.statement_of(number)].first + 1:
            continue
        begins = token.kind is Kind.NAME and after.text in {"=", "(", ".", "+=", "-="}
        if begins or token.text in {"return", "raise", "import", "break", "continue", "del", "assert"}:
            line = f"\n{site.layout.indent(token.line)}"
            yield Change("split line", ((before.end, token.start, line),), number)


def joined(site: Site) -> Iterator[Change]:
    """Two tokens that are one: an operator, or a name that was torn apart."""
    for number in site.words:
        token, after = site.tokens[number], site.following(number)
        if after is None or after.line != token.line:
            continue
        both = token.text + after.text
        if {token.kind, after.kind} <= _SIGNS:
            if both in _OPERATORS:
                yield Change("join operators", ((token.start, after.end, both),), number)
            if whole := _REVERSED.get(both):
                yield Change("reversed operator", ((token.start, after.end, whole),), number)
        elif token.kind is Kind.NAME and after.kind in {Kind.NAME, Kind.KEYWORD, Kind.NUMBER}:
            yield Change("join names", ((token.start, after.end, f"{token.text}_{after.text}"),), number)


def named(site: Site) -> Iterator[Change]:
    """A keyword used as a name, a name that starts with digits, a literal where a name must stand."""
    for number in site.words:
        token, before = site.tokens[number], site.previous(number)
        if token.kind is Kind.KEYWORD and _is_used_as_name(site, number):
            yield insert("keyword as name", token.end, "_", number)
        elif token.kind is Kind.NUMBER and token.text[:2].lower() in _DIGITS:
            yield from _based(token, number)
        elif token.kind is Kind.NUMBER and (not token.text[-1].isdigit() or "__" in token.text):
            yield from _number(site, number)
        elif token.kind is Kind.STRING and before is not None and before.text in _BEFORE_NAMES:
            name, after = token.text.strip("\"'"), site.following(number)
            what = "keyword" if after is not None and after.text == "=" else "name"
            if name.isidentifier():
                yield replace(f"literal as {what}", token, name, number)


def _is_used_as_name(site: Site, number: int) -> bool:
    before, after = site.previous(number), site.following(number)
    return (before is not None and before.text in {".", "def", "class", "as", "for"}) or (
        after is not None and after.text in {"=", ".", ")", ","}
    )


_DIGITS = {"0x": hexdigits + "_", "0o": octdigits + "_", "0b": "01_"}


def _based(token: Token, number: int) -> Iterator[Change]:
    """`0x12g4`, `0b102`: digits that the base does not have."""
    known = _DIGITS[token.text[:2].lower()]
    odd = [n for n, digit in enumerate(token.text[2:], token.start + 2) if digit not in known]
    if odd and len(odd) < len(token.text) - 2:
        yield Change("digits of the base", tuple((at, at + 1, "") for at in odd), number)


def _number(site: Site, number: int) -> Iterator[Change]:
    """`2x`, `1.5e`, `3i`, `10L`: a number with letters behind it."""
    token = site.tokens[number]
    if re.fullmatch(r"[\d_.]+", token.text) and ("__" in token.text or token.text.endswith("_")):
        yield replace("underscores", token, re.sub(r"_+", "_", token.text).rstrip("_"), number)
    digits = token.text.rstrip(ascii_letters + "_")
    letters = token.text[len(digits) :]
    if not digits or not letters:
        return
    if letters in {"i", "I", "J"}:
        yield replace("imaginary unit", token, f"{digits}j", number)
    if letters in {"f", "F", "d", "l", "L", "u", "U", "e", "E", "n"}:
        yield replace("number suffix", token, digits, number)
    yield replace("name starts with digits", token, f"_{token.text}", number)
    yield replace("product", token, f"{digits}*{letters}", number)
    if letters in site.names:
        yield replace("digits before name", token, letters, number)


RULES = (inserted, deleted, replaced, split, joined, named)
