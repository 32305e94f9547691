"""How many pieces lie on the shelves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


class ShortageError(Exception):
    """There are not enough pieces."""

    def __init__(self, sku: str, wanted: int, available: int) -> None:
        super().__init__(f"{sku}: {wanted} wanted, {available} available")
        self.sku = sku


class Inventory:
    """Pieces by product number. Reservations are all or nothing."""

    def __init__(self, levels: Mapping[str, int]) -> None:
        self._levels = Counter(dict(levels))

    def available(self, sku: str) -> int:
        """How many pieces can still be reserved."""
        return self._levels[sku]

    def reserve(self, wanted: Mapping[str, int]) -> None:
        """Take pieces off the shelves. Raises ShortageError, and then takes none."""
        for sku, quantity in wanted.items():
            if quantity > self.available(sku):
                raise ShortageError(sku, quantity, self.available(sku))
        self._levels.subtract(wanted)

    def put_back(self, returned: Mapping[str, int]) -> None:
        """Put pieces on the shelves again."""
        self._levels.update(returned)

    def below(self, minimum: int) -> dict[str, int]:
        """The products of which fewer than `minimum` pieces are left."""
        return {sku: count for sku, count in sorted(self._levels.items()) if count < minimum}

    def levels(self) -> dict[str, int]:
        """All pieces, by product number."""
        return dict(sorted(self._levels.items()))
