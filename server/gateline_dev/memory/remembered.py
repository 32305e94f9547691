"""A maker of vectors that remembers them on the disk: the transformer takes a minute for all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from gateline.context.arrays import Scores
from gateline.session.memory.embedding import Maker
from gateline.store.folders import user_cache


class Remembered:
    """The same vectors as those of `maker`."""

    def __init__(self, maker: Maker) -> None:
        self.tier, self.name = maker.tier, maker.name
        self._maker = maker
        digest = blake2b(maker.name.encode(), digest_size=8).hexdigest()
        self._file = user_cache() / "memory-pairs" / f"{digest}.npz"
        self._known = _read(self._file)

    def of(self, texts: Sequence[str]) -> Scores:
        """A vector of length 1 for each text."""
        keys = [blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            made = self._maker.of(list(missing.values()))
            self._known.update(zip(missing, made, strict=True))
        if len(missing) > 1:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._file, **self._known)  # type: ignore[arg-type]
        return np.stack([self._known[key] for key in keys])


def _read(file: Path) -> dict[str, Scores]:
    try:
        with np.load(file, allow_pickle=False) as found:
            return dict(found)
    except (OSError, ValueError):
        return {}
