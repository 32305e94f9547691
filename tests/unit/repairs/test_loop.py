"""The loop, with a family and verdicts made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from gateline.model import (
    Diagnosis,
    Edit,
    Family,
    Frame,
    Knowledge,
    Origin,
    Place,
    Problem,
    Proof,
    Question,
    Repair,
    Repairer,
    Span,
)
from gateline.repairs.budget import Budget
from gateline.repairs.escalation import document
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Suite, Trial, Verdict
from gateline.repairs.result import DebugResult, Outcome
from gateline.repairs.texts import Texts

PATH = "shop.py"
Rewrites = dict[str, list[tuple[str, float]]]


def problem(line: int = 0, message: str = "wrong", **more: object) -> Problem:
    return Problem(Origin.RUN, "OddError", message, PATH, Span.of(line, 0, line, 1), **more)  # type: ignore[arg-type]


def replacing(rewrites: Rewrites) -> Repairer:
    """A family that replaces the line of a problem by what the table says, one cost each."""

    def diagnose(told: Problem, knowledge: Knowledge) -> Diagnosis:
        assert told.span
        return Diagnosis(told, Family.TYPE, "odd", "even", "odd", (Place(told.path, told.span),))

    def propose(question: Question) -> Iterator[Repair]:
        line = question.problem.line
        text = (question.knowledge.text(PATH) or "").splitlines()[line]
        for new, cost in rewrites.get(text, []):
            edit = Edit(PATH, Span.of(line, 0, line, len(text)), new)
            yield Repair(f"Write {new}", Family.TYPE, "odd", (edit,), cost)

    return Repairer("odd", frozenset({"OddError"}), diagnose, propose)


def crashing(question: Question) -> Iterator[Repair]:
    raise RuntimeError("a family that is broken")


def judged(trial: Trial) -> Verdict:
    """Every line must be even; a line of letters does not parse."""
    rows = trial.texts[PATH].splitlines()
    if not all(row.isdigit() for row in rows):
        return Verdict(parses=False, gone=False)
    odd = tuple(problem(n) for n, row in enumerate(rows) if int(row) % 2)
    return Verdict(True, all(p.line != trial.problem.line for p in odd), remaining=odd)


def run(
    text: str,
    rewrites: Rewrites,
    verify: Callable[[Trial], Verdict] = judged,
    now: Callable[[], float] = lambda: 0.0,
    **limits: int,
) -> DebugResult:
    job = Job(Texts({PATH: text}), [replacing(rewrites)], lambda path: False, Budget(now, **limits))
    return drive(debug(problem(), job), verify)


def test_the_likeliest_repair_that_is_verified_wins() -> None:
    result = run("1\n", {"1": [("7", 1.0), ("2", 3.0), ("4", 2.0)]})
    assert (result.success, result.proof, result.texts) == (True, Proof.V1, {PATH: "4\n"})
    assert [(a.repair.title, a.outcome) for a in result.attempts] == [
        ("Write 7", Outcome.FAILED),
        ("Write 4", Outcome.VERIFIED),
    ]
    assert result.edits == (Edit(PATH, Span.of(0, 0, 0, 1), "4"),)


def test_what_remains_is_repaired_in_the_next_iteration() -> None:
    result = run("1\n3\n5\n", {"1": [("2", 1)], "3": [("4", 1)], "5": [("6", 1)]})
    assert (result.success, result.iterations, result.texts) == (True, 3, {PATH: "2\n4\n6\n"})
    assert len(result.edits) == 1


def test_it_stops_after_five_iterations_and_changes_nothing() -> None:
    text = "".join(f"{n}\n" for n in range(1, 20, 2))
    result = run(text, {str(n): [(str(n + 1), 1)] for n in range(1, 20, 2)})
    assert (result.success, result.iterations, result.edits, result.texts) == (False, 5, (), None)


def test_what_breaks_a_house_rule_is_never_verified() -> None:
    tried = []

    def verify(trial: Trial) -> Verdict:
        tried.append(trial.repair.title)
        return Verdict(parses=True, gone=True)

    result = run("f(x)\n", {"f(x)": [("f(x)  # type: ignore", 1), ("f(1)", 2)]}, verify)
    assert tried == ["Write f(1)"]
    assert [a.outcome for a in result.attempts] == [Outcome.REFUSED, Outcome.VERIFIED]


def test_no_candidate_means_escalation() -> None:
    result = run("1\n", {})
    assert (result.success, result.attempts) == (False, ())
    assert "no repair of this error is known" in document(result)


def test_the_document_tells_every_attempt_with_its_difference_and_reason() -> None:
    result = run("1\n", {"1": [("7", 1), ("x = 1  # noqa", 2)]})
    told = document(result)
    assert "# Not repaired: OddError" in told
    assert "+7" in told
    assert "Iteration 1, failed: the problem is still reported" in told
    assert "Iteration 1, refused: shop.py: a repair must not add a comment that silences a checker" in told


def test_time_ends_the_loop() -> None:
    clock = iter([0.0, 1.0, 1.0, 2.0, 11.0])
    result = run("1\n", {"1": [("7", 1), ("9", 2), ("2", 3)]}, now=lambda: next(clock, 11.0))
    assert (result.success, result.late, len(result.attempts)) == (False, True, 1)
    assert "The time was over" in document(result)


def test_of_what_a_checker_reports_attempts_are_counted_in_each_iteration() -> None:
    family = replacing({"1": [(str(n), n / 20) for n in range(3, 40, 2)]})
    budget = Budget(lambda: 0.0, attempts=4)
    job = Job(Texts({PATH: "1\n"}), [family], lambda path: False, budget)
    result = drive(debug(replace(problem(), origin=Origin.TYPES), job), judged)
    assert len(result.attempts) == 4


def test_what_tests_judge_is_tried_as_long_as_there_is_time() -> None:
    """First what attempts led on to; then the candidates that were not tried."""
    verdicts: list[str] = []

    def verify(trial: Trial) -> Verdict:
        verdicts.append(trial.texts[PATH].strip())
        if trial.texts[PATH] == "5\n":
            return Verdict(True, True, remaining=(problem(0, "another"),))
        return judged(trial)

    rewrites: Rewrites = {"1": [("3", 1), ("5", 2), ("7", 3), ("2", 4)], "5": [("9", 1)]}
    result = run("1\n", rewrites, verify, attempts=2)
    assert (result.texts, verdicts) == ({PATH: "2\n"}, ["3", "5", "9", "7", "2"])


def test_alternatives_are_verified_when_they_are_asked_for() -> None:
    rewrites: Rewrites = {"1": [("2", 1), ("4", 2), ("6", 3), ("8", 4)]}
    assert run("1\n", rewrites).alternatives == ()
    result = run("1\n", rewrites, alternatives=2)
    assert [v.repair.title for v in result.alternatives] == ["Write 4", "Write 6"]
    assert result.texts == {PATH: "2\n"}


def test_a_partial_repair_that_leads_nowhere_is_given_up_for_the_next() -> None:
    rewrites: Rewrites = {"1\n5": [], "5": [("6", 1)], "1": [("9", 1), ("2", 2)]}

    def verify(trial: Trial) -> Verdict:
        rows = trial.texts[PATH].splitlines()
        if rows[0] == "9":
            return Verdict(True, True, remaining=(problem(0, "a dead end"),))
        return judged(trial)

    result = run("1\n5\n", rewrites, verify)
    assert (result.success, result.texts) == (True, {PATH: "2\n6\n"})


def test_a_repair_with_which_the_run_comes_less_far_is_the_last_to_go_on_from() -> None:
    rewrites: Rewrites = {"1": [("9", 0.5), ("2", 1)], "5": [("6", 1)], "7": [("8", 1)]}
    calls = (Frame(PATH, 0, "outer"), Frame(PATH, 1, "inner"))

    def verify(trial: Trial) -> Verdict:
        rows = trial.texts[PATH].splitlines()
        if rows[1:] == ["2", "8"]:
            return Verdict(True, True, tests=Suite.PASSED, mended=True)
        at = 0 if rows[1] == "9" else 2
        rest = (problem(at, "another", frames=calls[:1]),)
        return Verdict(True, True, remaining=rest, tests=Suite.FAILED)

    budget = Budget(lambda: 0.0, iterations=2)
    job = Job(Texts({PATH: "5\n1\n7\n"}), [replacing(rewrites)], lambda path: False, budget)
    result = drive(debug(problem(1, frames=calls), job), verify)
    assert result.texts == {PATH: "5\n2\n8\n"}


def test_after_a_repair_that_leaves_tests_failing_others_are_tried() -> None:
    def verify(trial: Trial) -> Verdict:
        failing = 0 if trial.texts[PATH] == "6\n" else 2
        return Verdict(True, True, tests=Suite.PASSED, mended=True, failing=failing)

    rewrites: Rewrites = {"1": [("2", 1), ("4", 2), ("6", 3), ("8", 4)]}
    result = run("1\n", rewrites, verify)
    assert result.texts == {PATH: "6\n"}
    assert [v.repair.title for v in result.alternatives] == ["Write 2", "Write 4"]


def test_a_better_proof_comes_first() -> None:
    def verify(trial: Trial) -> Verdict:
        return Verdict(True, True, tests=Suite.PASSED, mended=trial.texts[PATH] == "4\n")

    result = run("1\n", {"1": [("2", 1), ("4", 2)]}, verify, alternatives=1)
    assert (result.proof, result.texts) == (Proof.V3, {PATH: "4\n"})
    assert [v.proof for v in result.alternatives] == [Proof.V2]


def test_beside_what_tests_bear_out_only_what_is_about_as_likely_is_verified() -> None:
    """Else it makes no difference whether it holds: a run of the tests for nothing."""
    tried = []

    def verify(trial: Trial) -> Verdict:
        tried.append(trial.texts[PATH])
        return Verdict(True, True, tests=Suite.PASSED, mended=trial.texts[PATH] != "0\n")

    run("1\n", {"1": [("2", 1), ("4", 1.6), ("6", 2)]}, verify, alternatives=1)
    run("1\n", {"1": [("2", 1), ("4", 1.4), ("6", 2)]}, verify, alternatives=1)
    assert tried == ["2\n", "2\n", "4\n"]
    del tried[:]
    # What is not borne out may be less likely, and still be worse than the next.
    run("1\n", {"1": [("0", 1), ("4", 1.6), ("6", 2)]}, verify, alternatives=1)
    assert tried == ["0\n", "4\n"]


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(parses=False, gone=True),
        Verdict(parses=True, gone=False),
        Verdict(parses=True, gone=True, added=(problem(3),)),
        Verdict(parses=True, gone=True, tests=Suite.FAILED),
    ],
)
def test_nothing_else_counts_as_verified(verdict: Verdict) -> None:
    assert not run("1\n", {"1": [("2", 1)]}, lambda trial: verdict).success


def test_a_family_that_crashes_loses_only_its_own_repairs() -> None:
    broken = Repairer("broken", frozenset({"OddError"}), replacing({}).diagnose, crashing)
    job = Job(
        Texts({PATH: "1\n"}),
        [broken, replacing({"1": [("2", 1)]})],
        lambda path: False,
        Budget(lambda: 0.0),
    )
    assert drive(debug(problem(), job), judged).success


def test_the_cause_is_repaired_when_nothing_is_known_of_the_error_itself() -> None:
    outer = Problem(Origin.RUN, "StrangeError", "follows", PATH, Span.of(0, 0, 0, 1), cause=problem())
    job = Job(Texts({PATH: "1\n"}), [replacing({"1": [("2", 1)]})], lambda path: False, Budget(lambda: 0.0))
    assert drive(debug(outer, job), judged).success


def test_one_pattern_is_not_tried_over_and_over() -> None:
    tried: list[str] = []

    def propose(question: Question) -> Iterator[Repair]:
        edit = Edit(PATH, Span.of(0, 0, 0, 1), "")
        for new, pattern, cost in (("3", "a", 1.0), ("5", "a", 1.01), ("7", "a", 1.02), ("9", "b", 1.1)):
            yield Repair(new, Family.NAME, pattern, (replace(edit, text=new),), cost)

    def failed(trial: Trial) -> Verdict:
        tried.append(trial.repair.title)
        return Verdict(parses=True, gone=False)

    family = replace(replacing({}), propose=propose)
    job = Job(Texts({PATH: "1\n"}), [family], lambda path: False, Budget(lambda: 0.0))
    drive(debug(problem(), job), failed)
    assert tried == ["3", "9", "5", "7"]


def test_a_cost_below_nothing_puts_no_family_before_one_that_is_sure() -> None:
    tried: list[str] = []

    def failed(trial: Trial) -> Verdict:
        tried.append(trial.repair.title)
        return Verdict(parses=True, gone=False)

    families = [replacing({"1": [("2", 0.0)]}), replacing({"1": [("4", -0.5), ("6", -0.7), ("8", 0.05)]})]
    job = Job(Texts({PATH: "1\n"}), families, lambda path: False, Budget(lambda: 0.0))
    drive(debug(problem(), job), failed)
    assert tried == ["Write 2", "Write 6", "Write 4", "Write 8"]


def test_half_of_the_time_is_for_going_on() -> None:
    ticks = iter(range(1000))
    # The first leads on; the others of its iteration must not use up the time of the next one.
    wrong = [(f"{n}", 2.0 + n) for n in range(13, 99, 2)]
    result = run(
        "1\n1\n", {"1": [("2", 1.0), *wrong]}, now=lambda: float(next(ticks)), seconds=40, attempts=60
    )
    assert (result.success, result.texts) == (True, {PATH: "2\n2\n"})
