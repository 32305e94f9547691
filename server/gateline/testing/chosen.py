"""Which tests spoke of a change, and why these: for people, in a few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gateline.model import TestRun
from gateline.testing.reason import Cause, Reason
from gateline.testing.selection import Chosen

_NAMED = 5
"""Reasons that are named, the commonest first."""
_PLURALS = {
    Cause.FAILED: "failed when they ran last",
    Cause.ASKED: "were asked for",
    Cause.NEW: "were never measured",
}


def summary(which: str, chosen: Sequence[Chosen], run: int, total: int, note: str = "") -> TestRun:
    """What was chosen of `total` tests, and how many of them ran."""
    why = told(one.reasons for one in chosen) if which == "affected" else ()
    return TestRun(which, run, total, why, note)


def told(reasons: Iterable[Iterable[Reason]]) -> tuple[str, ...]:
    """The commonest reasons, with the number of tests that each stands for."""
    counted = Counter(reason for each in reasons for reason in set(each))
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    named = [_said(reason, number) for reason, number in ordered[:_NAMED]]
    rest = len(ordered) - len(named)
    return (*named, f"{rest} more reasons") if rest > 1 else tuple(_said(*item) for item in ordered)


def _said(reason: Reason, number: int) -> str:
    if number == 1:
        return f"1 {reason}"
    return f"{number} {_PLURALS.get(reason.cause) or _plural(str(reason))}"


def _plural(text: str) -> str:
    """`executes total` of several is `execute total`."""
    verb, _, rest = text.partition(" ")
    return f"{verb.removesuffix('s')} {rest}".replace(", and was not", ", and were not")
