"""Vectors with a byte for each number say nearly the cosines of the vectors they were made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gateline.context.arrays import Scores
from gateline.context.directions import Directions

_number = st.floats(-1, 1, width=32).map(lambda number: 0.0 if abs(number) < 1e-3 else number)
VECTORS = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=_number)


def cosines(vectors: Scores, asked: Scores) -> Scores:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked)
    found: Scores = np.divide(vectors @ asked, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return found


@given(VECTORS)
def test_cosines_are_nearly_those_of_the_floats(vectors: Scores) -> None:
    found = Directions.of(vectors).similar(Directions.of(vectors[:1]))
    assert np.allclose(found, cosines(vectors, vectors[0]), atol=0.03)


def test_of_vectors_as_long_as_the_model_s_they_are_those_but_for_a_thousandth() -> None:
    vectors = np.random.default_rng(1).standard_normal((2_000, 384)).astype(np.float32)
    found = Directions.of(vectors).similar(Directions.of(vectors[:1]))
    assert np.abs(found - cosines(vectors, vectors[0])).mean() < 0.001


@given(VECTORS)
def test_made_again_they_are_the_same(vectors: Scores) -> None:
    """What only moved keeps its vectors, however often."""
    made = Directions.of(vectors)
    again = Directions.of(made.floats(range(len(made))))
    assert (made.numbers == again.numbers).all() and (made.scales == again.scales).all()


@given(VECTORS)
def test_each_is_as_similar_to_itself_as_can_be(vectors: Scores) -> None:
    made = Directions.of(vectors)
    own = [made.kept(np.arange(len(made)) == row) for row in range(len(made))]
    assert [round(float(one.similar(one)[0]), 5) for one in own] == made.are_there.astype(float).tolist()


def test_rows_without_a_vector_are_like_nothing_until_they_get_one() -> None:
    made = Directions.none(3, 4)
    asked = Directions.of(np.ones((1, 4), np.float32))
    assert made.similar(asked).tolist() == [0, 0, 0] and not made.are_there.any()
    made.put([2], np.full((1, 4), 0.5, np.float32))
    assert made.similar(asked).tolist() == [0, 0, pytest.approx(1)]
    assert made.are_there.tolist() == [False, False, True]


def test_none_at_all_are_similar_to_none() -> None:
    asked = Directions.of(np.ones((1, 4), np.float32))
    assert Directions.none(0, 4).similar(asked).tolist() == []
    assert len(Directions.joined([Directions.none(0, 4), asked])) == 1
