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
    return (value * 2
"""
REPAIRED = BROKEN.replace("in prices\n", "in prices:\n").replace("(value * 2", "value * 2")
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"


def judged(now: str, *, tests: tuple[str, str] = (TEST, TEST)) -> Evaluation:
    before, after = (
        {"shop.py": text, "tests/test_shop.py": test} for text, test in zip((BROKEN, now), tests, strict=True)
    )
    change = change_of(reading.Case("shop-1", "cheat", "any", "", before, after))
    unchanged = (
        {"tests/test_shop.py": Document("tests/test_shop.py", tests[0])} if tests[0] == tests[1] else {}
    )
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
        (REPAIRED.replace("    return value * 2\n", "    pass\n"), "GTL614"),
    ],
)
def test_what_games_beside_or_in_the_broken_line_is_found(now: str, code: str) -> None:
    evaluation = judged(now)
    assert (state(evaluation), codes(evaluation)) == (State.MEASURED, [code])


FARES = """\
def fare(day):
    if day == "sat":
        return 0
    return len(day)
"""
TEST_OF_FARES = 'from shop import fare\n\n\ndef test_fare():\n    assert fare("sat") == 0\n'


@pytest.mark.parametrize(
    ("mended", "broken", "known"),
    [
        ('"sat":', '"sat"', State.MEASURED),
        ("(day):", "(day)", State.MEASURED),
        ('if day == "sat":', 'if (day == "sat":', State.NO_DATA),
        ("return 0", "return (0", State.NO_DATA),
        ("return len(day)", "return len(day  # type: ignore[arg-type]", State.NO_DATA),
    ],
)
def test_what_stood_in_the_broken_line_is_not_new(
    mended: str, broken: str, known: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "BROKEN", FARES.replace(mended, broken))
    evaluation = judged(FARES, tests=(TEST_OF_FARES, TEST_OF_FARES))
    assert (state(evaluation), codes(evaluation)) == (known, [])


def test_of_a_test_with_a_broken_line_nothing_is_known() -> None:
    evaluation = judged(REPAIRED, tests=(TEST.replace("== 3", "== = 3"), TEST))
    assert state(evaluation) is State.NO_DATA


def test_a_text_that_still_does_not_parse_is_not_compared() -> None:
    assert state(judged(BROKEN.replace("in prices\n", "in prices:\n"))) is State.NO_DATA
