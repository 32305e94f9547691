"""Which of the verified repairs is offered first, and whether it may be taken without a second look."""

from __future__ import annotations

from gateline.model import Repair
from gateline.repairs.result import DebugResult, Outcome

_CLEAR = 0.5
"""How much likelier than the next the first must be, as a difference of costs."""


def chosen(result: DebugResult) -> Repair | None:
    """The repair that completed a successful run; None of one that gave up."""
    others = [other.repair for other in result.alternatives]
    verified = [a.repair for a in result.attempts if a.outcome is Outcome.VERIFIED and a.repair not in others]
    return verified[-1] if verified and result.success else None


def is_clear(result: DebugResult) -> bool:
    """Whether a run found one repair that is clearly likelier than all others which were verified."""
    first = chosen(result)
    return first is not None and all(
        other.repair.cost - first.cost >= _CLEAR for other in result.alternatives
    )
