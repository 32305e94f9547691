"""The texts that lie over the files for a type checker, and what it was told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from gateline.model import digest_of
from gateline.services.types.messages import Texts
from gateline.services.types.resident.poison_texts import Crashing
from gateline.services.types.runs.saved import saved

_MATTERS = (".py", ".pyi", ".ini", ".cfg", ".toml")
"""Endings of files that mypy reads."""


class OpenTexts:
    """The newest texts, those that answers speak of, and what was written since the engine was told last."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.newest: dict[str, str | None] = {}
        self.sent: dict[str, str | None] = {}
        """The texts that the process which answers was given last: what its answers speak of."""
        self.crashing = Crashing()
        self.disk = 0
        """How often the files changed: an engine that was begun before is not taken."""
        self._waiting: set[str] = set()
        self._written: set[str] = set()

    def lay(self, texts: Texts) -> None:
        """These are newer, and to be asked about."""
        self.newest |= texts
        self._waiting |= texts.keys()

    def take(self) -> dict[str, str | None]:
        """What is to be asked about now; afterwards nothing is."""
        taken, self._waiting = self._waiting, set()
        return {path: self.newest[path] for path in sorted(taken) if path in self.newest}

    def put_back(self, paths: Iterable[str]) -> None:
        """These are to be asked about still."""
        self._waiting.update(paths)

    def would_overtake(self, texts: Texts) -> bool:
        """Whether a question about a text alone would overtake what waits to be asked, or end the engine."""
        return bool(self._written or self._waiting - texts.keys() or not self.crashing.without(texts))

    def digests_of(self, paths: Iterable[str]) -> dict[str, str]:
        """The digests of the texts that an answer about these paths speaks of; none of closed documents."""
        texts = {path: text for path in paths if (text := self.sent.get(path)) is not None}
        return {path: digest_of(text) for path, text in texts.items()}

    def write(self, paths: Iterable[str]) -> None:
        """Files were written; those that a text lies over do not count."""
        written = [path for path in paths if path not in self.newest and path.endswith(_MATTERS)]
        if written:
            self.disk += 1
            self._written.update(written)

    def take_written(self) -> tuple[str, ...]:
        """The files that were written since this was asked last."""
        written, self._written = self._written, set()
        return tuple(sorted(written))

    async def close(self, path: str) -> bool:
        """Take the text at a path back: from now on the file counts; whether that holds another text."""
        # The engine may have one that only a preview was about.
        had = {text for texts in (self.newest, self.sent) if (text := texts.pop(path, None)) is not None}
        self._waiting.discard(path)
        self.crashing.forget(path)
        differs = bool(had) and had != {await asyncio.to_thread(saved, self._root, path)}
        if differs:
            self.write([path])
        return differs
