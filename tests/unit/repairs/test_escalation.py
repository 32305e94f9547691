"""What is said of an error that could not be repaired, in short."""

from __future__ import annotations

from gateline.model import Diagnosis, Family, Frame, Origin, Position, Problem, Repair, Span
from gateline.repairs.escalation import summary
from gateline.repairs.result import Attempt, DebugResult, Outcome

TESTS = tuple(f"tests/test_box.py::test_put[{n}]" for n in range(180))
FRAMES = (Frame("tests/test_box.py", 15), Frame("src/box.py", 13))
PROBLEM = Problem(
    Origin.RUN,
    "NameError",
    "name 'label' is not defined\nand more",
    "src/box.py",
    Span(Position(13, 0), Position(14, 0)),
    FRAMES,
    tests=TESTS,
)


def attempt(title: str, cost: float, outcome: Outcome, reason: str) -> Attempt:
    diagnosis = Diagnosis(PROBLEM, Family.NAME, "typo")
    return Attempt(1, diagnosis, Repair(title, Family.NAME, "typo", (), cost), {}, outcome, reason)


def test_it_is_short_and_names_the_nearest_attempts() -> None:
    attempts = (
        attempt(
            "Change label to name", 0.2, Outcome.FAILED, "now the test fails with AssertionError: 1 == 2"
        ),
        *(attempt(f"Write {n}", 2.0 + n, Outcome.FAILED, "no") for n in range(50)),
        attempt("Write self.label", 1.0, Outcome.PARTIAL, "now the test fails with KeyError: 'box'"),
        attempt("Catch it", 0.1, Outcome.REFUSED, "an except"),
    )
    told = list(summary(DebugResult(PROBLEM, success=False, attempts=attempts)))
    assert told == [
        "not repaired: src/box.py:14: NameError: name 'label' is not defined",
        "  180 tests fail, first with it: tests/test_box.py::test_put[0]",
        "  52 repairs were tried. Nearest:",
        "    Write self.label: now the test fails with KeyError: 'box'",
        "    Change label to name: now the test fails with AssertionError: 1 == 2",
        "  1 repair would break a house rule",
        "  its caller: tests/test_box.py:16",
    ]
