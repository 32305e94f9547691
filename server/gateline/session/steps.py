"""What is done now, by several at a time, as one line for a person who waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Steps:
    """Joins what each source says of itself; one that has ended is left out."""

    def __init__(self, tell: Callable[[str], None] | None) -> None:
        self._tell = tell
        self._said: dict[str, str] = {}

    @contextmanager
    def of(self, source: str) -> Iterator[None]:
        """While this lasts the source is at work."""
        self._say(source, source)
        try:
            yield
        finally:
            del self._said[source]
            self._show()

    def telling(self, source: str) -> Callable[[str], None]:
        """A function that tells a step of a source."""
        return lambda step: self._say(source, step if source in step else f"{source}: {step}")

    def _say(self, source: str, step: str) -> None:
        self._said[source] = step
        self._show()

    def _show(self) -> None:
        if self._tell is not None and self._said:
            self._tell(" · ".join(self._said.values()))
