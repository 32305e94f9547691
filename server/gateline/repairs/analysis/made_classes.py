"""The fields of classes that a call makes: `namedtuple("Point", "x y")`, `Enum("Colour", ["RED"])`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_BASES: Mapping[str, tuple[str, ...]] = {
    "namedtuple": ("tuple",),
    "NamedTuple": ("tuple",),
    "TypedDict": ("dict",),
    "make_dataclass": (),
    "Enum": ("enum.Enum",),
    "IntEnum": ("enum.IntEnum",),
    "StrEnum": ("enum.StrEnum",),
}
"""By the name of what makes a class: its bases."""
_KEYS = frozenset({"TypedDict"})
"""Those whose fields are keys and no attributes."""
_OF_TUPLES = ("_replace", "_asdict", "_make", "_fields")


def made_class(node: ast.stmt) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """The name of a class that a statement makes by a call, its bases and its attributes; None for others."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[_, fields, *_]) as call):
            maker = ast.unparse(call.func).rpartition(".")[2]
        case _:
            return None
    if maker not in _BASES:
        return None
    own = () if maker in _KEYS else tuple(_fields(fields))
    return name, _BASES[maker], (*own, *(_OF_TUPLES if maker.lower() == "namedtuple" else ()))


def _fields(given: ast.expr) -> Iterator[str]:
    match given:
        case ast.Constant(value=str() as text):
            yield from text.replace(",", " ").split()
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                first = item.elts[0] if isinstance(item, ast.Tuple | ast.List) and item.elts else item
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value
        case ast.Dict(keys=keys):
            yield from (k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str))
