"""Texts as rows of pieces of words. The tokenizer's file says to pad to 128 pieces: that is switched off."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gateline.services.embedding.weights import MissingModelError

if TYPE_CHECKING:
    from gateline.services.embedding.bert import Numbers

LONGEST = 256
"""Pieces of a text that are read: what the model was trained on."""


class Pieces:
    """The tokenizer of a model."""

    def __init__(self, folder: Path) -> None:
        """Raises MissingModelError when the library, or the file, cannot be used."""
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingModelError("tokenizers is not installed: pip install 'gateline[semantic]'") from None
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # noqa: BLE001 - the library raises bare exceptions
            raise MissingModelError(f"{folder / 'tokenizer.json'} cannot be read: {error}") from None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)

    def rows(self, texts: Sequence[str]) -> list[list[int]]:
        """The pieces of each text."""
        if len(texts) == 1:
            # A question: to wake the threads of a batch takes longer than to read it.
            return [list(self._tokenizer.encode(texts[0]).ids)]
        return [list(found.ids) for found in self._tokenizer.encode_batch(list(texts))]


def padded(rows: Sequence[Sequence[int]]) -> tuple[Numbers, Numbers]:
    """Rows of one length, filled up with zeros, and what counts of them."""
    longest = max(map(len, rows))
    numbers = np.zeros((len(rows), longest), np.int64)
    mask = np.zeros((len(rows), longest), np.int64)
    for number, row in enumerate(rows):
        numbers[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return numbers, mask
