"""Begins what takes long elsewhere, so that one's own work goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Early(Generic[T]):
    """What a function gives: once the answer that was begun in a thread, from then on its own."""

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._answers: list[T] = []
        self._thread: Thread | None = Thread(target=self._run, daemon=True)
        self._thread.start()

    def __call__(self) -> T:
        """The answer. Raises what the function raises."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
            if self._answers:
                return self._answers.pop()
        return self._ask()

    def _run(self) -> None:
        # What is raised here is raised again where it is asked for.
        with suppress(Exception):
            self._answers.append(self._ask())
