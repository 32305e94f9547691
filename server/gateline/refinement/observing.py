"""What a loop that has ended tells of supervision: whether it was warned of early, and what was adjusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from gateline.refinement.state import Kind, LoopState, Round

_WARNINGS = frozenset({"fast-fail", "warn-below-target", "adjust-strategy"})
_NEGATIVE = "negative trajectory"


def early_warning(state: LoopState) -> str:
    """Whether the middle checkpoint warned, against how the loop ended: `tp`, `fp`, `fn` or `tn`.

    Empty where there was no such checkpoint, or a person ended it.
    """
    middle = next((one.verdict for one in state.rounds if one.verdict.checkpoint == "middle"), None)
    if middle is None or state.ended is None or state.ended.kind in (Kind.CANCELLED, Kind.UNDECIDED):
        return ""
    warned = middle.decision in _WARNINGS or middle.trajectory == _NEGATIVE
    failed = state.ended.kind is not Kind.ACCEPT
    return {(True, True): "tp", (True, False): "fp", (False, True): "fn", (False, False): "tn"}[
        warned, failed
    ]


def is_taken(done: Round, state: LoopState) -> bool:
    """Whether what an agent did in a round was good: its step's gate, or the whole loop, took it."""
    if state.steps:
        return done.sufficient
    end = state.ended
    return end is not None and end.kind is Kind.ACCEPT and end.tree == done.tree


def adjustments(state: LoopState) -> Mapping[str, int]:
    """How often a loop went on otherwise: `restored` content, another `agent` or `strategy`."""
    found: Counter[str] = Counter()
    for before, now in zip(state.rounds, state.rounds[1:], strict=False):
        found["restored"] += now.start != before.tree
        found["agent"] += now.way.agent != before.way.agent
        found["strategy"] += now.way.agent == before.way.agent and now.way.strategy != before.way.strategy
    return +found
