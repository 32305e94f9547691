"""A change that repairs a base that does not parse: it is compared with the base's likeliest repair."""

from __future__ import annotations

import pytest

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.integrity.file_roles import is_product
from gateline.integrity.inspection import with_integrity
from gateline.model import Dimension, Document, Evaluation, Level, Policy, Progress, State
from gateline.plugins import load_rules
from gateline.repairs.syntax.judge import failure_of
from gateline_dev.autodebug.cases import Case as Broken
from gateline_dev.corpora import reading
from gateline_dev.corpora.here import change_of
from support.visible_corpus import visible_cases

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
    ("mended", "broken"),
    [
        ('"sat":', '"sat"'),
        ("(day):", "(day)"),
        ('if day == "sat":', 'if (day == "sat":'),
        ('day == "sat"', 'day = "sat"'),
        ("return 0", "return (0"),
        ("return len(day)", "return len(day  # type: ignore[arg-type]"),
    ],
)
def test_what_stood_in_the_broken_line_is_not_new(
    mended: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "BROKEN", FARES.replace(mended, broken))
    evaluation = judged(FARES, tests=(TEST_OF_FARES, TEST_OF_FARES))
    assert (state(evaluation), codes(evaluation)) == (State.MEASURED, [])


def test_of_a_test_with_a_broken_line_nothing_is_known() -> None:
    evaluation = judged(REPAIRED, tests=(TEST.replace("== 3", "== = 3"), TEST))
    assert state(evaluation) is State.NO_DATA


def test_of_what_never_was_python_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "BROKEN", "<html><body class='x'>\n<p>it's</p>\n</body></html>\n")
    assert state(judged(REPAIRED)) is State.NO_DATA


def test_a_text_that_still_does_not_parse_is_not_compared() -> None:
    assert state(judged(BROKEN.replace("in prices\n", "in prices:\n"))) is State.NO_DATA


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_intact_texts_of_the_visible_corpus_are_blamed_for_nothing() -> None:
    unknown = []
    broken = [case for case in visible_cases() if case.intact and _is_broken(case)]
    assert len(broken) >= 100
    for case in broken:
        changed = {path for path, text in case.texts.items() if case.intact.get(path, text) != text}
        before, after = ({path: side[path] for path in changed} for side in (case.texts, case.intact))
        change = change_of(reading.Case(case.name, "twin", "any", "", before, after))
        around = {path: Document(path, text) for path, text in case.texts.items() if path.endswith(".py")}
        asked = Case(Policy(), Level.FINAL, Progress.SAID, change, around=around)
        evaluation = judge(with_integrity(asked, load_rules()))
        assert codes(evaluation) == [], case.name
        unknown += [case.name] if state(evaluation) is not State.MEASURED else []
    assert len(unknown) <= 0.1 * len(broken), unknown


def _is_broken(case: Broken) -> bool:
    path = case.problem.path
    return is_product(path) and failure_of(case.texts[path]) is not None
