"""Each stage decides only what those before leave open."""

from dataclasses import replace

import pytest

from gateline.ranking.acceptance import AcceptanceRules
from gateline.ranking.agreement import behaves_like, clusters, shingles, similarities
from gateline.ranking.criteria import inverse, ratio
from gateline.ranking.order import still_tied
from gateline.ranking.rank import rank
from gateline.ranking.values import Blocked, Candidate, Isolation, Pool, Strategy

GOOD = Candidate(
    "good",
    regressions=0,
    visible_passed=3,
    visible_total=3,
    behaviour=("1", "2", None),
    criteria={"tests": 1.0, "regressions": 1.0, "types": 1.0, "security": 1.0},
)


def named(name, **other):
    return replace(GOOD, name=name, **other)


@pytest.mark.parametrize(
    ("worse", "stage"),
    [
        ({"blocked": (Blocked("parses", "line 3"),)}, "blocking checks"),
        ({"floors": ("GTL301: a test says less",)}, "floors"),
        ({"regressions": 1}, "regressions"),
        ({"regressions": None}, "regressions"),
        ({"visible_passed": 2}, "visible tests"),
        ({"behaviour": ("1", "9", None)}, "behavioural agreement"),
        ({"criteria": {"tests": 0.5}}, "weighted score"),
    ],
)
def test_the_first_difference_decides(worse, stage):
    ranking = rank(Pool((named("a"), named("b"), named("worse", **worse))))
    assert ranking.rows[-1].name == "worse"
    last = next(duel for duel in ranking.duels if {duel.first, duel.second} == {"a", "worse"})
    assert (last.first, last.stage) == ("a", stage)


def test_of_equals_the_one_most_alike_the_others_is_first():
    alike = {("a", "b"): 0.9, ("a", "c"): 0.8, ("b", "c"): 0.1}
    rows = rank(Pool((named("a"), named("b"), named("c")), alike)).rows
    assert [row.name for row in rows] == ["a", "b", "c"]


def test_agentless_prefers_the_patch_that_several_made():
    alike = {("a", "b"): 0.9, ("b", "c"): 1.0, ("a", "c"): 0.9}
    rows = rank(Pool((named("a"), named("b"), named("c")), alike), Strategy.AGENTLESS).rows
    assert [(row.name, row.place) for row in rows] == [("b", 1), ("c", 1), ("a", 3)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("1", "2"), ("1", "2"), True),
        (("1", None), ("1", None), True),
        (("1", None), ("1", "2"), False),
        ((None, None), (None, None), False),
        (None, ("1",), False),
    ],
)
def test_failures_agree_with_nothing(one, other, same):
    assert behaves_like(named("a", behaviour=one), named("b", behaviour=other)) is same


def test_groups_of_behaviour_are_counted():
    pool = [named("a"), named("b"), named("c", behaviour=("9", "9", None)), named("d", behaviour=None)]
    assert clusters(pool) == [2, 1, 1]


def test_layout_and_comments_are_no_tokens():
    same = {"a": shingles("x = f(1)  # one\n"), "b": shingles("x=f( 1 )\n"), "c": shingles("y = g(1)\n")}
    found = similarities(same)
    assert found["a", "b"] == 1.0
    assert found["a", "c"] < 0.5
    assert shingles("def f(:\n  'unclosed") != frozenset()


def test_rubrics():
    assert [ratio(1, 2), ratio(3, 2), ratio(1, 0)] == [0.5, 1.0, 1.0]
    assert [inverse(5, 10, 20), inverse(15, 10, 20), inverse(25, 10, 20)] == [1.0, 0.5, 0.0]


def test_two_that_nothing_tells_apart_are_no_winner():
    ranking = rank(Pool((named("a", behaviour=None), named("b", behaviour=None)), {("a", "b"): 0.9}))
    assert not ranking.winner
    assert "a, b are equal in every stage" in ranking.why


@pytest.mark.parametrize(("alike", "behaviour"), [(1.0, None), (0.5, ("1", "2"))])
def test_of_two_that_say_or_do_the_same_either_wins(alike, behaviour):
    same = [named(name, behaviour=behaviour) for name in "ab"]
    worse = named("c", visible_passed=1, behaviour=behaviour)
    ranking = rank(Pool((*same, worse), {("a", "b"): alike}))
    assert ranking.winner == "a"
    assert ranking.why.endswith("; equally good: b")


def test_one_that_breaks_a_floor_does_not_win_alone():
    ranking = rank(Pool((named("a", floors=("GTL301: a test says less",)),)))
    assert not ranking.winner
    assert "breaks a floor" in ranking.why


def accepted(pool):
    return rank(pool, rules=AcceptanceRules(enabled=True)).acceptance


def crowd(**other):
    """Eight that agree; one is most alike the others."""
    names = "abcdefgh"
    alike = {(a, b): 0.9 if a == "a" else 0.8 for a in names for b in names if a < b}
    return Pool(tuple(named(name, **other) for name in names), alike)


def test_acceptance_says_why():
    yes = accepted(crowd())
    assert yes.accepted, yes
    assert "floors and 3 new tests hold" in yes.reasons[0]
    assert any("quality was not measured" in reason for reason in yes.reasons)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"isolation": Isolation.NONE}, "its code ran without isolation"),
        ({"visible_passed": 2, "visible_total": 2}, "only 2 tests tell it from the base; 3 are needed"),
        ({"integrity": ("GTL601: hard-coded",)}, "integrity: GTL601: hard-coded"),
    ],
)
def test_acceptance_refuses(other, reason):
    answer = accepted(crowd(**other))
    assert not answer.accepted
    assert reason in answer.reasons


def test_acceptance_is_off_by_default():
    answer = rank(crowd()).acceptance
    assert not answer.accepted
    assert answer.reasons == ("it is switched off (compare.auto-accept)",)


def test_no_isolation_lowers_both_confidences():
    closed = rank(crowd()).confidence
    bare = rank(crowd(isolation=Isolation.NONE)).confidence
    assert bare.formula < closed.formula
    assert bare.calibrated < closed.calibrated


def test_only_those_that_are_still_tied_are_asked_for_behaviour():
    blocked = named("e", blocked=(Blocked("parses", "line 3"),))
    pool = Pool((named("a"), named("b"), named("c", visible_passed=2), named("d", regressions=1), blocked))
    assert still_tied(pool) == {"a", "b"}
