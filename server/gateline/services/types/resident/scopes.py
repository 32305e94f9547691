"""Which function or class a line stands in, told from indentation: a tree would cost as much as the check.

`Source.symbol_at` is the exact answer. This one may be wrong inside of texts laid out against the grain (a
statement after a semicolon, a bracket's content further left than its statement); it only helps to tell two
equal findings apart, and is the same wherever the text is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_DEFINITION = re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)")
_STRING = re.compile(r'"""|\'\'\'')
_CLOSING = (")", "]", "}")


def scopes_of(lines: Iterable[str]) -> tuple[str, ...]:
    """For each line the qualified name of the innermost function or class around it, or ""."""
    open_scopes: list[tuple[int, str]] = []
    found: list[str] = []
    quotes = ""
    decorated = len(found)
    for line in lines:
        text = line.strip()
        if not quotes and text and not text.startswith(("#", *_CLOSING)):
            _leave(open_scopes, len(line) - len(line.lstrip()))
            if match := _DEFINITION.match(text):
                open_scopes.append((len(line) - len(line.lstrip()), match[1]))
                found[decorated:] = [_name(open_scopes)] * (len(found) - decorated)
        found.append(_name(open_scopes))
        decorated = decorated if text.startswith("@") else len(found)
        quotes = _quotes_after(text, quotes)
    return tuple(found)


def _leave(open_scopes: list[tuple[int, str]], indent: int) -> None:
    while open_scopes and open_scopes[-1][0] >= indent:
        open_scopes.pop()


def _name(open_scopes: list[tuple[int, str]]) -> str:
    return ".".join(name for _, name in open_scopes)


def _quotes_after(text: str, quotes: str) -> str:
    """The triple quotes that are still open at the end of a line."""
    for mark in _STRING.findall(text):
        if not quotes:
            quotes = mark
        elif mark == quotes:
            quotes = ""
    return quotes
