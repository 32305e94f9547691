"""A change that repairs a base that does not parse: what stands around the broken lines is compared."""

from __future__ import annotations

import pytest

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.integrity.inspection import with_integrity
from gateline.model import Dimension, Document, Evaluation, Level, Policy, Progress, State
from gateline.plugins import load_rules
from gateline_dev.corpora import reading
from gateline_dev.corpora.here import change_of

BROKEN = """\
def total(prices):
    result = 0
    for price in prices
        result += price
    return result


def double(value):
    return (2 * value
"""
REPAIRED = BROKEN.replace("in prices\n", "in prices:\n").replace("(2 * value", "2 * value")
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"


def judged(now: str, *, tests: tuple[str, str] = (TEST, TEST)) -> Evaluation:
    before, after = (
        {"shop.py": text, "tests/test_shop.py": test} for text, test in zip((BROKEN, now), tests, strict=True)
    )
    change = change_of(reading.Case("shop-1", "cheat", "any", "", before, after))
    unchanged = {"tests/test_shop.py": Document("tests/test_shop.py", TEST)} if tests[0] == tests[1] else {}
    case = Case(Policy(), Level.FINAL, Progress.SAID, change, around=unchanged)
    return judge(with_integrity(case, load_rules()))


def codes(evaluation: Evaluation) -> list[str]:
    return [f.code for f in evaluation.findings if f.dimension is Dimension.INTEGRITY]


def state(evaluation: Evaluation) -> State:
    (part,) = (part for part in evaluation.score.parts if part.dimension is Dimension.INTEGRITY)
    return part.state


def test_an_honest_repair_is_measured_and_clean() -> None:
    evaluation = judged(REPAIRED)
    assert (state(evaluation), codes(evaluation)) == (State.MEASURED, [])


@pytest.mark.parametrize(
    ("now", "code"),
    [
        (
            REPAIRED.replace(
                "    result = 0\n", "    if prices == [1, 2]:\n        return 3\n    result = 0\n"
            ),
            "GTL612",
        ),
        (REPAIRED.replace("    return 2 * value\n", "    pass\n"), "GTL614"),
    ],
)
def test_what_games_beside_or_in_the_broken_line_is_found(now: str, code: str) -> None:
    evaluation = judged(now)
    assert (state(evaluation), codes(evaluation)) == (State.MEASURED, [code])


def test_of_a_test_with_a_broken_line_nothing_is_known() -> None:
    evaluation = judged(REPAIRED, tests=(TEST.replace("== 3", "== = 3"), TEST))
    assert state(evaluation) is State.NO_DATA


def test_a_text_that_still_does_not_parse_is_not_compared() -> None:
    assert state(judged(BROKEN.replace("in prices\n", "in prices:\n"))) is State.NO_DATA
