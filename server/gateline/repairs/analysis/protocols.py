"""Methods that Python itself calls: what they have to return, and what is said when they do not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple


class Special(NamedTuple):
    """What a special method has to return."""

    type: str
    """The type of it, as `Kinds` tells it."""
    made_by: tuple[str, ...]
    """The functions that make it of something else; the likeliest first."""


SPECIALS: Mapping[str, Special] = {
    "__str__": Special("str", ("str",)),
    "__repr__": Special("str", ("repr", "str")),
    "__format__": Special("str", ("str",)),
    "__bytes__": Special("bytes", ("bytes",)),
    "__bool__": Special("bool", ("bool",)),
    "__len__": Special("int", ("len", "int")),
    "__hash__": Special("int", ("hash", "int")),
    "__index__": Special("int", ("int",)),
    "__int__": Special("int", ("int",)),
    "__float__": Special("float", ("float",)),
    "__iter__": Special("generator", ("iter",)),
}
_NAMED = re.compile(
    r"\b(?P<name>__[a-z]+__)(?:\(\))? (?:method )?"
    r"(?:returned non-\w+ \(type (?P<given>[\w.]+)\)"
    r"|(?:to|should|must) (?:return|be) (?!None)[\w ]+(?:, (?:not|returned) '?(?P<other>[\w.]+)'?)?)"
)
_SAYINGS = {
    re.compile(r"iter\(\) returned non-iterator of type '([\w.]+)'"): "__iter__",
    re.compile(r"'([\w.]+)' object cannot be interpreted as an integer"): "__len__",
}


def method_told(message: str) -> tuple[str, str]:
    """The special method that gave nothing usable, as a message tells, and the type of what it gave.

    Each is "" where nothing is said of it.
    """
    if (named := _NAMED.search(message)) is not None:
        return named["name"], named["given"] or named["other"] or ""
    for saying, name in _SAYINGS.items():
        if (said := saying.search(message)) is not None:
            return name, said[1]
    return "", ""
