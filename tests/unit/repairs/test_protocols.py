"""What Python says of a special method that gave something it must not."""

from __future__ import annotations

import pytest

from gateline.repairs.analysis.protocols import method_told


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("__repr__ returned non-string (type NoneType)", ("__repr__", "NoneType")),
        ("__index__ returned non-int (type box.Size)", ("__index__", "box.Size")),
        ("__bool__ should return bool, returned list", ("__bool__", "list")),
        ("__format__ must return a str, not int", ("__format__", "int")),
        ("__hash__ method should return an integer", ("__hash__", "")),
        (
            "expected Box.__fspath__() to return str or bytes, not NoneType",
            ("__fspath__", "NoneType"),
        ),
        ("iter() returned non-iterator of type 'NoneType'", ("__iter__", "NoneType")),
        ("'str' object cannot be interpreted as an integer", ("__len__", "str")),
        ("__init__() should return None, not 'int'", ("", "")),
        ("__init__() missing 1 required positional argument: 'size'", ("", "")),
    ],
)
def test_the_method_and_what_it_gave_are_read(message: str, told: tuple[str, str]) -> None:
    assert method_told(message) == told
