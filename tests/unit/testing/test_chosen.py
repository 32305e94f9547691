"""Why tests were chosen, in a few lines."""

from __future__ import annotations

import pytest

from gateline.testing.chosen import summary, told
from gateline.testing.reason import Cause, Reason
from gateline.testing.selection import Chosen

TOTAL = Reason(Cause.EXECUTES, "cart.py", "total")
FAILED = Reason(Cause.FAILED)
SAID = {
    "one": ([[TOTAL]], ["1 executes total in cart.py"]),
    "several": ([[TOTAL], [TOTAL]], ["2 execute total in cart.py"]),
    "twice for one test counts once": ([[TOTAL, TOTAL]], ["1 executes total in cart.py"]),
    "the commonest first": (
        [[TOTAL, FAILED], [TOTAL]],
        ["2 execute total in cart.py", "1 failed when it ran last"],
    ),
    "failed": ([[FAILED], [FAILED]], ["2 failed when they ran last"]),
    "asked": ([[Reason(Cause.ASKED)]] * 3, ["3 were asked for"]),
    "reads": ([[Reason(Cause.READS, "data.txt")]] * 2, ["2 read data.txt"]),
    "programs": ([[Reason(Cause.PROGRAMS, "a.py")]] * 2, ["2 start programs, which may use a.py"]),
    "new": (
        [[Reason(Cause.UNMEASURED, "a.py")]] * 2,
        ["2 import a.py, and were not measured yet"],
    ),
}


@pytest.mark.parametrize(("reasons", "said"), SAID.values(), ids=SAID)
def test_reasons(reasons: list[list[Reason]], said: list[str]) -> None:
    assert list(told(reasons)) == said


def test_five_reasons_are_named_and_the_rest_is_counted() -> None:
    reasons = [[Reason(Cause.READS, f"{n}.txt")] for n in range(9)]
    assert told(reasons)[-1] == "4 more reasons"
    assert len(told(reasons)) == 6
    assert len(told(reasons[:6])) == 6, "one more is told as well as counted"


def test_all_need_no_reasons() -> None:
    chosen = [Chosen("test_a", (TOTAL,))]
    assert summary("all", chosen, 7, 7).why == ()
    said = summary("affected", chosen, 1, 7, "too dear")
    assert (said.run, said.total, said.why, said.note) == (1, 7, ("1 executes total in cart.py",), "too dear")
