"""The policy of a refinement loop: what follows from a history, for all histories."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gateline.refinement.feedback import feedback
from gateline.refinement.policy import (
    at_middle,
    best_of,
    checkpoint_of,
    is_acceptable,
    next_step,
    qualities,
    quality_of,
    smoothed,
)
from gateline.refinement.state import Failing, Kind, LoopState, Round, Rules, Verdict, Way, loaded, plain

WAYS = (Way("one", "plain"), Way("one", "bold"), Way("two"))
STANDARD = Rules()
FOUR = tuple(Failing(f"tests/test_a.py::test_{n}", "NameError: x") for n in range(4))
BROKEN = Verdict("require-iteration", 90.0, passed=6, failing=FOUR)
GOOD = Verdict("accept", 96.0, passed=10)


def failing(count: int, passed: int = 10, error: str = "NameError: x", **more: object) -> Verdict:
    rows = tuple(Failing(f"tests/test_a.py::test_{n}", error) for n in range(count))
    return replace(Verdict("require-iteration", 90.0, passed=passed - count, failing=rows), **more)


def state(
    *verdicts: Verdict, start: Verdict = BROKEN, rules: Rules = STANDARD, ways: tuple[Way, ...] = WAYS
) -> LoopState:
    """A loop that follows the policy, and in which rounds come to these verdicts."""
    now = LoopState("loop", "make it work", ways, "base", "tree-0", rules, start)
    for number, verdict in enumerate(verdicts, 1):
        step = next_step(now)
        if step.is_end:
            break
        done = Round(number, step.way, step.tree, f"tree-{number}", verdict)
        now = replace(now, rounds=(*now.rounds, done))
    return now


def test_first_looks_then_works() -> None:
    assert next_step(replace(state(), start=None)).kind is Kind.VERIFY
    step = next_step(state())
    assert (step.kind, step.way, step.tree) == (Kind.RUN, WAYS[0], "tree-0")


def test_a_good_content_is_accepted_at_once() -> None:
    assert next_step(state(GOOD)).kind is Kind.ACCEPT
    assert next_step(state(GOOD)).tree == "tree-1"


def test_a_test_that_is_gone_is_not_passed() -> None:
    one_of_many = replace(failing(1, passed=200), outcome="accept")
    hidden = Verdict("accept", 100.0, passed=199)
    found = state(hidden, start=one_of_many)
    assert quality_of(hidden, found.total) > STANDARD.accept
    assert next_step(found).kind is not Kind.ACCEPT
    assert "1 of 200 tests are not run any more: have them run, and pass." in feedback(found)
    assert next_step(state(replace(hidden, passed=200), start=one_of_many)).kind is Kind.ACCEPT


def test_at_the_middle_old_failures_count_in_a_loop() -> None:
    assert at_middle("continue", failing(2), STANDARD, 10) == "adjust-strategy"
    assert at_middle("continue", failing(1), STANDARD, 10) == "continue"
    assert at_middle("continue", replace(GOOD, passed=8), STANDARD, 10) == "adjust-strategy"
    assert at_middle("continue", replace(GOOD, score=50.0), STANDARD, 10) == "warn-below-target"
    assert at_middle("fast-fail", failing(2), STANDARD, 10) == "fast-fail"


def test_what_was_gamed_is_told_though_its_content_was_given_up() -> None:
    gamed = replace(GOOD, integrity=tuple(f"t.py:{n}: GTL602 skipped" for n in range(5)))
    found = state(gamed)
    assert next_step(found).reason == "it games the gate: back to round 0"
    told = feedback(found)
    assert "Round 1 is not accepted: t.py:0: GTL602 skipped" in told
    assert "Round 1 has 2 more such findings." in told


def test_what_is_right_already_needs_no_round() -> None:
    fine = Verdict("accept", None, passed=3, unchanged=True)
    assert next_step(state(start=fine)).kind is Kind.ACCEPT


def test_a_floor_or_a_gamed_gate_is_never_accepted() -> None:
    for bad in (replace(GOOD, floors=("a test fails",)), replace(GOOD, integrity=("GTL602",)), failing(1)):
        assert next_step(state(bad)).kind is Kind.RUN


def test_what_lacks_something_where_it_runs_does_not_count() -> None:
    excused = replace(GOOD, failing=(Failing("t", "FileNotFoundError: msgfmt", excused="no msgfmt"),))
    assert next_step(state(excused)).kind is Kind.ACCEPT


def test_who_brings_progress_goes_on() -> None:
    step = next_step(state(failing(4), failing(2)))
    assert (step.kind, step.way) == (Kind.RUN, WAYS[1])


def test_another_error_of_the_same_tests_is_progress() -> None:
    step = next_step(state(failing(4, error="TypeError: y")))
    assert (step.way, step.restored) == (WAYS[0], False)


def test_the_same_failures_after_every_way_stop_the_loop() -> None:
    stuck = state(*[failing(4)] * 9)
    assert (next_step(stuck).kind, len(stuck.rounds)) == (Kind.NO_PROGRESS, 3)
    alone = state(*[failing(4)] * 9, ways=WAYS[:1])
    assert (next_step(alone).kind, len(alone.rounds)) == (Kind.NO_PROGRESS, 2)


def test_a_round_that_makes_it_worse_is_gone_back_behind() -> None:
    step = next_step(state(failing(3), failing(8)))
    assert (step.tree, step.restored) == ("tree-1", True)
    assert step.way == WAYS[2], "another agent takes its turn"
    kept = next_step(state(failing(3), failing(8), rules=Rules(adjust=False)))
    assert (kept.tree, kept.restored) == ("tree-2", False)


def test_a_negative_trajectory_goes_back_and_changes_the_agent() -> None:
    fell = failing(3, trajectory="negative trajectory", delta=-12.0, checkpoint="middle")
    step = next_step(state(failing(2), fell))
    assert (step.tree, step.way) == ("tree-1", WAYS[2])


def test_excellent_progress_asks_for_no_more() -> None:
    risen = Verdict("conditional-accept", 75.0, passed=10, trajectory="excellent progress", delta=40.0)
    assert next_step(state(risen)).kind is Kind.ACCEPT
    assert next_step(state(replace(risen, trajectory="steady"))).kind is Kind.RUN
    assert next_step(state(replace(risen, floors=("a floor",)))).kind is Kind.RUN
    assert next_step(state(replace(risen, passed=9))).kind is Kind.RUN, "a test is not run any more"


def test_what_could_not_be_measured_ends_it_undecided_once_nothing_else_is_wrong() -> None:
    unsure = Verdict("undecided", 96.0, passed=10, reasons=("integrity was not measured",))
    step = next_step(state(unsure))
    assert (step.kind, step.tree) == (Kind.UNDECIDED, "tree-1")
    assert step.reason.endswith("but integrity was not measured")
    for wrong in (failing(1, outcome="undecided"), replace(unsure, score=80.0), replace(unsure, passed=0)):
        assert next_step(state(wrong)).kind is Kind.RUN


def test_quality_that_stays_high_ends_it_though_the_gate_accepts_none() -> None:
    refused = Verdict("require-iteration", 98.0, passed=10)
    assert next_step(state(refused)).kind is Kind.EARLY_STOP
    assert next_step(state(replace(refused, score=94.0))).kind is Kind.RUN


def test_a_fast_fail_ends_it() -> None:
    broken = failing(3, decision="fast-fail", checkpoint="early")
    assert next_step(state(failing(2), broken)).kind is Kind.FAST_FAIL
    assert next_step(state(failing(2), broken)).tree == "tree-1"
    assert next_step(state(broken, rules=Rules(checkpoints=False))).kind is Kind.RUN


def test_budgets_are_kept() -> None:
    used = state(failing(3))
    used = replace(used, rounds=(replace(used.rounds[0], seconds=9.0, tokens=100, cost=2.5),))
    for rules in (Rules(seconds=9.0), Rules(tokens=100), Rules(cost=2.0)):
        assert next_step(replace(used, rules=rules)).kind is Kind.BUDGET
    assert next_step(replace(used, rules=Rules(seconds=10.0))).kind is Kind.RUN


def test_tests_that_could_not_be_collected_are_no_better() -> None:
    """A file that does not parse counts as one failing test; repaired, its tests count."""
    unread = Failing("tests/test_b.py", "SyntaxError")
    hidden = Verdict("require-iteration", 90.0, passed=99, failing=(unread,))
    found = replace(hidden, passed=120, failing=tuple(Failing(f"t{n}", "KeyError") for n in range(10)))
    after = state(found, start=hidden)
    assert best_of(after) == ("tree-1", 1)


def test_the_checkpoints_of_a_loop() -> None:
    named = {n: name for n in range(1, 21) if (name := checkpoint_of(n, 20))}
    assert named == {6: "early", 13: "middle", 20: "final"}
    assert [checkpoint_of(n, 3) for n in (1, 2, 3)] == ["early", "middle", "final"]


def test_smoothed_quality() -> None:
    assert smoothed([1.0, 0.0, 1.0], 0.3) == [1.0, 0.7, 0.7 * 0.7 + 0.3]


failures = st.builds(Failing, st.sampled_from("abc"), st.sampled_from("xyz"))
verdicts = st.builds(
    Verdict,
    outcome=st.sampled_from(["accept", "conditional-accept", "require-iteration", "undecided"]),
    score=st.none() | st.floats(0, 100),
    passed=st.integers(0, 30),
    failing=st.lists(failures, max_size=3).map(tuple),
    floors=st.sampled_from([(), (), ("floor",)]),
    integrity=st.sampled_from([(), (), ("GTL602",)]),
    decision=st.sampled_from(["", "", "continue", "fast-fail", "adjust-strategy"]),
    trajectory=st.sampled_from(["", "steady", "negative trajectory", "excellent progress"]),
)
rules = st.builds(
    Rules, rounds=st.integers(1, 8), checkpoints=st.booleans(), adjust=st.booleans(), seconds=st.none()
)
histories = st.builds(
    lambda start, found, rules, ways: state(*found, start=start, rules=rules, ways=WAYS[:ways]),
    verdicts,
    st.lists(verdicts, max_size=12),
    rules,
    st.integers(1, 3),
)


@given(histories)
def test_never_more_rounds_than_the_bound(history: LoopState) -> None:
    assert len(history.rounds) <= history.rules.rounds
    if len(history.rounds) == history.rules.rounds:
        assert next_step(history).is_end


@given(histories)
def test_never_accepts_what_breaks_a_floor_or_games_the_gate(history: LoopState) -> None:
    step = next_step(history)
    if step.kind is Kind.ACCEPT:
        assert history.latest is not None
        assert history.latest.is_clean
        assert history.latest.outcome in {"accept", "conditional-accept"} or history.latest.unchanged
        assert step.tree == history.now


@given(histories)
def test_the_same_history_has_the_same_step_also_when_it_was_stored(history: LoopState) -> None:
    again = loaded(json.loads(json.dumps(plain(history))))
    assert again == history
    assert next_step(again) == next_step(history)


@given(histories)
def test_a_round_begins_from_a_content_that_was_looked_at(history: LoopState) -> None:
    known = {history.tree, *(done.tree for done in history.rounds)}
    step = next_step(history)
    assert step.tree in known
    assert step.is_end == (step.way is None)


@given(histories)
def test_qualities_are_shares(history: LoopState) -> None:
    assert all(0 <= one <= 1 for one in qualities(history))
    for done in history.rounds:
        if done.verdict.open:
            assert quality_of(done.verdict, history.total) < history.rules.accept
            assert not is_acceptable(done.verdict, history.rules, history.total)
