"""What holds of every ranking, whoever the candidates are."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.ranking.criteria import CRITERIA
from gateline.ranking.rank import rank
from gateline.ranking.values import Blocked, Candidate, Pool, Strategy

_CRITERIA = [name for names in CRITERIA.values() for name in names]
_SHARE = st.integers(0, 4).map(lambda n: n / 4)


@st.composite
def _candidate(draw, name):
    blocked = draw(st.booleans()) and draw(st.booleans())
    return Candidate(
        name,
        (Blocked("tests", "one fails"),) if blocked else (),
        floors=draw(st.sampled_from([(), (), ("GTL301",)])),
        regressions=draw(st.sampled_from([None, 0, 0, 1])),
        visible_passed=draw(st.integers(0, 3)),
        visible_total=3,
        behaviour=draw(st.one_of(st.none(), st.tuples(*[st.sampled_from([None, "a", "b"])] * 3))),
        criteria=draw(st.dictionaries(st.sampled_from(_CRITERIA), _SHARE, max_size=6)),
    )


@st.composite
def _pool(draw):
    names = [f"c{n}" for n in range(draw(st.integers(1, 6)))]
    candidates = tuple(draw(_candidate(name)) for name in names)
    pairs = [(a, b) for a in names for b in names if a < b]
    return Pool(candidates, {pair: draw(_SHARE) for pair in pairs})


@given(_pool(), st.sampled_from(Strategy), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_order_of_arguments_changes_nothing(pool, strategy, chance):
    shuffled = list(pool.candidates)
    chance.shuffle(shuffled)
    assert repr(rank(replace(pool, candidates=tuple(shuffled)), strategy)) == repr(rank(pool, strategy))


@given(_pool(), st.sampled_from(Strategy), st.data())
@settings(max_examples=25, deadline=None)
def test_a_blocked_candidate_changes_no_other_order(pool, strategy, data):
    blocked = replace(data.draw(_candidate("b")), blocked=(Blocked("parses", "it does not"),))
    alike = {**pool.similarity, **{("b", one.name): data.draw(_SHARE) for one in pool.candidates}}
    more = replace(pool, candidates=(*pool.candidates, blocked), similarity=alike)
    before, after = rank(pool, strategy), rank(more, strategy)
    failing = {one.name for one in pool.candidates if one.blocked}

    def order(ranking):
        # Those that are blocked are listed, and may share a place with another one.
        return [(row.name, row.score) for row in ranking.rows if row.name not in failing | {"b"}]

    assert order(after) == order(before)
    assert [row.name for row in after.rows if row.name != "b"] == [row.name for row in before.rows]


@given(_pool(), st.sampled_from(Strategy))
@settings(max_examples=25, deadline=None)
def test_a_winner_holds_what_is_promised(pool, strategy):
    ranking = rank(pool, strategy)
    if not ranking.winner:
        assert ranking.deciding and ranking.why
        assert not ranking.acceptance.accepted
        return
    winner = next(one for one in pool.candidates if one.name == ranking.winner)
    assert not winner.blocked and not winner.floors
    assert ranking.rows[0].name == winner.name
    sure = ranking.confidence.formula if strategy is Strategy.WEIGHTED else ranking.confidence.calibrated
    assert sure >= 0.6


@pytest.mark.parametrize("strategy", Strategy)
def test_nobody_is_no_winner(strategy):
    ranking = rank(Pool(()), strategy)
    assert not ranking.winner and ranking.rows == ()


_ASSESSED = st.dictionaries(st.sampled_from(_CRITERIA), st.tuples(_SHARE, _SHARE), max_size=6)


@settings(max_examples=60)
@given(st.lists(_candidate("a"), min_size=2, max_size=4), st.lists(_ASSESSED, min_size=4, max_size=4))
def test_what_a_model_says_makes_and_takes_no_winner(found, said):
    pool = [replace(one, name=name) for one, name in zip(found, "abcd", strict=False)]
    assessed = [replace(one, assessed=of) for one, of in zip(pool, said, strict=False)]
    for strategy in Strategy:
        with_it, without = rank(Pool(tuple(assessed)), strategy), rank(Pool(tuple(pool)), strategy)
        assert (with_it.winner, with_it.confidence, with_it.acceptance) == (
            without.winner,
            without.confidence,
            without.acceptance,
        )
        assert with_it.why.startswith(without.why)


def test_that_a_model_puts_another_first_is_said_beside_the_winner():
    good = {"visible_passed": 3, "visible_total": 3, "regressions": 0}
    measured = Candidate("a", criteria={"tests": 1.0, "types": 1.0}, behaviour=("1",), **good)
    lifted = Candidate("b", criteria={"tests": 1.0, "types": 0.9}, behaviour=("1",), **good)
    lifted = replace(lifted, assessed={"naming": (1.0, 1.0), "error handling": (1.0, 1.0)})
    measured = replace(measured, assessed={"naming": (0.0, 1.0), "error handling": (0.0, 1.0)})
    ranking = rank(Pool((measured, lifted)))
    assert (ranking.rows[0].name, ranking.winner) == ("b", "a")
    assert ranking.why.endswith("only the model's assessment puts b first, which decides nothing")
