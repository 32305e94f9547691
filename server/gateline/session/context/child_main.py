"""The far side of context: it holds the index of one workspace, in a process of its own.

Indexing would hold the interpreter lock of the server, and numpy its memory. Requests are answered in turn;
work that takes long is cut into steps, so that a question never waits for more than one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gateline.services import far
from gateline.session.context.prefetch import Early
from gateline.session.context.requests import (
    Around,
    Ask,
    Edited,
    EmbedFew,
    Fill,
    Find,
    Look,
    LookThrough,
    Open,
    Pending,
    Renew,
    Save,
    Search,
    Standing,
    Step,
    Supply,
    Use,
    Written,
)
from gateline.session.context.steps import Steps

if TYPE_CHECKING:
    from gateline.context.values import Answer
    from gateline.session.context.meaning import Meaning
    from gateline.session.context.retriever import Retrieval


class ContextFar:
    """Answers the requests of `session.context_requests`."""

    def __init__(self) -> None:
        self._held: Retrieval | None = None
        self._steps: Steps | None = None
        self._meaning: Meaning | None = None

    def answer(self, request: Any) -> Iterator[Any]:
        """The answer to one request."""
        match request:
            case Search():
                yield self._search(request)
            case Around():
                yield self._around(request)
            case Find():
                yield self._retrieval.places(request.path, request.line, request.column)
            case Pending():
                yield self._meaning.pending(request.most) if self._meaning else None
            case Supply():
                yield self._meaning.supply(request.keys, request.made) if self._meaning else 0
            case EmbedFew():
                yield self._meaning.embed_few(request.most) if self._meaning else 0
            case Ask():
                yield self._standing()
            case _:
                yield self._worked(request)

    def _worked(self, request: object) -> Standing | int | None:
        match request:
            case Open():
                self._forget_meaning()
                self._held = opened(request)
                return None
            case Look():
                buffers = {document.path: document for document in request.buffers}
                self._begin(self._retrieval.look(buffers))
                return self._steps.left if self._steps else 0
            case Step():
                return self._stepped()
            case Fill():
                return self._retrieval.fill()
            case LookThrough():
                return self._retrieval.look_through()
            case Save():
                self._retrieval.save()
                return self._standing()
            case _:
                self._hear(request)
                return None

    def _begin(self, stale: list[str]) -> None:
        if self._steps is not None:
            self._steps.close()
        self._steps = Steps(self._retrieval, stale)

    def _stepped(self) -> int:
        assert self._steps is not None, "asked before Look"
        self._steps.step()
        self._changed()
        if self._steps.are_few:
            # The vectors of a few files are made before anybody could ask.
            self._retrieval.fill()
        return self._steps.left

    def _hear(self, request: object) -> None:
        match request:
            case Edited():
                for path in request.closed:
                    self._retrieval.close(path)
                for document in request.documents:
                    self._retrieval.open(document)
                self._heard((*request.closed, *(document.path for document in request.documents)))
                self._changed()
            case Written():
                wanted = self._wanted(request.paths)
                self._retrieval.update(wanted)
                self._heard(wanted)
                self._changed()
            case Use():
                from gateline.session.context.meaning import Meaning

                self._forget_meaning()
                self._meaning = Meaning(self._retrieval, request.weights, request.made)
            case Renew():
                if self._meaning is not None:
                    self._meaning.renewed()
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def _around(self, request: Around) -> Answer:
        from gateline.context.resolved import NOTHING

        place, known = (request.path, request.line, request.budget), request.resolved or NOTHING
        return self._retrieval.for_position(*place, request.column, known)

    def _search(self, request: Search) -> Answer:
        if self._meaning is None or request.question.has_place:
            return self._retrieval.search(request.question, request.budget)
        asked = self._meaning.ask(request.question.text, request.deadline)
        answer = self._retrieval.search(request.question, request.budget, asked.vector)
        return self._meaning.said(answer, asked.reason)

    def _heard(self, paths: Iterable[str]) -> None:
        if self._steps is not None:
            self._steps.heard(paths)

    def _changed(self) -> None:
        if self._meaning is not None:
            self._meaning.changed()

    def _forget_meaning(self) -> None:
        if self._meaning is not None:
            self._meaning.close()
            self._meaning = None

    def _wanted(self, paths: Sequence[str]) -> list[str]:
        """Those of some files that may hold context; what git ignores never does."""
        files = self._retrieval.files
        wanted = [path for path in paths if files.wants(path)]
        git = files.listing.git
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
            self._meaning.trouble if self._meaning else "",
            status.message or (self._meaning.vectors.message if self._meaning else ""),
        )


def opened(request: Open) -> Retrieval:
    """The retrieval of a workspace, with what was stored.

    git lists the files while numpy is imported and the index is read: that takes several times as long.
    """
    names = Early(request.git.files) if request.git is not None else None
    from gateline.session.context.setup import collect_seldom, retrieval

    collect_seldom()
    return retrieval(request, names)


if __name__ == "__main__":
    far.serve(ContextFar().answer)
