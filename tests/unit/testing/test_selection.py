"""In which order the tests of a change are run."""

from __future__ import annotations

import pytest

from gateline.testing import selection
from gateline.testing.coverage_map import CoverageMap
from gateline.testing.graph import ImportGraph
from gateline.testing.result import Ending, Item, Result
from gateline.testing.staleness import Now, Staleness

ORDERS = {
    "the quick ones first": (
        {"a.py::slow": 2.0, "b.py::quick": 0.1},
        "b.py::quick a.py::slow",
    ),
    "inside a file, too; its place is that of the test that will run first": (
        {"a.py::slow": 2.0, "a.py::quick": 0.1, "b.py::middling": 1.0},
        "b.py::middling a.py::quick a.py::slow",
    ),
    "a file with a test that failed comes before": (
        {"a.py::quick": 0.1, "b.py::passes": 0.5, "b.py::fails": -9.0},
        "b.py::fails b.py::passes a.py::quick",
    ),
}


OPENINGS = {
    "a file whose first test waits for what it shares with others comes later": (
        {"a.py::server": 0.1, "b.py::plain": 0.3},
        {"a.py::server": 2.0},
        "b.py::plain a.py::server",
    ),
    "tests of a file are taken to wait alike": (
        {"a.py::one": 0.1, "b.py::plain": 0.3},
        {"a.py::other": 2.0},
        "b.py::plain a.py::one",
    ),
    "what is known of the test itself counts": (
        {"a.py::one": 0.1, "b.py::plain": 0.3},
        {"a.py::one": 0.2, "a.py::other": 2.0},
        "a.py::one b.py::plain",
    ),
    "the first of those that run counts, not one behind it": (
        {"a.py::one": 0.1, "a.py::two": 0.1, "b.py::plain": 0.3},
        {"a.py::one": 0.9, "a.py::two": 0.2},
        "b.py::plain a.py::one a.py::two",
    ),
}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("prices.json", ["may read prices.json, and was not measured yet"]),
        ("shop.py", ["imports shop.py, and was not measured yet"]),
        ("other.py", ["was never measured"]),
    ],
)
def test_a_test_that_was_never_measured_is_chosen(changed: str, expected: list[str]) -> None:
    known, graph = CoverageMap(), ImportGraph()
    graph.update({"shop.py": "", "other.py": "", "a.py": "import shop\n"})
    tests = selection.Tests([Item("a.py::one", "a.py", 0, "one")], known, {})
    chosen = selection.select(tests, Staleness(known, graph, Now({}, {})), graph, [changed])
    assert [str(reason) for one in chosen for reason in one.reasons] == expected


@pytest.mark.parametrize(("seconds", "openings", "expected"), OPENINGS.values(), ids=OPENINGS.keys())
def test_what_opens_a_run(seconds: dict[str, float], openings: dict[str, float], expected: str) -> None:
    """Tests as collected, with the seconds of each, and those until the result of some that came first."""
    assert order(seconds, openings) == expected


@pytest.mark.parametrize(("seconds", "expected"), ORDERS.values(), ids=ORDERS.keys())
def test_order(seconds: dict[str, float], expected: str) -> None:
    """Tests as collected, with the seconds that each took last; below zero for one that failed."""
    assert order(seconds, {}) == expected


def order(seconds: dict[str, float], openings: dict[str, float]) -> str:
    results = {
        test: Result(test, Ending.FAILED if took < 0 else Ending.PASSED, abs(took))
        for test, took in seconds.items()
    }
    items = [Item(test, test.partition("::")[0], 0, "f") for test in seconds]
    known, graph = CoverageMap(), ImportGraph()
    graph.update({"shop.py": "", "a.py": "import shop\n", "b.py": "import shop\n"})
    tests = selection.Tests(items, known, results, openings)
    chosen = selection.select(tests, Staleness(known, graph, Now({}, {})), graph, ["shop.py"])
    return " ".join(one.test for one in chosen)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("shop/__init__.py", ["shop/cart.py", "shop/tests/test_cart.py"]),
        ("shop/rates.py", ["shop/__init__.py", "shop/cart.py", "shop/tests/test_cart.py"]),
        ("shop/cart.py", []),
    ],
)
def test_a_file_imports_the_packages_that_it_is_in(changed: str, expected: list[str]) -> None:
    graph = ImportGraph()
    graph.update({"shop/__init__.py": "from shop import rates\n", "shop/rates.py": "RATE = 1\n"})
    graph.update({"shop/cart.py": "", "shop/tests/test_cart.py": ""})
    assert sorted(graph.reaching([changed]) - {changed, "shop/rates.py"}) == expected


def test_a_file_that_is_gone_is_reached_by_those_who_name_it() -> None:
    graph = ImportGraph()
    graph.update(
        {"test_cart.py": "import shop.cart\n", "shop/cart.py": "from shop import rates\n", "b.py": ""}
    )
    assert graph.reaching(["shop/rates.py"]) == {"shop/rates.py", "shop/cart.py", "test_cart.py"}
