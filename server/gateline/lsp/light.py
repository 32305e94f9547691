"""The protocol's classes, made in half the time.

Most of the time until `initialize` is answered goes into the several hundred classes of lsprotocol, and
half of that into the `__repr__` and `__eq__` that attrs writes and compiles for each of them. Both follow
from the fields, so one function serves all classes, and nothing that they do is lost.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import attrs

_define: Any = attrs.define


def load() -> None:
    """Import `lsprotocol.types` with light classes; when it was imported before, it stays as it is."""
    # setattr, because for a type checker the decorator is a constant.
    setattr(attrs, "define", _light)  # noqa: B010
    try:
        import_module("lsprotocol.types")
    finally:
        setattr(attrs, "define", _define)  # noqa: B010


def _light(cls: Any = None, **options: Any) -> Any:
    """`attrs.define`, with methods of this module where it would compile its own."""
    if cls is None or options:
        return _define(cls, **options)
    own = vars(cls)
    if "__repr__" not in own:
        cls.__repr__ = _repr
    if "__eq__" not in own:
        cls.__eq__ = _eq
        cls.__hash__ = None
    return _define(cls, repr=False, eq=False)


def _values(instance: Any) -> list[object]:
    return [getattr(instance, field.name) for field in attrs.fields(type(instance))]


def _repr(self: Any) -> str:
    names = [field.name for field in attrs.fields(type(self))]
    said = ", ".join(f"{name}={value!r}" for name, value in zip(names, _values(self), strict=True))
    return f"{type(self).__qualname__}({said})"


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented
