"""Braces and quotes in f-strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.repairs.syntax.site import Change, Site, insert
from gateline.repairs.syntax.tokens import Kind, Token

_WORD_END = re.compile(r"(?<=[\w\])])(?![\w(\[.])")
_BRACE = re.compile(r"[{}]")


def braces(site: Site) -> Iterator[Change]:
    """A brace that is missing, or is meant as a character."""
    for number, token in _fstrings(site):
        for match in _BRACE.finditer(token.text):
            at = token.start + match.start()
            yield insert("double brace", at, match[0], number)
            if match[0] == "{":
                yield from _closed(token, number, match.start())
            else:
                yield Change("delete brace", ((at, at + 1, ""),), number)
                yield from _opened(token, number, match.start())


def _closed(token: Token, number: int, brace: int) -> Iterator[Change]:
    """A closing brace behind each word that follows, up to the end of the string."""
    limit = len(token.text) - _tail(token)
    for match in _WORD_END.finditer(token.text, brace + 1, limit):
        at = match.start()
        pattern = "close brace at end" if at == limit else "close brace"
        if " " in token.text[brace:at].strip():
            pattern += " behind words"
        yield insert(pattern, token.start + at, "}", number)


def _opened(token: Token, number: int, brace: int) -> Iterator[Change]:
    """An opening brace before each word to the left."""
    for match in re.finditer(r"(?<!\w)(?=\w)", token.text[:brace]):
        if match.start() > len(token.text) - len(token.text.lstrip("rbfuRBFU")):
            yield insert("open brace", token.start + match.start(), "{", number)


def _tail(token: Token) -> int:
    """The length of its closing quote."""
    if token.kind is Kind.BROKEN:
        return 0
    return 3 if token.text.endswith(('"""', "'''")) else 1


def prefixes(site: Site) -> Iterator[Change]:
    """Letters before a string that do not go together."""
    for number, token in _strings(site):
        prefix = token.text[: len(token.text) - len(token.text.lstrip("rbfuRBFU"))]
        if prefix:
            for kept in dict.fromkeys([*prefix, ""]):
                if kept != prefix:
                    yield Change(
                        f"prefix to {kept.lower() or 'none'}",
                        ((token.start, token.start + len(prefix), kept),),
                        number,
                    )


def _strings(site: Site) -> Iterator[tuple[int, Token]]:
    for number in site.words:
        token = site.tokens[number]
        if token.kind in {Kind.STRING, Kind.BROKEN}:
            yield number, token


def _fstrings(site: Site) -> Iterator[tuple[int, Token]]:
    """Those in the region; in all of the text, when the message does not tell which line it is."""
    if not site.message.startswith("f-string"):
        rows = list(_strings(site))
    else:
        kinds = {Kind.STRING, Kind.BROKEN}
        near = range(max(site.at - 40, 0), min(site.at + 40, len(site.tokens)))
        rows = [(n, site.tokens[n]) for n in near if site.tokens[n].kind in kinds]
    for number, token in rows:
        if "f" in token.text[:2].lower() and token.text[:1] not in "\"'":
            yield number, token


_FIELD = re.compile(r"\{([^{}]*)\}")
_STARS = re.compile(r"\{\s*(\*{1,2})(?=\s*\w)")
_OPEN_QUOTE = re.compile(r"(['\"])\w[^'\"\[\](){}]*(?=[\])}])")


def starred(site: Site) -> Iterator[Change]:
    """`f"{**options}"`: no stars stand in braces."""
    for number, token in _fstrings(site):
        for match in _STARS.finditer(token.text):
            yield Change(
                "stars in braces", ((token.start + match.start(1), token.start + match.end(1), ""),), number
            )


_EQUALS = re.compile(r"(?<![=!<>])=(?=\s*[\w'\"(])")


def assigned(site: Site) -> Iterator[Change]:
    """`f"{total=3}"`: a comparison."""
    for number, token in _fstrings(site):
        for field in _FIELD.finditer(token.text):
            equals = _EQUALS.search(field[1])
            if equals:
                at = token.start + field.start(1) + equals.start()
                yield Change("= to == in braces", ((at, at + 1, "=="),), number)


def inner_quotes(site: Site) -> Iterator[Change]:
    """`f"{ages['Bob]}"`: a text in braces that is not closed."""
    for number, token in _fstrings(site):
        for field in _FIELD.finditer(token.text):
            for match in _OPEN_QUOTE.finditer(token.text, field.start(1), field.end()):
                if field[1].count(match[1]) % 2:
                    yield insert("close string in braces", token.start + match.end(), match[1], number)


_ESCAPED = re.compile(r"(['\"])((?:\\[\\ntr'\"])+)\1")
_NAMES = {"\\n": "newline", "\\t": "tab", "\\r": "carriage_return", "\\\\": "backslash"}


def hoisted(site: Site) -> Iterator[Change]:
    r"""`f"{'\n'.join(rows)}"`: what no braces may hold gets a name on the line above."""
    if "backslash" not in site.message:
        return
    statement = site.statement
    at = site.layout.starts[statement.line]
    for number, token in _fstrings(site):
        for field in _FIELD.finditer(token.text):
            found = list(_ESCAPED.finditer(field[1]))
            if len({match[0] for match in found}) == 1:
                name = _free(_NAMES.get(found[0][2], "text"), site)
                shift = token.start + field.start(1)
                uses = tuple((shift + match.start(), shift + match.end(), name) for match in found)
                opening = (at, at, f"{statement.indent}{name} = {found[0][0]}\n")
                yield Change("name for backslash", (opening, *uses), number)


def _free(name: str, site: Site) -> str:
    while name in site.names:
        name += "_"
    return name


RULES = (braces, prefixes, starred, assigned, inner_quotes, hoisted)
