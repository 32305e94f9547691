"""Where keys stand in a TOML text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from gateline.model.span import Position
from gateline.settings.places import Key, places

TEXT = '''\
title = """
[not.a.table]
x = 1 """ # a = 2
"a b".'c' = [1, { d = 'x]', e = [[2], [3]] }]
date = 1979-05-27T07:32:00Z
[ one . two ]
pi = 3.14
[[one.list]]
a = 1
[one.list.inner]
b = 2
[[one.list]]
a = 3
é = "ü", # no
'''.replace(", # no", "# no").replace("é", '"é"')


def test_every_kind_of_key_has_its_place() -> None:
    found = places(TEXT)
    assert found["title",] == Position(0, 0)
    assert found["a b", "c"] == Position(3, 6)
    assert found["a b", "c", 1, "d"] == Position(3, 18)
    assert found["a b", "c", 1, "e", 1] == Position(3, 38)
    assert found["date",] == Position(4, 0)
    assert found["one", "two", "pi"] == Position(6, 0)
    assert found["one", "list", 0, "inner", "b"] == Position(10, 0)
    assert found["one", "list", 1, "a"] == Position(12, 0)
    assert found["one", "list", 1, "é"] == Position(13, 0)
    assert set(_keys(tomllib.loads(TEXT))) == set(found)


def _keys(value: Any, above: Key = ()) -> Iterator[Key]:
    if above:
        yield above
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in parts:
        yield from _keys(inner, (*above, name))


NAMES = st.text(alphabet="ab. é\"'#", min_size=1, max_size=4)
SCALARS = (
    st.integers(-9, 9) | st.text(alphabet="ab]}#\"'\n\\=,", max_size=8) | st.booleans() | st.floats(-1, 1)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_exactly_the_keys_of_a_text_have_places(table: dict[str, Any]) -> None:
    text = tomlkit.dumps(table)
    assert set(places(text)) == set(_keys(tomllib.loads(text)))
