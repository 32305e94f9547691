"""The house rules: what no repair may do, however well it works. Checked on texts, not on a family's word."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gateline.repairs.rule import Case, Protected, Refusal
from gateline.repairs.rules_of_code import CODE_RULES
from gateline.repairs.rules_of_deletion import DELETION_RULES
from gateline.repairs.rules_of_files import FILE_RULES
from gateline.repairs.rules_of_interface import INTERFACE_RULES

__all__ = ["RULES", "Case", "Protected", "Refusal", "refusals"]

RULES: tuple[Callable[[Case], Iterator[Refusal]], ...] = (
    *FILE_RULES,
    *INTERFACE_RULES,
    *CODE_RULES,
    *DELETION_RULES,
)


def refusals(case: Case) -> tuple[Refusal, ...]:
    """Every rule that a repair breaks; empty when it may be tried."""
    return tuple(refusal for rule in RULES for refusal in rule(case))
