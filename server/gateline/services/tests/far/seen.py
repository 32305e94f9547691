"""What the names of a frame held when it failed, by type: repairs are guessed from that."""

from __future__ import annotations

import types
from typing import Any, Dict, Iterator

_Held = Dict[str, Any]
_NAMES = 60
_ATTRIBUTES = 30


def seen(frame: Any) -> list[list[str]]:
    """Pairs of a name (`total`, `self.rows`, `rows[]` for an element) and a type."""
    found: list[list[str]] = []
    for name, value in list(frame.f_locals.items())[:_NAMES]:
        if name.startswith(("__", "@")):
            continue
        found.extend(_value(name, value))
        own = _attributes(value) if _is_plain(value) else {}
        for attribute, inner in list(own.items())[:_ATTRIBUTES]:
            found.extend(_value(f"{name}.{attribute}", inner))
    return found


def _is_plain(value: Any) -> bool:
    # By the type itself: `isinstance` asks the object for a `__class__` of its own.
    return not issubclass(type(value), (type, types.ModuleType, types.FunctionType))


def _attributes(value: Any) -> _Held:
    """Asked of `object`: a class's own `__getattr__` is other people's code, and may raise anything."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except Exception:  # noqa: BLE001 - also of `__dict__` a class can make its own
        return {}
    return own if type(own) is dict else {}


def _value(name: str, value: Any) -> Iterator[list[str]]:
    kind = type(value)
    yield [name, _named(kind)]
    # Only of built-in types: to look into others would run code that is not ours.
    if kind in (list, tuple, set, frozenset) and value:
        yield [name + "[]", _named(type(next(iter(value))))]
    elif kind is dict and value:
        key, inner = next(iter(value.items()))
        yield [name + "{}", _named(type(key))]
        yield [name + "[]", _named(type(inner))]


def _named(kind: type) -> str:
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"
