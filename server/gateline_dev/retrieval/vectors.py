"""Vectors of the transformer for a project, kept in the user's cache: they take minutes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import numpy as np

from gateline.context.segment import Scores
from gateline_dev.bench.environments import CACHE
from gateline_dev.retrieval.minilm import MiniLM

_AT_ONCE = 512
Tell = Callable[[str], None]


class Vectors:
    """Vectors by text, for one length of texts."""

    def __init__(self, model: MiniLM, most: int, tell: Tell) -> None:
        """`most` is in pieces of words."""
        self._model, self._most, self._tell = model, most, tell
        self._file = CACHE / "vectors" / f"minilm-{most}.npz"
        self._known: dict[bytes, Scores] = {}
        if self._file.exists():
            with np.load(self._file, allow_pickle=False) as stored:
                keys = stored["keys"].tobytes()
                rows = stored["vectors"].astype(np.float32)
            self._known = {keys[16 * n : 16 * n + 16]: row for n, row in enumerate(rows)}

    def of(self, texts: Sequence[str]) -> Scores:
        """A row for each text."""
        keys = [blake2b(text.encode(), digest_size=16).digest() for text in texts]
        missing = iter(
            {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}.items()
        )
        while batch := dict(islice(missing, _AT_ONCE)):
            made = self._model.vectors(list(batch.values()), self._most)
            self._known.update(zip(batch, made, strict=True))
            self._tell(f"{len(self._known)} vectors of {self._most} pieces")
            self._save()
        return np.stack([self._known[key] for key in keys])

    def _save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part: Path = self._file.with_suffix(".part.npz")
        keys = np.frombuffer(b"".join(self._known), np.uint8)
        np.savez(part, keys=keys, vectors=np.stack(list(self._known.values())).astype(np.float16))
        part.replace(self._file)
