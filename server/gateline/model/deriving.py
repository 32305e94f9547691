"""Things that do not change, and what others work out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Deriving:
    """Keeps what functions make of an object, by the function: each is asked once."""

    def derived(self, make: Callable[[Self], T]) -> T:
        """What a function makes of this."""
        if make not in self._derived:
            self._derived[make] = make(self)
        found: T = self._derived[make]
        return found

    def listed(self, find: Callable[[Self], Iterable[T]]) -> tuple[T, ...]:
        """All that a function finds in this."""
        if find not in self._derived:
            self._derived[find] = tuple(find(self))
        found: tuple[T, ...] = self._derived[find]
        return found

    @cached_property
    def _derived(self) -> dict[Callable[..., Any], Any]:
        return {}
