"""Files of tests that only the base collects: by where pytest collects, not where functions stand."""

from __future__ import annotations

import pytest

from gateline.model import Origin, Problem
from gateline.testing.losses import Sides, losses
from gateline.testing.result import Ending, Failure, Item, Result

CACHE = "from tests import Shared\n\n\nclass CacheTest(Shared):\n    pass\n"
INHERITED = Item("tests/test_cache.py::CacheTest::test_clear", "tests/__init__.py", 3, "CacheTest.test_clear")
OTHER = Item("tests/test_lru.py::LRUTest::test_clear", "tests/__init__.py", 3, "LRUTest.test_clear")


def uncollected(file: str) -> Result:
    """A file that cannot be imported."""
    problem = Problem(Origin.RUN, "ModuleNotFoundError", "No module named 'gone'", file, None)
    return Result(file, Ending.ERROR, failure=Failure(problem, "", "collect"))


def test_inherited_tests_are_lost_with_the_file_that_collects_them() -> None:
    (loss,) = losses((INHERITED, OTHER), (OTHER,), [uncollected("tests/test_cache.py")], Sides())
    assert (loss.path, loss.tests) == ("tests/test_cache.py", 1)


@pytest.mark.parametrize(
    ("now", "lost"),
    [
        (CACHE.replace("    pass", "    __test__ = False"), 1),
        ("from tests import Shared\n", 0),
    ],
    ids=["the class stands and is not collected", "the class is gone"],
)
def test_inherited_tests_are_lost_where_their_class_still_stands(now: str, lost: int) -> None:
    sides = Sides(texts={"tests/test_cache.py": (CACHE, now)})
    found = losses((INHERITED, OTHER), (OTHER,), [], sides)
    assert [loss.tests for loss in found] == [lost] * bool(lost)


@pytest.mark.parametrize(("above", "below"), [("sub/", ""), ("", "sub/")])
def test_identifiers_of_another_root_name_the_same_files(above: str, below: str) -> None:
    own = Item(f"{above}tests/test_a.py::test_a", f"{below}tests/test_a.py", 0, "test_a")
    inherited = Item(f"{above}tests/test_b.py::B::test_b", f"{below}tests/__init__.py", 0, "B.test_b")
    (loss,) = losses((own, inherited), (own,), [uncollected(f"{below}tests/test_b.py")], Sides())
    assert (loss.path, loss.tests) == (f"{below}tests/test_b.py", 1)
