"""What a piece of code says of what is needed for it: names, calls with what they are called on, a hole."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateline.context.chunking.plain import plain

HOLE = "____"
"""Stands in a question for what is about to be written."""

_CALL = re.compile(r"(?:((?:[A-Za-z_]\w*(?:\(\))?\.)*[A-Za-z_]\w*(?:\(\))?)\.)?([A-Za-z_]\w*)[ \t]*\(")
_HOLE = re.compile(r"(?:((?:[A-Za-z_]\w*(?:\(\))?\.)*[A-Za-z_]\w*(?:\(\))?)\.|(\.))?" + HOLE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_MADE = re.compile(
    r"^[ \t]*([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=[ \t]*(?:[A-Za-z_]\w*\.)*([A-Z]\w*)\(", re.MULTILINE
)
_CODE = re.compile(
    r"\w\(|\w\.\w+\(|[\w)\]] ?[-+*/]?= ?[\w\[({\"']|^\s*(?:def|class|import|from|return|if .*:$)\b|____",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"(?<![\w.])[A-Za-z]+(?: [A-Za-z]+,?){3}(?![\w(.=\[])")
"""Four words one after the other: in one line of code there are none outside of strings."""
_WORDS = "if elif while for in not and or return yield assert with lambda await print def class"
_NO_CALL = frozenset(_WORDS.split())


@dataclass(frozen=True, slots=True)
class Call:
    """A call in the text. `weight` is 1 on the line that matters most and less the further away."""

    receiver: str
    """What the name is called on, dotted; "" for a bare name."""
    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class Cursor:
    """A piece of code, read."""

    calls: tuple[Call, ...] = ()
    named: frozenset[str] = frozenset()
    hole: bool = False
    receiver: str = ""
    """Of the hole: what it is taken from; "?" for something without a name, "" for nothing."""
    made: tuple[tuple[str, str], ...] = ()
    """Variables and the classes that they were made from."""


def is_code(text: str) -> bool:
    """Whether a question is code, not words: a sentence may name a call, too."""
    return _CODE.search(text) is not None and not ("\n" not in text.strip() and _SENTENCE.search(text))


def read(text: str, focus: int | None = None) -> Cursor:
    """What a text holds; `focus` is its zero-based line that matters most, without it the middle one."""
    code = plain(text)
    middle = (code.strip("\n").count("\n") + 1) // 2 if focus is None else focus
    hole = _HOLE.search(code)
    calls: dict[tuple[str, str], Call] = {}
    for match in _CALL.finditer(code):
        if match[2] not in _NO_CALL and HOLE not in match[0]:
            distance = abs(code.count("\n", 0, match.start(2)) - middle)
            call = Call(match[1] or "", match[2], 1 / (1 + distance))
            calls[call.receiver, call.name] = max(
                call, calls.get((call.receiver, call.name), call), key=_weight
            )
    receiver = (hole[1] or ("?" if hole[2] else "")) if hole else ""
    named = frozenset(_NAME.findall(code)) - {HOLE}
    return Cursor(tuple(calls.values()), named, hole is not None, receiver, tuple(_MADE.findall(code)))


def _weight(call: Call) -> float:
    return call.weight
