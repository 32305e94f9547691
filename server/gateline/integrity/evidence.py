"""What every rule of integrity is given: both sides, the product, and what the tests lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from gateline.integrity.change_view import Both
from gateline.integrity.explanations.explanation import Ledger
from gateline.integrity.product.diff import Product
from gateline.integrity.strength.loss import Loss
from gateline.integrity.strength.losses import losses
from gateline.model.finding import Finding


@dataclass(frozen=True)
class Evidence:
    """A change, and what follows from it; each thing is worked out once."""

    both: Both
    ledger: Ledger = field(default_factory=Ledger)
    """What explanations said."""

    @cached_property
    def product(self) -> Product:
        """The product on both sides."""
        return Product(self.both)

    @cached_property
    def losses(self) -> list[Loss]:
        """What tests no longer say."""
        return losses(self.both, self.product, self.ledger)

    def findings_of(self, finder: Callable[[Evidence], Iterable[Finding]]) -> tuple[Finding, ...]:
        """All findings of a finder that several rules share; it runs once a change."""
        if finder not in self._found:
            self._found[finder] = tuple(finder(self))
        return self._found[finder]

    @cached_property
    def _found(self) -> dict[object, tuple[Finding, ...]]:
        return {}
