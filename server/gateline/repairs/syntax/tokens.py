"""Tokens of any text: what Python's own tokenizer refuses is a token here, too.

A string that is not closed ends with its line or, in three quotes, with the text.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from keyword import kwlist
from typing import NamedTuple

CLOSERS = {"(": ")", "[": "]", "{": "}"}
OPENERS = {closer: opener for opener, closer in CLOSERS.items()}


class Kind(Enum):
    """What a token is."""

    NAME = "name"
    KEYWORD = "keyword"
    NUMBER = "number"
    STRING = "string"
    BROKEN = "broken string"
    OPERATOR = "operator"
    OPEN = "opening bracket"
    CLOSE = "closing bracket"
    COMMENT = "comment"
    NEWLINE = "end of line"
    """Of every line, also of an empty one and inside brackets."""
    JUNK = "no token of Python"


class Token(NamedTuple):
    """A piece of a text, with the offsets at which it starts and ends."""

    kind: Kind
    text: str
    start: int
    end: int
    line: int
    """Zero-based line of its start."""

    @property
    def is_operand_end(self) -> bool:
        """An operand may end with it."""
        return self.kind in _ENDS or self.text in _CONSTANTS

    @property
    def is_operand_start(self) -> bool:
        """An operand may start with it."""
        return self.kind in _STARTS or self.text in _CONSTANTS or self.text in _PREFIXES


_CONSTANTS = {"None", "True", "False", "..."}
_PREFIXES = {"not", "lambda", "await", "-", "~"}
_ENDS = {Kind.NAME, Kind.NUMBER, Kind.STRING, Kind.BROKEN, Kind.CLOSE}
_KEYWORDS = frozenset(kwlist)
_LONG = {Kind.STRING, Kind.BROKEN}
_STARTS = {Kind.NAME, Kind.NUMBER, Kind.STRING, Kind.BROKEN, Kind.OPEN}

_TOKEN = re.compile(
    r"""
    (?P<skip>[ \t\f]+|\\(?:\r\n|\r|\n))
  | (?P<string>[rbfuRBFU]{0,2}(?:
        \"{3}(?:[^"\\]+|\\.|"(?!""))*+(?:\"{3}|\\?\Z)
      | '{3}(?:[^'\\]+|\\.|'(?!''))*+(?:'{3}|\\?\Z)
      | "(?:[^"\\\r\n]+|\\(?:\r\n|.))*+(?:"|\\?(?=[\r\n]|\Z))
      | '(?:[^'\\\r\n]+|\\(?:\r\n|.))*+(?:'|\\?(?=[\r\n]|\Z))))
  | (?P<name>[^\W\d][\w\u0300-\u036f]*)
  | (?P<newline>\r\n|\r|\n)
  | (?P<number>\d+(?:_\d+)*\.?\d*[eE][+-]\d+|0[xXoObB]\w*|(?:\d\w*\.?|\.(?=\d))\w*)
  | (?P<operator>\*\*=|//=|>>=|<<=|\.\.\.|[-+*/%&|^@!=<>:]=|->|<>|\*\*|//|<<|>>|[-+*/%&|^~@<>=:;,.])
  | (?P<open>[(\[{])
  | (?P<close>[)\]}])
  | (?P<comment>\#[^\r\n]*)
  | (?P<junk>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {
    "string": Kind.STRING,
    "name": Kind.NAME,
    "newline": Kind.NEWLINE,
    "number": Kind.NUMBER,
    "operator": Kind.OPERATOR,
    "open": Kind.OPEN,
    "close": Kind.CLOSE,
    "comment": Kind.COMMENT,
    "junk": Kind.JUNK,
}
_LINE_END = re.compile(r"\r\n|\r|\n")


@lru_cache(maxsize=16)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of a text that is looked at more than once."""
    return read_tokens(text)


def read_tokens(text: str) -> tuple[Token, ...]:
    """All tokens of `text`, in order. Blanks and joined lines are between them."""
    found: list[Token] = []
    line = 0
    for match in _TOKEN.finditer(text):
        group, piece = match.lastgroup or "", match[0]
        if group == "skip":
            line += piece[0] == "\\"
            continue
        kind = _KINDS[group]
        if kind is Kind.NAME and piece in _KEYWORDS:
            kind = Kind.KEYWORD
        elif kind is Kind.STRING and not _is_closed(piece):
            kind = Kind.BROKEN
        found.append(Token(kind, piece, match.start(), match.end(), line))
        if kind is Kind.NEWLINE:
            line += 1
        elif kind in _LONG and ("\n" in piece or "\r" in piece):
            line += len(_LINE_END.findall(piece))
    return tuple(found)


def _is_closed(text: str) -> bool:
    body = text.lstrip("rbfuRBFU")
    quote = body[:3] if body[:3] in {'"""', "'''"} else body[:1]
    if len(body) < 2 * len(quote) or not body.endswith(quote):
        return False
    # The pattern reads escapes: only the backslashes before the last quote can still deceive.
    inner = body[len(quote) : -len(quote)]
    return (len(inner) - len(inner.rstrip("\\"))) % 2 == 0
