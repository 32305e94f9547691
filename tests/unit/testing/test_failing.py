"""Failing tests as findings: where they stand, what they weigh, and which of them are old."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.gates.novelty import classify
from gateline.model import Finding, Novelty, Origin, Problem, Span, Weight
from gateline.model.problem import Frame
from gateline.testing.failing import Outcomes, reports_of
from gateline.testing.result import Ending, Failure, Item, Result

ADD = "test_cart.py::test_add"
TESTS = ["def test_add():\n", "    cart = Cart()\n", "    assert total(cart) == 3\n"]
CODE = ["def total(cart):\n", "    return sum(cart.items)\n"]
ITEM = Item(ADD, "test_cart.py", 0, "test_add")
IN_TEST = Frame("test_cart.py", 2, "test_add", "assert total(cart) == 3")
IN_CODE = Frame("cart.py", 1, "total", "return sum(cart.items)")
IN_LIBRARY = Frame("/usr/lib/python3.11/lib.py", 7, "helper", "raise", ours=False)


def failed(
    *frames: Frame, test: str = ADD, said: str = "assert 4 == 3", ending: Ending = Ending.FAILED
) -> Result:
    problem = Problem(Origin.RUN, "AssertionError", said, frames=frames)
    return Result(test, ending, failure=Failure(problem, said))


def outcomes(*results: Result, **more: object) -> Outcomes:
    items = {
        r.id: replace(ITEM, id=r.id, function=r.id.rpartition("::")[2].partition("[")[0]) for r in results
    }
    known = Outcomes(items, results, lines={"test_cart.py": TESTS, "cart.py": CODE})
    return replace(known, **more)  # type: ignore[arg-type]


def found(outcomes: Outcomes) -> list[Finding]:
    return [finding for report in reports_of(outcomes).values() for finding in report.findings]


def test_a_failing_test_is_found_at_its_failing_line() -> None:
    (finding,) = found(outcomes(failed(IN_TEST)))
    assert (finding.code, finding.path, finding.weight) == ("GTL201", "test_cart.py", Weight.COUNTS)
    assert finding.span == Span.of(2, 4, 2, 27)
    assert finding.message == "test_add fails: assert 4 == 3"


def test_and_where_the_projects_code_raised_which_does_not_count_again() -> None:
    code, test = found(outcomes(failed(IN_TEST, IN_CODE, IN_LIBRARY)))
    assert (test.path, test.span.start.line, test.weight) == ("test_cart.py", 2, Weight.COUNTS)
    assert (code.path, code.span, code.weight) == ("cart.py", Span.of(1, 4, 1, 26), Weight.ADVICE)
    assert code.message == "test_add fails here: assert 4 == 3"
    assert [(place.path, place.span.start.line) for place in test.related] == [
        ("test_cart.py", 2),
        ("cart.py", 1),
    ]


def test_a_traceback_inside_the_test_file_says_the_line_of_the_test() -> None:
    helper = Frame("test_cart.py", 9, "check", "assert cart")
    (finding,) = found(outcomes(failed(IN_TEST, helper)))
    assert finding.span.start.line == 2


def test_without_a_traceback_the_test_itself_is_the_place() -> None:
    (finding,) = found(outcomes(failed(ending=Ending.TIMEOUT, said="")))
    assert finding.span == Span.of(0, 0, 0, 0)
    assert finding.message == "test_add exceeds its time limit: timeout"


def test_several_tests_that_fail_at_one_place_are_told_there_once() -> None:
    tests = [failed(IN_TEST, IN_CODE, test=f"test_cart.py::test_{n}") for n in range(5)]
    (place,) = [finding for finding in found(outcomes(*tests)) if finding.path == "cart.py"]
    assert place.message == "test_0, test_1, test_2 and 2 more fail here: assert 4 == 3"
    assert len(place.related) == 3


def test_one_that_passed_at_the_base_is_a_floor() -> None:
    (finding,) = found(outcomes(failed(IN_TEST), passed_before=frozenset({ADD})))
    assert finding.weight is Weight.FLOOR


def test_a_flaky_test_is_told_and_never_counts() -> None:
    (finding,) = found(outcomes(failed(IN_TEST), flaky=frozenset({ADD}), passed_before=frozenset({ADD})))
    assert (finding.code, finding.weight) == ("GTL202", Weight.ADVICE)


@pytest.mark.parametrize(
    ("ending", "run", "findings"),
    [
        (Ending.PASSED, 1, 0),
        (Ending.XFAILED, 1, 0),
        (Ending.XPASSED, 1, 0),
        (Ending.SKIPPED, 0, 0),
        (Ending.ERROR, 1, 1),
        (Ending.CRASHED, 1, 1),
    ],
)
def test_what_is_run_and_what_fails(ending: Ending, run: int, findings: int) -> None:
    reports = reports_of(outcomes(replace(failed(IN_TEST), ending=ending)))
    assert sum(int(m.value) for report in reports.values() for m in report.measures) == run
    assert sum(len(report.findings) for report in reports.values()) == findings


def test_one_that_failed_before_is_old_wherever_it_fails_now() -> None:
    before = found(outcomes(failed(IN_TEST, said="assert 5 == 3")))
    now = found(outcomes(failed(replace(IN_TEST, line=1)), failed(IN_TEST, test="test_cart.py::test_add[2]")))
    told = classify(before, now, {"test_cart.py": TESTS}, {"test_cart.py": TESTS}, {}).findings
    assert {f.line_text: f.novelty for f in told} == {ADD: Novelty.OLD, f"{ADD}[2]": Novelty.NEW}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "AssertionError: an empty cart\n  costs nothing\nassert 1 == 0\n +  where 1 = f()",
            "an empty cart costs nothing",
        ),
        ("AssertionError: assert 4 == 3\n +  where 4 = total(cart)", "assert 4 == 3"),
        ("ValueError: no price\n  for tea", "no price"),
    ],
    ids=["a message of the project's own", "none", "an error"],
)
def test_what_an_assertion_says_is_told_in_the_words_of_the_project(said: str, told: str) -> None:
    (finding,) = found(outcomes(failed(IN_TEST, said=said)))
    assert finding.message == f"test_add fails: {said.partition(':')[0]}: {told}"
