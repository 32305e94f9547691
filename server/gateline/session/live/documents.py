"""The open documents and the base of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gateline.model import Document, Snapshot, Span
from gateline.session.workspace.external_documents import is_elsewhere


class Documents:
    """Open buffers as immutable snapshots, and what the base has in their place."""

    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self.moves = 0
        """How often the base moved: what was looked up before the last time is no longer true."""
        self._bases: dict[str, Document | None] = {}
        self._differing: set[str] = set()
        self.on_change: Callable[[Document], None] = lambda document: None
        """Is told of every edited text."""

    def open(self, path: str, text: str, version: int) -> Document:
        """A buffer was opened."""
        return self._replace(Document(path, text, version))

    def change(self, path: str, edits: Sequence[tuple[Span | None, str]], version: int) -> Document | None:
        """Edits, each against the text before it; None when the document is not open."""
        document = self.get(path)
        if document is None:
            return None
        for span, text in edits:
            document = document.apply(span, text, version)
        self._replace(document)
        self.on_change(document)
        return document

    def close(self, path: str) -> None:
        """A buffer was closed."""
        self.snapshot = self.snapshot.remove(path)
        self._bases.pop(path, None)
        self._differing.discard(path)

    def get(self, path: str) -> Document | None:
        """The newest text of an open document."""
        return self.snapshot.documents.get(path)

    def is_current(self, document: Document) -> bool:
        """Whether this is still the newest text at its path."""
        now = self.get(document.path)
        return now is not None and now.version == document.version and now.digest == document.digest

    def base(self, path: str) -> Document | None:
        """What the base has here; None when it has nothing, or it is not known yet."""
        return self._bases.get(path)

    @property
    def bases(self) -> Mapping[str, Document]:
        """The bases that are known, by the path of the document now."""
        return {path: base for path, base in self._bases.items() if base is not None}

    def knows_base(self, path: str) -> bool:
        """Whether the base of a document was looked up."""
        return path in self._bases

    @property
    def without_base(self) -> tuple[str, ...]:
        """The open documents whose base was not looked up."""
        return tuple(path for path in self.buffers if path not in self._bases)

    @property
    def differ(self) -> bool:
        """Whether an open document may differ from its base; no work, because every keystroke asks."""
        return bool(self._differing)

    def set_bases(self, bases: Mapping[str, Document | None]) -> None:
        """Remember what the base has in the place of documents, as far as they are still open."""
        self._bases |= {path: base for path, base in bases.items() if path in self.buffers}
        for path in bases.keys() & self.buffers.keys():
            self._compare(self.buffers[path])

    def forget_bases(self) -> None:
        """The base moved: every document's is looked up again."""
        self.moves += 1
        self._bases.clear()
        for document in self.buffers.values():
            self._compare(document)

    @property
    def buffers(self) -> Mapping[str, Document]:
        """All open documents, by path."""
        return self.snapshot.documents

    def _replace(self, document: Document) -> Document:
        self.snapshot = self.snapshot.replace(document)
        self._compare(document)
        return document

    def _compare(self, document: Document) -> None:
        base = self.base(document.path)
        same = base is not None and (base.path, base.digest) == (document.path, document.digest)
        if same or is_elsewhere(document.path):
            self._differing.discard(document.path)
        else:
            self._differing.add(document.path)
