"""Texts that ended the engine: they are left out until they change."""

from __future__ import annotations

from gateline.model import digest_of
from gateline.services.types.messages import Texts


class Crashing:
    """Remembers such texts by path."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    def note(self, texts: Texts) -> None:
        """These ended it."""
        self._digests |= {path: digest_of(text) for path, text in texts.items() if text is not None}

    def forget(self, path: str) -> None:
        """The text at a path is taken back."""
        self._digests.pop(path, None)

    def without(self, texts: Texts) -> dict[str, str | None]:
        """The texts that can be asked about."""
        return {p: t for p, t in texts.items() if t is None or self._digests.get(p) != digest_of(t)}
