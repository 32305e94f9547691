"""Inputs that nobody wrote, and the functions that are asked."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.ranking.functions import changed_functions
from gateline.ranking.mutation import MOST, mutated

VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-5, 5), st.floats(-3, 3), st.text("ab", max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text("k"), inner),
    ),
    max_leaves=6,
)


@given(st.lists(st.fixed_dictionaries({"x": VALUES, "y": VALUES}), max_size=4))
@settings(max_examples=40, deadline=None)
def test_mutations_are_new_keep_types_and_are_always_the_same(known):
    found = mutated(known)
    assert found == mutated(known[::-1]) and len(found) <= MOST
    told = [repr(sorted(one.items())) for one in found]
    assert len(set(told)) == len(told)
    assert not set(told) & {repr(sorted(one.items())) for one in known}
    types = {(type(one["x"]), type(one["y"])) for one in known}
    assert {(type(one["x"]), type(one["y"])) for one in found} <= types


def test_each_known_input_is_taken_in_turn():
    found = mutated([{"x": 1}, {"x": [2, 3]}], most=4)
    assert found == [{"x": 2}, {"x": [3, 2]}, {"x": 0}, {"x": [3]}]


def test_functions_that_can_be_called_by_themselves():
    before = "def same(a):\n    return a\ndef other(a):\n    return a\n"
    after = """\
def same(a):  # as before
    return a
def other(a):
    return -a
def new(a, b=1): return a
def none(): return 1
def stream(a): yield a
def any_number(*a): return a
async def later(a): return a
@cached
def decorated(a): return a
class C:
    def method(self, a): return a
"""
    assert changed_functions(before, after) == {"other", "new"}
    assert changed_functions(None, after) == {"same", "other", "new"}
    assert changed_functions(before, "def broken(:") == frozenset()
