"""Runs that tell what all tests execute together, and collections from compiled modules that were kept."""

from __future__ import annotations

from pathlib import Path

from runner_project import MakeRunner

PROJECT = {
    "shop.py": """
        def price(count):
            if count > 3:
                return 3 * count
            return 4 * count

        def unused():
            return 0
        """,
    "test_shop.py": """
        from shop import price

        def test_few():
            assert price(1) == 4

        def test_many():
            assert price(5) == 15

        def test_wrong():
            given = 2
            assert price(given) == 9
        """,
}


async def test_one_trace_says_what_all_do_each_for_itself(make: MakeRunner) -> None:
    project = make(PROJECT)
    whole = await project.runner.run_whole({})
    each = await project.answer(arcs=["shop.py"])
    (trace,) = whole.traces
    lines, steps = 0, set[tuple[int, int]]()
    for one in each.traces:
        lines |= one.files["shop.py"].lines
        steps |= one.files["shop.py"].arcs or set()
    assert (trace.test, trace.files["shop.py"].lines) == ("", lines)
    assert trace.files["shop.py"].arcs == steps
    assert {r.id: r.ending for r in whole.results} == {r.id: r.ending for r in each.results}


async def test_branches_of_what_is_imported_are_told_too(make: MakeRunner) -> None:
    project = make({**PROJECT, "shop.py": "import sys\nif sys:\n    price = int\n"})
    await project.runner.run_whole({})
    assert project.runner.collection is not None
    assert project.runner.collection.imported.files["shop.py"].arcs


async def test_modules_that_were_kept_fail_with_the_same_words(make: MakeRunner, tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "compiled"
    first, second = make(PROJECT, compiled=kept), make(PROJECT, compiled=kept)
    before = await first.run()
    assert kept.stat().st_size > 1000
    after = await first.run(overlay={"test_shop.py": PROJECT["test_shop.py"].replace("== 9", "== 10")})
    again = await second.run()
    explanations = [run["test_shop.py::test_wrong"].failure for run in (before, after, again)]
    told = [failure.explanation if failure else "" for failure in explanations]
    assert "assert 8 == 9" in told[0] and "assert 8 == 10" in told[1]
    assert told[2] == told[0]
