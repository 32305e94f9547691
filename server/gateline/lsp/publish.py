"""What the client is shown of each document, and whether it needs to be told again."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gateline.lsp.drawn import Drawn


@dataclass(slots=True)
class Shown:
    """The newest diagnostics of one document."""

    drawn: tuple[Drawn, ...] = ()
    version: int | None = None
    result: str = ""
    """Names this list; changes with it."""
    pulled: str = ""
    """The result that the client has, when it pulls."""


class Publisher:
    """Knows what is to be pushed because it changed; a client that pulls it asks to pull again."""

    def __init__(self, refresh: Callable[[], None], *, pulls: bool = False) -> None:
        self._pulls = pulls
        self._refresh = refresh
        self._shown: dict[str, Shown] = {}
        self._whole = False
        """Whether the client pulls the workspace as a whole, and so documents that it never named."""
        # The prefix keeps a result of an earlier server from being taken for one of ours.
        self._results = (f"{prefix}-{n}" for prefix in [uuid.uuid4().hex[:8]] for n in itertools.count())

    @property
    def shown(self) -> Mapping[str, Shown]:
        """What is known of each document, by URI."""
        return self._shown

    def show(
        self, uri: str, current: int | None, version: int | None, draw: Callable[[], Sequence[Drawn]]
    ) -> Sequence[Drawn] | None:
        """Take a list that belongs to `version`, unless it is stale: `current` is the version now.

        Both are None for a document that is not open. Returns what is to be pushed, None where nothing is.
        """
        if version != current:
            return None
        shown, repeated = self._remember(uri, version, draw())
        if not self._pulls:
            return None if repeated else shown.drawn
        if self._is_waited_for(shown) and shown.pulled != shown.result:
            self._refresh()
        return None

    def pull(self, uri: str, version: int | None, drawn: Sequence[Drawn], known: str | None) -> Shown | None:
        """What a pull is answered with; None when the client has it already."""
        shown, _ = self._remember(uri, version, drawn)
        shown.pulled = shown.result
        return None if known == shown.result else shown

    def pull_all(self) -> Mapping[str, Shown]:
        """What a pull of the whole workspace is answered with: all there is, by URI."""
        self._whole = True
        for shown in self._shown.values():
            shown.pulled = shown.result
        return self._shown

    def clear(self, uri: str) -> bool:
        """Forget a document that is closed, gone, or nobody's any more; whether that is to be pushed."""
        shown = self._shown.pop(uri, None)
        if not (shown and shown.drawn):
            return False
        if self._pulls and self._whole and shown.pulled:
            self._refresh()
        return not self._pulls

    def _is_waited_for(self, shown: Shown) -> bool:
        """Whether the client has an answer about a document, be it that there was nothing to tell."""
        return bool(shown.pulled or (self._whole and shown.drawn))

    def _remember(self, uri: str, version: int | None, drawn: Sequence[Drawn]) -> tuple[Shown, bool]:
        """The document's entry with this list, and whether the client was shown exactly this before.

        A new version repeats its findings once, because clients move or drop marks while one types.
        """
        shown = self._shown.setdefault(uri, Shown())
        now = tuple(drawn)
        same = shown.drawn == now
        repeated = same and (not now or shown.version == version)
        if not same or not shown.result:
            shown.result = next(self._results)
        shown.drawn, shown.version = now, version
        return shown, repeated
