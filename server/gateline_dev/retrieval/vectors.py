"""Vectors of the transformer, kept in the user's cache: they take minutes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import islice

import numpy as np

from gateline.context.arrays import Scores
from gateline.session.context.vectors import Vectors as Kept
from gateline_dev.bench.environments import CACHE
from gateline_dev.retrieval.minilm import MiniLM

_AT_ONCE = 2_048
Tell = Callable[[str], None]


class Vectors:
    """Vectors by text; of long texts the beginning counts."""

    def __init__(self, model: MiniLM, tell: Tell, longest: int = 1_000) -> None:
        """`longest` is in characters."""
        self._model, self._tell, self._longest = model, tell, longest
        digest = blake2b(model.name.encode(), digest_size=6).hexdigest()
        self._kept = Kept(CACHE / "vectors" / f"minilm-{digest}.sqlite", model.name, most=1_000_000)
        self._known: dict[str, Scores] = {}

    def of(self, texts: Sequence[str]) -> Scores:
        """A row for each text."""
        cut = [text[: self._longest] for text in texts]
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() for text in cut]
        wanted = {key: text for key, text in zip(keys, cut, strict=True) if key not in self._known}
        self._known |= self._kept.get(wanted)
        self._make({key: text for key, text in wanted.items() if key not in self._known})
        return np.stack([self._known[key] for key in keys])

    def _make(self, missing: dict[str, str]) -> None:
        """Texts of like length together: filling short ones up costs as much as reading them."""
        waiting = iter(sorted(missing.items(), key=lambda pair: len(pair[1])))
        done = 0
        while batch := dict(islice(waiting, _AT_ONCE)):
            made = self._model.vectors(list(batch.values())).astype(np.float16)
            self._kept.put({key: row.tobytes() for key, row in zip(batch, made, strict=True)})
            self._known.update(zip(batch, made.astype(np.float32), strict=True))
            done += len(batch)
            self._tell(f"{done} of {len(missing)} vectors")
