"""Which of several proposals for one place is taken."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.refinement.conflicts import DecidedBy, Edit, Proposal, conflicting, resolve

A = Proposal("a", meets=frozenset({"1"}), confidence=0.9, right=9, made=10)


@pytest.mark.parametrize(
    ("other", "winner", "decided_by"),
    [
        (
            Proposal("b", broken=frozenset({"tests stay"}), meets=frozenset("1234")),
            "a",
            DecidedBy.HOUSE_RULES,
        ),
        (Proposal("b", meets=frozenset({"1", "2"}), confidence=0.1), "b", DecidedBy.FIT),
        (Proposal("b", meets=frozenset({"1"}), confidence=0.7, right=10, made=10), "a", DecidedBy.CONFIDENCE),
        (Proposal("b", meets=frozenset({"1"}), confidence=0.8, right=10, made=10), "a", DecidedBy.CONFIDENCE),
        (Proposal("b", meets=frozenset({"1"}), confidence=0.95, right=1, made=10), "a", DecidedBy.SUCCESS),
        (Proposal("b", meets=frozenset({"1"}), confidence=0.85, right=10, made=11), None, DecidedBy.PERSON),
    ],
)
def test_the_first_difference_in_this_order_decides(
    other: Proposal, winner: str | None, decided_by: DecidedBy
) -> None:
    found = resolve([A, other])
    assert (found.winner.agent if found.winner else None, found.decided_by) == (winner, decided_by)


def test_where_all_break_rules_a_person_decides() -> None:
    found = resolve([Proposal("b", broken=frozenset({"x"})), Proposal("c", broken=frozenset({"y"}))])
    assert (found.winner, found.reason) == (None, "every proposal breaks a house rule (x, y)")
    assert [one.agent for one in found.left] == ["b", "c"]


def test_one_alone_is_taken_unless_it_breaks_a_rule() -> None:
    assert resolve([A]).decided_by is DecidedBy.ALONE
    assert resolve([]).winner is None


def test_proposals_that_touch_the_same_lines_are_one_conflict() -> None:
    one = Proposal("a", frozenset({Edit("x.py", 0, 3)}))
    two = Proposal("b", frozenset({Edit("x.py", 2, 8)}))
    three = Proposal("c", frozenset({Edit("x.py", 7, 9)}))
    apart = Proposal("d", frozenset({Edit("x.py", 9, 12), Edit("y.py", 0, 3)}))
    for order in permutations([one, two, three, apart]):
        assert conflicting(order) == (frozenset({one, two, three}),)


PROPOSALS = st.lists(
    st.builds(
        Proposal,
        st.sampled_from("abcd"),
        st.frozensets(st.builds(Edit, st.just("x"), st.integers(0, 5), st.integers(5, 9)), max_size=2),
        st.frozensets(st.sampled_from("xy"), max_size=1),
        st.frozensets(st.sampled_from("123")),
        st.floats(0, 1),
        st.integers(0, 5),
        st.integers(5, 9),
    ),
    max_size=6,
)


@given(proposals=PROPOSALS, seed=st.randoms(use_true_random=False))
def test_the_order_of_proposals_does_not_matter(proposals: list[Proposal], seed: object) -> None:
    shuffled = list(proposals)
    seed.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(shuffled) == resolve(proposals)
    assert conflicting(shuffled) == conflicting(proposals)


@given(proposals=PROPOSALS)
def test_what_wins_breaks_no_rule_and_meets_the_most(proposals: list[Proposal]) -> None:
    found = resolve(proposals)
    if found.winner is not None:
        assert not found.winner.broken
        lawful = [one for one in proposals if not one.broken]
        assert len(found.winner.meets) == max(len(one.meets) for one in lawful)
    else:
        assert found.decided_by is DecidedBy.PERSON
