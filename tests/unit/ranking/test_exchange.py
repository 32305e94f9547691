"""New tests of candidates on each other: agreement counts, and nobody gains by what others fail."""

import pytest

from gateline.ranking.agreement import tests_agree as agree
from gateline.ranking.rank import rank
from gateline.ranking.values import Candidate, Exchange, Isolation, Pool
from gateline.session.compare.evidence import pool_of, visible_tests
from gateline.session.compare.exchange import Handed
from gateline.session.compare.measured import Measured, Suite
from gateline.store.candidates.trees import Given
from gateline.testing.result import Ending

ALL, SOME, NONE = Exchange(3, 3, 3), Exchange(2, 3, 2), Exchange(0, 3, 0)


def brings(name, **exchanged):
    return Candidate(name, regressions=0, exchanged=exchanged, criteria={"tests": 1.0})


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ({"b": ALL}, {"a": ALL}, True),
        ({"b": ALL}, {}, True),
        ({"b": ALL}, {"a": SOME}, False),
        ({"b": NONE}, {}, False),
        ({"b": Exchange(0, 0)}, {}, None),
        ({}, {}, None),
    ],
)
def test_agreement_is_mutual(one, other, answer):
    pair = brings("a", **one), brings("b", **other)
    assert agree(*pair) is agree(*pair[::-1]) is answer


def test_who_passes_the_tests_of_others_wins_over_who_does_not():
    same = {("a", "b"): 0.9, ("a", "c"): 0.5, ("b", "c"): 0.5}
    pool = Pool(
        (brings("a", b=ALL, c=NONE), brings("b", a=ALL, c=NONE), brings("c", a=SOME, b=SOME)),
        same,
    )
    ranking = rank(pool)
    assert [(row.name, row.place) for row in ranking.rows] == [("a", 1), ("b", 1), ("c", 3)]
    assert ranking.winner == "a"
    assert ranking.why == "behavioural agreement: a has 50%, c 0%; equally good: b"
    assert "passes the new tests of b" in ranking.rows[0].strengths
    assert "fails 3 of 3 new tests of c, which is no regression" in ranking.rows[0].weaknesses


def test_two_that_contradict_each_other_are_no_winner():
    pool = Pool((brings("a", b=SOME), brings("b", a=ALL)), {("a", "b"): 0.9})
    ranking = rank(pool)
    assert not ranking.winner
    assert "a and b do not pass each other's tests, and none agrees with it" in ranking.why


def test_impossible_tests_help_nobody():
    junk = {"a": ALL, "b": ALL}
    pool = Pool((brings("a", b=ALL, z=NONE), brings("b", a=ALL, z=NONE), brings("z", **junk)))
    assert rank(pool).rows[-1].name == "z"
    assert [one.passes for one in pool.candidates] == [True, True, True]


def test_nothing_is_accepted_by_the_tests_of_candidates_alone():
    reasons = rank(Pool((brings("a", b=ALL), brings("b", a=ALL)))).acceptance.reasons
    assert "only 0 tests tell it from the base; 3 are needed" in reasons


def measured(name, blob, *tests):
    suite = Suite(dict.fromkeys(tests, Ending.PASSED), frozenset(tests))
    return Measured(Given(name, "commit", name, ()), suite=suite, blobs={"test_a.py": blob})


def test_tests_of_one_name_in_files_that_differ_are_not_the_same_test():
    base = Suite()
    one, same, other = (measured(name, blob, "test_a.py::test") for name, blob in ("a1", "b1", "c2"))
    assert visible_tests([one, same], base) == {"test_a.py::test"}
    assert visible_tests([one, other], base) == frozenset()


def test_what_nobody_else_passes_is_not_confirmed():
    candidates = [measured(name, name, f"test_{name}.py::test") for name in "abc"]
    handed = (
        Handed("a", "b", ("x",), ("y", "z")),
        Handed("a", "c", ("x", "y"), ("z",)),
    )
    pool = pool_of(candidates, Suite(), Isolation.BUBBLEWRAP, handed)
    assert [dict(one.exchanged) for one in pool.candidates] == [
        {},
        {"a": Exchange(1, 3, 2)},
        {"a": Exchange(2, 3, 2)},
    ]
    assert [one.passes for one in pool.candidates] == [False, False, True]
