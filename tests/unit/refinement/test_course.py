"""The course of a loop that follows a plan: what follows from its rounds, for all rounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.refinement.course import LOST, Course, Merging, Turn, course_of
from gateline.refinement.plan_steps import task_steps
from gateline.refinement.router import UNDECIDED, TaskStep
from gateline.refinement.state import Kind, LoopState, Merge, Round, Rules, Verdict, Way, loaded, plain
from gateline.refinement.verifier.values import GatePoint, Reason

WAYS = (Way("one", "direct"), Way("one", "smaller-steps"), Way("two"), Way("autodebug", "repair"))
GOOD = Verdict("accept", 96.0, passed=10)
CODE = GatePoint.IMPLEMENTATION
STEPS = (TaskStep("1", CODE), TaskStep("2", CODE), TaskStep("3", CODE, ("1", "2")))
BEGUN = LoopState("loop", "goal", WAYS, "base", "t0", start=GOOD, steps=STEPS, rules=Rules(seconds=None))
Answer = Callable[[Turn | Merging], Round]


def left(turn: Turn, *checks: str, verdict: Verdict = GOOD, tree: str = "", confidence: float = 0.5) -> Round:
    """What an agent left: sufficient unless a check does not hold."""
    reasons = tuple(Reason(check, "why") for check in checks)
    name = tree or f"t{turn.number}"
    done = Round(turn.number, turn.way, turn.content, name, verdict, step=turn.step.id, reasons=reasons)
    return replace(done, sufficient=not checks, confidence=confidence)


def merged(found: Merging, merge: Merge, *checks: str, verdict: Verdict = GOOD) -> Round:
    reasons = tuple(Reason(check, "why") for check in checks)
    tree = found.content if merge.paths and merge.winner != found.step.id else f"t{found.number}"
    tree = found.tree if merge.winner == found.step.id else tree
    done = Round(found.number, found.way, found.content, tree, verdict, step=found.step.id, reasons=reasons)
    return replace(done, sufficient=not checks, merge=merge)


def with_rounds(state: LoopState, *done: Round) -> LoopState:
    rounds = sorted((*state.rounds, *done), key=lambda one: one.number)
    return replace(state, rounds=tuple(rounds))


def after(state: LoopState, *checks: str) -> LoopState:
    """The state after all turns that are next, each with this answer."""
    return with_rounds(state, *(left(turn, *checks) for turn in course_of(state).turns))


def test_independent_steps_have_turns_at_once_over_the_same_content() -> None:
    turns = course_of(BEGUN).turns
    assert [(turn.number, turn.step.id, turn.way.agent, turn.content) for turn in turns] == [
        (1, "1", "one", "t0"),
        (2, "2", "one", "t0"),
    ]


def test_a_batch_of_which_one_was_stored_goes_on_with_the_other() -> None:
    second = course_of(BEGUN).turns[1]
    course = course_of(with_rounds(BEGUN, left(second)))
    assert [turn.number for turn in course.turns] == [1]


def test_what_was_done_at_the_same_time_is_merged_before_the_next_step() -> None:
    both = after(BEGUN)
    found = course_of(both).merging
    assert found is not None
    assert (found.number, found.base, found.content, found.tree) == (3, "t0", "t1", "t2")
    course = course_of(with_rounds(both, merged(found, Merge(("1",)))))
    assert [(turn.step.id, turn.content, turn.last) for turn in course.turns] == [("3", "t3", True)]
    done = with_rounds(both, merged(found, Merge(("1",))), left(course.turns[0]))
    assert course_of(done).end == course_of(done).end
    end = course_of(done).end
    assert end is not None and (end.kind, end.tree) == (Kind.ACCEPT, "t4")


@pytest.mark.parametrize(
    ("winner", "again", "content", "check"),
    [("1", "2", "t1", LOST), ("2", "1", "t2", LOST), ("", "", "t1", UNDECIDED)],
)
def test_who_loses_a_conflict_does_it_again_over_what_was_taken(
    winner: str, again: str, content: str, check: str
) -> None:
    both = after(BEGUN)
    found = course_of(both).merging
    assert found is not None
    merge = Merge(("1",), ("a.py",), winner, "by confidence")
    course = course_of(with_rounds(both, merged(found, merge, *(() if winner == "2" else (check,)))))
    assert course.content == content
    assert [turn.step.id for turn in course.turns] == ([again] if again else [])
    if not winner:
        assert course.end is not None and course.end.kind is Kind.ESCALATE


def test_work_at_a_step_is_brought_along_unless_it_games_the_gate() -> None:
    once = after(BEGUN, "implementation.planned")
    works = [turn.work and turn.work.tree for turn in course_of(once).turns]
    assert works == ["t1"]
    gamed = replace(GOOD, integrity=("GTL602",))
    turns = course_of(BEGUN).turns
    once = with_rounds(BEGUN, *(left(turn, "implementation.integrity", verdict=gamed) for turn in turns))
    assert [turn.work for turn in course_of(once).turns] == [None]


def test_giving_up_a_step_goes_back_to_the_content_before_it() -> None:
    state = replace(BEGUN, steps=(TaskStep("1", CODE), TaskStep("2", CODE, ("1",))))
    state = after(state)
    for _ in range(3):
        state = after(state, "implementation.planned")
    course = course_of(state)
    assert [(turn.step.id, turn.content) for turn in course.turns] == [("1", "t0")]
    assert course.task.truncations == 1


def test_a_whole_that_nobody_looked_at_is_not_accepted() -> None:
    failing = Verdict("require-iteration", 90.0, passed=3)
    state = replace(BEGUN, steps=(TaskStep("1", CODE),))
    done = with_rounds(state, left(course_of(state).turns[0], verdict=failing))
    end = course_of(done).end
    assert end is not None and end.kind is Kind.ESCALATE


CHECKS = st.sampled_from(
    [f"implementation.{name}" for name in ("tests", "integrity", "planned", "complete", "measured")]
)
VERDICTS = st.builds(
    Verdict,
    outcome=st.sampled_from(["accept", "require-iteration", "undecided"]),
    score=st.floats(0, 100),
    passed=st.integers(0, 30),
    floors=st.sampled_from([(), (), ("floor",)]),
    integrity=st.sampled_from([(), (), ("GTL602",)]),
)
ANSWERS = st.tuples(st.lists(CHECKS, max_size=2), VERDICTS, st.sampled_from(["", "mine", "theirs", "nobody"]))


@st.composite
def plans(draw: st.DrawFn) -> LoopState:
    count = draw(st.integers(1, 5))
    ids = [str(n) for n in range(1, count + 1)]
    needs = [tuple(sorted(draw(st.sets(st.sampled_from(ids[:n]))))) if n else () for n in range(count)]
    steps = tuple(TaskStep(name, CODE, need) for name, need in zip(ids, needs, strict=True))
    return replace(BEGUN, steps=steps, rules=Rules(rounds=draw(st.integers(1, 12))))


def answered(course: Course, answer: tuple[list[str], Verdict, str]) -> list[Round]:
    checks, verdict, conflict = answer
    if course.merging is None:
        return [left(turn, *checks, verdict=verdict) for turn in course.turns]
    found = course.merging
    if not conflict:
        return [merged(found, Merge(found.others), *checks, verdict=verdict)]
    winner = {"mine": found.step.id, "theirs": found.others[0], "nobody": ""}[conflict]
    lost = () if winner == found.step.id else (LOST if winner else UNDECIDED,)
    return [merged(found, Merge(found.others, ("a.py",), winner, "why"), *lost, verdict=verdict)]


@settings(max_examples=60, deadline=None)
@given(state=plans(), answers=st.lists(ANSWERS, min_size=1, max_size=8), cut=st.booleans())
def test_every_plan_ends_within_its_bound_and_accepts_only_what_was_looked_at(
    state: LoopState, answers: list[tuple[list[str], Verdict, str]], cut: bool
) -> None:
    for turn in range(200):
        course = course_of(state)
        assert course_of(loaded(json.loads(json.dumps(plain(state))))) == course
        if course.end is not None:
            break
        done = answered(course, answers[turn % len(answers)])
        state = with_rounds(state, *(done[-1:] if cut else done))
    else:
        pytest.fail("it goes on for ever")
    worked = [one for one in state.rounds if one.merge is None]
    assert len(worked) <= state.rules.rounds
    assert len({one.number for one in state.rounds}) == len(state.rounds)
    if course.end.kind is Kind.ACCEPT:
        (verdict,) = {one.verdict for one in state.rounds if one.tree == course.end.tree}
        assert verdict.is_clean and verdict.outcome == "accept"


# From a text


def test_steps_wait_for_what_they_say_and_build_on() -> None:
    text = """\
1. Add a function `rate` to `rates.py`. agent: `fast`
2. Have `total` in `sums.py` call `rate`.
3. Mention it in `README.md`.
4. After step 3, mention it in `guide.md`.
5. Sort `rates.py`.
6. Run all tests.
"""
    found = task_steps(text, {"fast": "my-agent --fast"})
    assert [(one.id, one.needs, one.agent) for one in found] == [
        ("1", (), "my-agent --fast"),
        ("2", ("1",), ""),
        ("3", (), ""),
        ("4", ("3",), ""),
        ("5", ("1",), ""),
        ("6", ("1", "2", "3", "4", "5"), ""),
    ]
    assert found[0].paths == ("rates.py",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. Write `a.py`. agent: x", "step 1 names the unknown agent 'x' .known: y."),
        ("## Step 1\n\nWrite `a.py`.\n\n## Step 1\n\nWrite `b.py`.\n", "two steps have the number 1"),
    ],
)
def test_a_plan_that_cannot_be_followed_says_why(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        task_steps(text, {"y": "y"})
