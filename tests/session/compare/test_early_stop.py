"""A candidate that a test refuses is run no further, and nothing of the ranking changes by that."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.ranking.rank import rank
from gateline.ranking.values import Isolation, Ranking, Strategy
from gateline.services.isolation.enclosure import Enclosure
from gateline.services.tests.options import Limits
from gateline.session.compare.evidence import pool_of
from gateline.session.compare.measured import Measured, Suite, is_lost, refused
from gateline.session.compare.running import Runs, Watch
from gateline.store.candidates.checkouts import Checkout
from gateline.store.candidates.trees import Given
from gateline.testing.result import Ending

TESTS = [f"test_a.py::test_{number}" for number in range(5)]
ENDINGS = st.sampled_from([Ending.PASSED, Ending.PASSED, Ending.PASSED, Ending.FAILED, Ending.SKIPPED])


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    order = draw(st.permutations(TESTS))
    collected = order[: draw(st.integers(3, 5))]
    return Suite({test: draw(ENDINGS) for test in collected}, frozenset(collected))


def stopped(suite: Suite, base: Suite, heard: int) -> Suite:
    """As far as a run comes that ends `heard` tests after the first that is lost; whole without one."""
    told: dict[str, Ending] = {}
    left = None
    for test, ending in suite.endings.items():
        if left is None and is_lost(test, ending, base.passing):
            left = heard
        elif left is not None:
            left -= 1
        if left is not None and left < 0:
            break
        told[test] = ending
    return replace(suite, endings=told)


def ranked(found: Sequence[Suite], base: Suite, strategy: Strategy) -> Ranking:
    measured = [
        Measured(
            Given(f"c{number}", "commit", f"tree {number}", ("a.py",)), suite=suite, text=f"a = {number % 2}"
        )
        for number, suite in enumerate(found)
    ]
    return rank(pool_of(measured, base, Isolation.BUBBLEWRAP), strategy)


def without_reasons(ranking: Ranking) -> str:
    """A ranking but for which of the failing tests are named."""
    rows = [replace(row, stages=row.stages[1:], blocked=(), weaknesses=()) for row in ranking.rows]
    duels = [replace(duel, reason="") for duel in ranking.duels]
    blocked = [sorted({one.check for one in row.blocked}) for row in ranking.rows]
    return repr((replace(ranking, rows=tuple(rows), duels=tuple(duels), why=""), blocked))


@settings(max_examples=30, deadline=None)
@given(suites(), st.lists(suites(), min_size=2, max_size=4), st.sampled_from(Strategy), st.data())
def test_the_ranking_is_the_same_with_and_without(
    base: Suite, found: list[Suite], strategy: Strategy, data: st.DataObject
) -> None:
    whole = ranked(found, base, strategy)
    cut = [refused(stopped(one, base, data.draw(st.integers(0, 3))), base) for one in found]
    early = ranked(cut, base, strategy)
    assert without_reasons(early) == without_reasons(whole)
    # However soon it was known what passes at the base, the answer is the same, byte for byte.
    assert repr(early) == repr(ranked([refused(one, base) for one in found], base, strategy))


def test_the_first_test_that_is_lost_is_named() -> None:
    base = Suite(dict.fromkeys(TESTS, Ending.PASSED), frozenset(TESTS))
    suite = replace(base, endings={**base.endings, TESTS[3]: Ending.SKIPPED, TESTS[1]: Ending.FAILED})
    cut = refused(suite, base)
    assert cut.refused_by == TESTS[1]
    (row, _) = ranked([cut, base], base, Strategy.EVIDENCE).rows[::-1]
    assert [one.reason for one in row.blocked] == [f"passed at the base: {TESTS[1]}"]
    assert [stage.told for stage in row.stages[1:4]] == ["not asked"] * 3


def test_who_loses_nothing_is_not_refused() -> None:
    base = Suite({TESTS[0]: Ending.FAILED, TESTS[1]: Ending.PASSED}, frozenset(TESTS[:2]))
    assert refused(base, base) is base or refused(base, base) == base


CODE = """\
import time


def test_0():
    pass


def test_1():
    assert False


def test_2():
    time.sleep(60)


def test_3():
    assert False
"""


@pytest.fixture
def made(tmp_path: Path) -> Checkout:
    checkout = Checkout(tmp_path)
    checkout.files.mkdir()
    checkout.home.mkdir()
    (checkout.files / "test_a.py").write_text(CODE)
    return checkout


RUNS = Runs(sys.executable, (), Limits(), Enclosure(Isolation.NONE), "")


@pytest.mark.deep
async def test_a_run_ends_with_the_first_test_that_is_lost(made: Checkout) -> None:
    watch = Watch(passing=frozenset(TESTS))
    watch.opening.set_result(frozenset())
    suite = await RUNS.suite(made, made.files, watch)
    assert dict(suite.endings) == {TESTS[0]: Ending.PASSED, TESTS[1]: Ending.FAILED}
    assert suite.collected == frozenset(TESTS[:4])
    assert suite.reason == ""


@pytest.mark.deep
async def test_tests_that_refused_somebody_lately_run_first(made: Checkout) -> None:
    watch = Watch((TESTS[4], TESTS[3]))
    watch.opening.set_result(frozenset(TESTS))
    suite = await RUNS.suite(made, made.files, watch)
    assert (suite.refused_by, dict(suite.endings)) == (TESTS[3], {TESTS[3]: Ending.FAILED})


@pytest.mark.deep
async def test_of_the_base_is_told_what_passes(made: Checkout) -> None:
    (made.files / "test_a.py").write_text(CODE.replace("time.sleep(60)", "pass"))
    watch = Watch((TESTS[0], TESTS[3]))
    suite = await RUNS.suite(made, made.files, watch, is_base=True)
    assert await watch.opening == {TESTS[0]}
    assert watch.passing == suite.passing == {TESTS[0], TESTS[2]}


@pytest.mark.deep
async def test_nobody_waits_for_a_base_that_cannot_be_collected(made: Checkout) -> None:
    (made.files / "test_a.py").write_text("import nothing_of_this_name\n")
    watch = Watch((TESTS[0],))
    assert (await RUNS.suite(made, made.files, watch, is_base=True)).reason
    assert await watch.opening == frozenset()
