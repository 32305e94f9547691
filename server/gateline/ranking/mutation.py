"""Inputs that nobody wrote: mutations of known ones that keep every type.

No chance is in it: the same inputs give the same mutations, nearest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest

Value = object
Arguments = Mapping[str, Value]
"""By the name of the parameter."""
MOST = 20
"""Inputs of one function."""
_PER_INPUT = 40


def mutated(known: Sequence[Arguments], most: int = MOST) -> list[Arguments]:
    """At most `most` inputs that differ from the known ones, taken from each in turn."""
    seen = {repr(sorted(one.items())) for one in known}
    found: list[Arguments] = []
    streams = [islice(_of_arguments(one), _PER_INPUT) for one in sorted(known, key=_order)]
    for row in zip_longest(*streams):
        for one in row:
            if one is None or len(found) >= most:
                continue
            name = repr(sorted(one.items()))
            if name not in seen:
                seen.add(name)
                found.append(one)
    return found


def _order(arguments: Arguments) -> tuple[int, str]:
    told = repr(sorted(arguments.items()))
    return len(told), told


def _of_arguments(arguments: Arguments) -> Iterator[Arguments]:
    """One argument at a time is another one; the arguments take turns."""
    names = sorted(arguments)
    for row in zip_longest(*(_of(arguments[name]) for name in names), fillvalue=_NOTHING):
        for name, value in zip(names, row, strict=True):
            if value is not _NOTHING:
                yield {**arguments, name: value}


_NOTHING = object()


def _of(value: Value) -> Iterator[Value]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from _of_number(value)
        case str():
            yield from (value[::-1], value + value, value[1:], value.swapcase(), type(value)())
        case list() | tuple():
            yield from _of_sequence(value)
        case dict():
            yield from _of_dict(value)
        case _:
            return


def _of_number(value: float) -> Iterator[Value]:
    kind = type(value)
    yield from (kind(value + 1), kind(value - 1), kind(-value), kind(value * 2), kind(0))


def _of_sequence(value: list[Value] | tuple[Value, ...]) -> Iterator[Value]:
    kind = type(value)
    if not value:
        return
    yield kind(value[::-1])
    yield kind(value[1:])
    yield kind((*value, value[-1]))
    for at, one in enumerate(value):
        for other in islice(_of(one), 2):
            yield kind((*value[:at], other, *value[at + 1 :]))
    yield kind((*value, *value))
    yield kind(value[:1])
    yield kind()


def _of_dict(value: dict[Value, Value]) -> Iterator[Value]:
    for name, one in value.items():
        yield {other: kept for other, kept in value.items() if other != name}
        for changed in islice(_of(one), 2):
            yield {**value, name: changed}
    yield {}
