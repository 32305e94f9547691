"""Methods that Python itself calls, and says of what they return that it is wrong."""

from __future__ import annotations

import re

_NAMED = re.compile(
    r"\b(?P<name>__[a-z]+__)(?:\(\))? (?:method )?(?:returned non-|(?:to|should|must) (?:return|be) (?!None))"
)
_SAYINGS = {
    "iter() returned non-iterator of type 'NoneType'": "__iter__",
    "'NoneType' object cannot be interpreted as an integer": "__len__",
}


def method_told(message: str) -> str:
    """The special method that gave nothing usable, as a message tells; "" when it speaks of none."""
    named = _NAMED.search(message)
    is_of_none = "NoneType" in message or "method should return" in message
    if named is not None and is_of_none:
        return named["name"]
    return next((name for saying, name in _SAYINGS.items() if saying in message), "")
