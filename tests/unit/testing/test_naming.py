"""Which files hold tests, by their names."""

from __future__ import annotations

import pytest

from gateline.testing.naming import is_test, may_have_tests


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test_cart.py", True),
        ("tests.py", True),
        ("src/shop/cart_test.py", True),
        ("tests/conftest.py", True),
        ("shop/test/helpers.py", True),
        ("test_data/readme.md", False),
        ("shop/latest.py", False),
        ("shop/contest.py", False),
        ("attest.py", False),
        ("testing_ground/cart.txt", False),
    ],
)
def test_names(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_settings_may_give_them_other_names() -> None:
    assert not may_have_tests(["from shared import prices\n", ""], ["[project]\n"])
    assert may_have_tests([], ['[tool.pytest.ini_options]\npython_files = "check_*.py"\n'])
