"""The far side: resolves names in a process of its own, because jedi cannot be interrupted.

Inference in the process of the index would hold up every other question: most names take two milliseconds,
some a second.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from typing import Any

import psutil

from gateline.context.resolved import Definition, Places, Resolved, Site
from gateline.services import far
from gateline.services.resolving.names import Names
from gateline.services.resolving.requests import Edited, GoOn, Resolve, Setup, Warm, Written

MOST = 130_000_000
"""Bytes of memory above which all that was read is forgotten."""
_SELDOM = 50_000
"""New objects after which is looked for rings: trees are many objects that live long."""


_Found = dict[Site, tuple[Definition, ...]]
_Callers = dict[tuple[str, int], tuple[Definition, ...]]


class Resolver:
    """Answers the requests of `services.resolving.requests`."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._left: Iterator[int] = iter(())
        self._process = psutil.Process()

    def answer(self, request: Any) -> Iterator[Any]:
        """The answer to one request."""
        match request:
            case Resolve():
                yield from self.resolve(request.places, request.seconds)
            case GoOn():
                yield self.go_on(request.seconds)
            case _:
                self._left = iter(())
                self._hear(request)

    def _hear(self, request: Any) -> None:
        match request:
            case Setup():
                self._names = Names(request)
                self._names.tidy()
            case Edited():
                self._held.edited(request.documents, request.closed)
            case Written():
                self._held.written()
            case Warm():
                self._held.warm(request.path)
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def resolve(self, places: Places, seconds: float) -> Iterator[Resolved]:
        """What is found within so many seconds; the rest is found by `go_on`.

        What stands first is said as soon as it is known: what follows may take longer than anybody waits.
        """
        names = self._held
        names.freshen(places.sources)
        found: _Found = {}
        callers: _Callers = {}
        self._left = _work(names, places, found, callers)
        until = time.monotonic() + seconds
        for left in self._left:
            yield Resolved(dict(found), {}, _left_over(left, places))
            break
        left = self.go_on(until - time.monotonic())
        yield Resolved(found, callers, _missing(names, places, found, left))

    def go_on(self, seconds: float) -> int:
        """Resolve more of what was asked last; how many names are left."""
        until = time.monotonic() + seconds
        for left in self._left:
            if time.monotonic() >= until:
                return left
        return 0

    def rest(self) -> None:
        """Give memory back when it is much."""
        if self._names is not None and self._process.memory_info().rss > MOST:
            self._left = iter(())
            self._names.forget()
            gc.collect()

    @property
    def _held(self) -> Names:
        assert self._names is not None, "asked before Setup"
        return self._names


def _work(names: Names, places: Places, found: _Found, callers: _Callers) -> Iterator[int]:
    """Resolve name after name; yields how many are left."""
    left = _count(places)
    for site in places.names:
        if definitions := names.definitions(places.path, site):
            found[site] = definitions
        left -= 1
        yield left
    for caller in places.callers:
        meant: list[tuple[Definition, ...] | None] = []
        for site in caller.sites:
            meant.append(names.definitions(caller.path, site))
            left -= 1
            if site is not caller.sites[-1]:
                yield left
        if all(meant):
            callers[caller.path, caller.first] = tuple(one for part in meant for one in part or ())
        yield left


def _count(places: Places) -> int:
    return len(places.names) + sum(len(caller.sites) for caller in places.callers)


def _left_over(left: int, places: Places) -> str:
    return f"{left} of {_count(places)} names were not resolved in time"


def _missing(names: Names, places: Places, found: _Found, left: int) -> str:
    """What is not resolved, and why; empty when that is nothing that anybody would miss."""
    if left:
        return _left_over(left, places)
    first = places.names[0] if places.names else None
    if first is None or first in found:
        return ""
    if names.definitions(places.path, first) is None:
        return f"{places.path} cannot be read, or is too large"
    opaque = names.opaque
    unread = f"; not looked into: {', '.join(opaque[:3])}" if opaque else ""
    return f"where {first.name} is defined is not known{unread}"


if __name__ == "__main__":
    gc.set_threshold(_SELDOM, *gc.get_threshold()[1:])
    resolver = Resolver()
    far.serve(resolver.answer, resolver.rest)
