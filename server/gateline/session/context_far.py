"""The far side of context: it holds the index of one workspace, in a process of its own.

Indexing would hold the interpreter lock of the server, and numpy its memory. Requests are answered in turn;
work that takes long is cut into steps, so that a question never waits for more than one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gateline.services import far
from gateline.session.context import Retrieval
from gateline.session.context_requests import (
    Around,
    Ask,
    Edited,
    Look,
    Open,
    Save,
    Search,
    Standing,
    Step,
    Written,
)
from gateline.session.context_setup import retrieval_of

_AT_ONCE = 60
"""Files of one step: about a tenth of a second."""


class ContextFar:
    """Answers the requests of `session.context_requests`."""

    def __init__(self) -> None:
        self._held: Retrieval | None = None
        self._stale: list[str] = []

    def answer(self, request: Any) -> Iterator[Any]:
        """The parts of the answer to one request."""
        match request:
            case Open():
                self._held = retrieval_of(request.root, request.environ)
                yield self._standing()
            case Look():
                buffers = {document.path: document for document in request.buffers}
                self._stale = self._retrieval.look(buffers)
                yield len(self._stale)
            case Step():
                batch, self._stale = self._stale[:_AT_ONCE], self._stale[_AT_ONCE:]
                self._retrieval.update(batch)
                yield len(self._stale)
            case Search():
                yield self._retrieval.search(request.question, request.budget)
            case Around():
                yield self._retrieval.for_position(request.path, request.line, request.budget)
            case Save():
                self._retrieval.save()
                yield self._standing()
            case Ask():
                yield self._standing()
            case _:
                self._hear(request)
                yield None

    def _hear(self, request: object) -> None:
        match request:
            case Edited():
                for path in request.closed:
                    self._retrieval.close(path)
                for document in request.documents:
                    self._retrieval.open(document)
            case Written():
                self._retrieval.update(self._wanted(request.paths))
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def _wanted(self, paths: Sequence[str]) -> list[str]:
        """Those of some files that may hold context; what git ignores never does."""
        files = self._retrieval.files
        wanted = [path for path in paths if files.wants(path)]
        git = files.collector.git
        ignored = git.ignored(wanted) if git is not None and wanted else set()
        return [path for path in wanted if path not in ignored]

    @property
    def _retrieval(self) -> Retrieval:
        assert self._held is not None, "asked before Open"
        return self._held

    def _standing(self) -> Standing:
        status = self._retrieval.status()
        return Standing(
            status.files,
            status.chunks,
            dict(status.tiers),
            status.size,
            str(status.folder),
            status.message,
        )


if __name__ == "__main__":
    far.serve(ContextFar().answer)
