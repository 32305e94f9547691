"""Which of the verified repairs is offered first, and whether it may be taken without a second look."""

from __future__ import annotations

from gateline.model import Origin, Proof, Repair
from gateline.repairs.result import DebugResult, Outcome

CLEAR = 0.5
"""How much likelier than the next the first must be, as a difference of costs."""

_LIKELY = 1.5
"""As a cost: about one time in five it is the right one."""


def chosen(result: DebugResult) -> Repair | None:
    """The repair that completed a successful run; None of one that gave up."""
    others = [other.repair for other in result.alternatives]
    verified = [a.repair for a in result.attempts if a.outcome is Outcome.VERIFIED and a.repair not in others]
    return verified[-1] if verified and result.success else None


def is_clear(result: DebugResult) -> bool:
    """Whether a run found one repair that is clearly likelier than all others which were verified.

    What only a type checker saw must be likely by itself, and no guess: much that is wrong contents it.
    """
    first = chosen(result)
    if first is None or result.proof is None:
        return False
    is_seen = result.proof is not Proof.V1 or result.problem.origin is Origin.PARSER
    is_likely = is_seen or (first.cost <= _LIKELY and not first.is_guess)
    return is_likely and all(other.repair.cost - first.cost >= CLEAR for other in result.alternatives)


def is_winner(result: DebugResult) -> bool:
    """Whether a repair may be written: clear, or borne out by tests and likelier than all others."""
    first = chosen(result)
    if first is None or result.proof is None:
        return False
    is_borne_out = result.proof is not Proof.V1
    likeliest = all(other.repair.cost > first.cost for other in result.alternatives)
    return is_clear(result) or (is_borne_out and likeliest)
