"""An open document as pygls keeps it, with edits applied the protocol's way.

pygls splits lines where `str.splitlines` does (form feeds, U+2028 …) and misplaces what lies
behind the end of the last line; here only line ends of the protocol count, and every edit is also
kept in code points for the session.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp
from pygls.workspace import TextDocument
from pygls.workspace.position_codec import PositionCodec

from gateline.lsp.convert import Encoding, locate_both
from gateline.model import Span
from gateline.model.document import split_lines

Edit = tuple[Span | None, str]


class Buffer(TextDocument):
    """The client's text of one document, and the edits nobody has taken yet."""

    def __init__(self, item: lsp.TextDocumentItem, encoding: Encoding) -> None:
        codec = PositionCodec(lsp.PositionEncodingKind(encoding.value))
        super().__init__(item.uri, item.text, item.version, item.language_id, position_codec=codec)
        self.text = item.text
        self.encoding = encoding
        self._edits: list[Edit] = []

    @property
    def source(self) -> str:
        """The text now."""
        return self.text

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends, as the protocol counts them."""
        return split_lines(self.text)

    def apply_change(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        """Apply one change; its range is given against the text before it."""
        if not isinstance(change, lsp.TextDocumentContentChangePartial):
            self.text = change.text
            self._edits.append((None, change.text))
            return
        (start, first), (end, last) = locate_both(self.text, change.range, self.encoding)
        self.text = self.text[:first] + change.text + self.text[last:]
        self._edits.append((Span(start, end), change.text))

    def take_edits(self) -> tuple[Edit, ...]:
        """The edits since the last call, in order."""
        edits, self._edits = tuple(self._edits), []
        return edits
