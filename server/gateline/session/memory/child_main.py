"""The far side of memory: it holds the lessons of one workspace with what makes their vectors.

numpy and the transformer stay out of the server.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gateline.services import far
from gateline.session.errors import UsageError
from gateline.session.memory.requests import (
    Forget,
    Helped,
    History,
    ListAll,
    Open,
    Recall,
    Refused,
    Remember,
)
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of

if TYPE_CHECKING:
    from gateline.session.memory.memory import Memory


class MemoryFar:
    """Answers the requests of `session.memory.requests`."""

    def __init__(self) -> None:
        self._held: Memory | None = None

    def answer(self, request: Any) -> Iterator[Any]:
        """The answer to one request."""
        try:
            yield self._answer(request)
        except (UsageError, StoreError) as error:
            yield Refused(str(error))

    def _answer(self, request: Any) -> Any:
        if isinstance(request, Open):
            self._held = _opened(request)
            return None
        memory = self._held
        assert memory is not None, "asked before Open"
        match request:
            case Remember():
                memory.anchors.checked(request.note.anchor)
                return memory.remember(request.note)
            case Recall():
                return memory.recall(request)
            case Helped():
                return memory.helped(request.names)
            case Forget():
                return memory.forget(request.names)
            case History():
                return memory.history(request.name)
            case ListAll():
                return memory.all()
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")


def _opened(request: Open) -> Memory:
    from gateline.session.memory.embedding import makers
    from gateline.session.memory.memory import Memory

    found, _ = makers(request.settings, request.root, os.environ, trusted=request.trusted)
    return Memory(Database(state_of(request.root, request.folder) / DATABASE), request.root, found)


if __name__ == "__main__":
    far.serve(MemoryFar().answer)
