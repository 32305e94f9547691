"""Tests run on the texts as they are in the editor, and nothing else changes."""

from __future__ import annotations

import pytest
from runner_project import MakeRunner

pytestmark = pytest.mark.timeout(60)

CART = {
    "cart.py": """
        RATE = 2

        def add(a, b):
            return a + b

        def total(prices):
            result = 0
            for price in prices:
                result = add(result, price)
            return result
    """,
    "test_cart.py": """
        import pytest
        from cart import add, total

        @pytest.mark.parametrize("n", [1, 2])
        def test_add(n):
            assert add(n, 1) == n + 1

        def test_total():
            assert total([1, 2, 3]) == 6
    """,
}
EDITED = CART["cart.py"].replace("a + b", "a - b")


async def test_it_runs_saved_texts(make: MakeRunner) -> None:
    project = make(CART)
    assert await project.endings() == {
        "test_cart.py::test_add[1]": "passed",
        "test_cart.py::test_add[2]": "passed",
        "test_cart.py::test_total": "passed",
    }


async def test_it_runs_the_unsaved_text_and_returns_to_the_saved_one(make: MakeRunner) -> None:
    project = make(CART)
    name = "test_cart.py::test_total"
    assert await project.endings(name) == {name: "passed"}
    run = await project.answer(name, overlay={"cart.py": EDITED})
    assert run.recollected == "", "a changed body needs no new collection"
    (result,) = run.results
    assert result.ending == "failed"
    assert result.failure is not None
    assert result.failure.explanation == "AssertionError: assert -6 == 6\n +  where -6 = total([1, 2, 3])"
    assert await project.endings(name) == {name: "passed"}
