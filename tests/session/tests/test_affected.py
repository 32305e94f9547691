"""Affected tests and coverage of a change, from the real runner and book: what ran, why, and what is said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from gateline.model import State
from gateline.services.tests.options import Limits
from gateline.services.tests.runner import TestRunner
from gateline.session.tests.base_results import exchanges_bodies
from gateline.session.tests.testing import Wanted, Which
from support.tested_shop import AFFECTED, BASE, Shop, change, coverage, edited, failing, numbers, ran

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    made = Shop(tmp_path)
    yield made
    await made.tests.stop()


TOTAL = edited("cart.py", "return sum(prices)", "found = sum(prices)\n    return found")


async def test_first_all_that_reach_the_change_run_then_only_what_executes_it(shop: Shop) -> None:
    first = await shop.said(TOTAL)
    assert ran(first) == {"test_total", "test_empty", "test_fee", "test_wrong_before"}
    assert first.about is not None
    assert first.about.why == ("4 import cart.py, and were not measured yet",)
    text = TOTAL["cart.py"]
    assert text is not None
    second = await shop.said({"cart.py": text.replace("found = sum(prices)", "found = sum(prices) + 1")})
    assert ran(second) == {"test_total", "test_empty", "test_wrong_before"}
    assert failing(second) == {"test_total": "floor", "test_empty": "floor", "test_wrong_before": "counts"}
    assert second.about is not None and (second.about.run, second.about.total) == (3, 4)
    assert set(second.about.why) == {"2 execute total in cart.py", "1 failed when it ran last"}
    before = [
        finding.line_text for reports in second.base.values() for r in reports for finding in r.findings
    ]
    assert before == ["test_cart.py::test_wrong_before"], "what failed before is old"


async def test_a_test_that_need_not_run_still_counts(shop: Shop) -> None:
    await shop.said(TOTAL)
    again = await shop.said({**TOTAL, "other.py": "x = 1\n"})
    assert ran(again) == {"test_wrong_before"}
    (report,) = (r for r in again.current["test_cart.py"] if r.analyzer == "tests")
    assert numbers(report) == {"tests_run": 4}


async def test_after_an_import_that_hangs_what_was_said_of_the_same_code_holds(shop: Shop) -> None:
    runner = shop.tests.service
    assert isinstance(runner, TestRunner)
    runner.options = replace(runner.options, limits=Limits(collection=8))
    known = await shop.said(TOTAL)
    hanging = await shop.said({"cart.py": BASE["cart.py"] + "while True:\n    pass\n"})
    assert (ran(hanging), failing(hanging)) == (set(), {"": "floor"})
    again = await shop.said(TOTAL)
    assert (ran(again), failing(again)) == ({"test_wrong_before"}, failing(known))


async def test_what_is_known_is_known_in_the_next_session(shop: Shop) -> None:
    await shop.said(TOTAL)
    await shop.tests.stop()
    shop.tests = shop.opened()
    assert ran(await shop.said(TOTAL)) == {"test_wrong_before"}


async def test_a_deleted_file_is_absent_for_its_tests(shop: Shop) -> None:
    await shop.said(TOTAL)
    gone = await shop.said({"cart.py": None})
    assert [f.code for f in gone.current["test_cart.py"][0].findings] == ["GTL201"]
    assert "cart" in gone.current["test_cart.py"][0].findings[0].message
    assert (shop.root / "cart.py").exists()


async def test_all_run_only_when_that_is_affordable(tmp_path: Path) -> None:
    shop = Shop(tmp_path, affordable=0.0)
    try:
        all_of_them = Wanted(Which.ALL, affordable=True)
        first = await shop.said(TOTAL, all_of_them)
        assert len(ran(first)) == 4, "nobody knows yet how long they take"
        second = await shop.said(TOTAL, all_of_them)
        assert ran(second) == {"test_wrong_before"}
        assert second.about is not None and "more than tests.affordable (0)" in second.about.note
        assert len(ran(await shop.said(TOTAL, Wanted(Which.ALL)))) == 4
    finally:
        await shop.tests.stop()


async def test_what_somebody_names_is_run(shop: Shop) -> None:
    said = await shop.said(TOTAL, Wanted(Which.AFFECTED, only=("test_cart.py::test_fee",)))
    assert ran(said) == {"test_fee"}
    assert coverage(said).state is State.STALE, "the tests of the change have not run"


async def test_coverage_of_a_change(shop: Shop) -> None:
    branch = edited(
        "cart.py", "return weight * 2", "if weight > 10:\n        return 20\n    return weight * 2"
    )
    said = coverage(await shop.said(branch))
    assert said.state is State.MEASURED
    assert numbers(said) == {"executable": 4, "covered": 2}
    (finding,) = said.findings
    assert (finding.code, finding.span.start.line) == ("GTL210", 6)
    assert finding.message == (
        "no test executes the changed line 7: "
        "line 6 didn't jump to line 7 because the condition on line 6 was never true"
    )
    tested = {
        **branch,
        "test_cart.py": BASE["test_cart.py"] + "\n\ndef test_heavy():\n    assert cart.fee(11) == 20\n",
    }
    assert (await shop.coverage(tested)).state is State.STALE, "a new test might execute it"
    after = coverage(await shop.said(tested))
    assert (numbers(after), after.findings) == ({"executable": 4, "covered": 4}, ())


async def test_coverage_moves_with_the_lines_and_is_stale_where_code_changed(shop: Shop) -> None:
    await shop.said(TOTAL)
    text = TOTAL["cart.py"]
    assert text is not None
    moved = await shop.coverage({"cart.py": "# a comment\n\n" + text})
    assert (moved.state, numbers(moved)) == (State.MEASURED, {"executable": 2, "covered": 2})
    assert (await shop.coverage({"cart.py": text.replace("sum(", "len(")})).state is State.STALE
    assert (await shop.coverage({"cart.py": text.replace("sum(", "sum((")})).state is State.NO_DATA
    never = await shop.coverage({"cart.py": text.replace("return 1", "return 2")})
    assert [(f.code, f.span.start.line) for f in never.findings] == [("GTL210", 10)], "no test executed it"


async def test_what_runs_is_ended_when_nobody_wants_it_any_more(shop: Shop) -> None:
    slow = {**TOTAL, "test_cart.py": BASE["test_cart.py"].replace("2) == 5", "2) == 4\n    while True: pass")}
    ended = []

    async def end(test: str) -> None:
        await shop.tests.interrupt()
        ended.append(test)

    tasks = []
    said = await shop.tests.of_change(
        change(slow), {}, AFFECTED, lambda result: tasks.append(asyncio.ensure_future(end(result.id)))
    )
    await asyncio.gather(*tasks)
    assert ended and not said.is_whole


async def test_other_bodies_are_judged_beside_the_base_without_another_collection(shop: Shop) -> None:
    wrong = edited("cart.py", "return sum(prices)", "return sum(prices) + 1")
    said = await shop.said(wrong)
    assert failing(said) == {"test_total": "floor", "test_empty": "floor", "test_wrong_before": "counts"}
    assert shop.base.pids == []
    more = {"cart.py": str(wrong["cart.py"]) + "\nMORE = 1\n"}
    await shop.said(more)
    assert shop.base.pids == [], "what is known of the base is known"
    await shop.said(
        {**more, "test_cart.py": BASE["test_cart.py"] + "\n\ndef test_new():\n    assert False\n"}
    )
    assert shop.base.pids != [], "now something else would be collected"


async def test_a_body_that_ran_while_importing_is_not_exchanged_back(shop: Shop) -> None:
    await shop.said({})
    wrong = edited("cart.py", "return 4", "return 5")
    wrong["cart.py"] = str(wrong["cart.py"]).replace("return sum(prices)", "return 0")
    said = await shop.said(wrong)
    assert failing(said) == {"test_total": "floor", "test_wrong_before": "counts"}
    assert shop.tests.service is not None and shop.tests.service.collection is not None
    assert shop.tests.service.collection.files["cart.py"] == change(wrong).files[0].current.digest  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("texts", "only_bodies"),
    [
        (edited("cart.py", "return weight * 2", "return weight"), True),
        (edited("cart.py", "def unused", "def used"), False),
        ({"cart.py": BASE["cart.py"] + "\n\ndef more():\n    return 1\n"}, False),
        ({"cart.py": BASE["cart.py"] + "X = 1\n"}, False),
        ({"cart.py": None}, False),
        ({"other.py": "x = 1\n"}, False),
    ],
)
def test_what_only_exchanges_bodies(texts: dict[str, str | None], *, only_bodies: bool) -> None:
    assert exchanges_bodies(change(texts)) is only_bodies
