"""Tests run in the order of an ordinary pytest; what is wanted sooner is told before, and runs once more."""

from __future__ import annotations

from textwrap import dedent
from time import perf_counter

import pytest
from runner_project import MakeRunner

from gateline.services.tests.far.early import first_file

pytestmark = pytest.mark.timeout(60)

FIRST, LAST = "test_a.py::test_it", "test_b.py::test_it"


def files(first: str, last: str) -> dict[str, str]:
    """Two files with a test each, and what they share."""
    head = "import time\nimport lib\n\ndef test_it():\n    "
    return {"lib.py": "SIGNS = ['-']\n", "test_a.py": head + first + "\n", "test_b.py": head + last + "\n"}


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        # What the second leaves behind, the first does not bear.
        ("assert lib.SIGNS == ['-']", "lib.SIGNS[0] = '+'", ["b passed", "a passed"]),
        # The second passes only because of what the first leaves behind.
        ("lib.SIGNS.append('+')", "assert '+' in lib.SIGNS", ["b failed", "a passed", "b passed"]),
        # The second fails because of that.
        ("lib.SIGNS.append('+')", "assert '+' not in lib.SIGNS", ["b passed", "a passed", "b failed"]),
        # Nobody waits for one that takes long.
        ("pass", "time.sleep(1.5)", ["a passed", "b passed"]),
    ],
)
async def test_as_in_an_ordinary_run(make: MakeRunner, first: str, last: str, told: list[str]) -> None:
    project = make(files(first, last))
    await project.answer()
    heard: list[str] = []
    run = await project.runner.run([LAST, FIRST], {}, lambda r: heard.append(f"{r.id[5]} {r.ending.value}"))
    assert heard == told
    # What was told early counts no longer.
    ends = [(result.id[5], result.ending.value) for result in run.results]
    assert ends == sorted(dict(one.split() for one in heard).items())
    assert {trace.test for trace in run.traces} == {FIRST, LAST}


async def test_nothing_runs_twice_where_nobody_listens(make: MakeRunner) -> None:
    project = make(files("lib.SIGNS.append('+')", "assert '+' in lib.SIGNS"))
    run = await project.runner.run([LAST, FIRST], {})
    assert [(r.id, r.ending.value) for r in run.results] == [(FIRST, "passed"), (LAST, "passed")]


@pytest.mark.parametrize("wrong", ["assert False", "while True: pass"], ids=["fails", "takes too long"])
async def test_where_that_is_asked_for_the_first_that_fails_is_the_last_that_runs(
    make: MakeRunner, wrong: str
) -> None:
    tests = f"def test_1(): pass\n\ndef test_2():\n    {wrong}\n\ndef test_3(): pass\n"
    project = make({"test_a.py": tests}, limits={"test": 1})
    run = await project.answer(until_failure=True)
    assert [result.id[-1] for result in run.results] == ["1", "2"]
    assert run.left == (), "nothing is said to have had no time"
    assert [result.id[-1] for result in (await project.answer()).results] == ["1", "2", "3"]


AROUND = """\
    import time
    import pytest

    @pytest.fixture
    def server():
        yield
        {after}

    def test_it(server): pass
    """


async def test_a_result_does_not_wait_for_what_is_around_the_test(make: MakeRunner) -> None:
    slow = dedent(AROUND).format(after="time.sleep(0.6)")
    project = make({"test_a.py": "def test_it(): pass\n", "test_b.py": slow})
    await project.runner.discover({})
    heard: list[tuple[str, float]] = []
    for _ in range(2):
        await project.runner.run([LAST, FIRST], {}, lambda r: heard.append((r.id[5], perf_counter())))
    # What is slow by itself runs only in its place from then on.
    assert [test for test, _ in heard] == ["b", "a", "a", "b"]
    assert heard[1][1] - heard[0][1] >= 0.6


async def test_what_fails_around_a_test_is_told_when_it_does(make: MakeRunner) -> None:
    fails = dedent(AROUND).format(after="assert 0")
    project = make({"test_a.py": "def test_it(): pass\n", "test_b.py": fails})
    await project.runner.discover({})
    heard: list[str] = []
    await project.runner.run([LAST, FIRST], {}, lambda r: heard.append(f"{r.id[5]} {r.ending.value}"))
    assert heard == ["b passed", "b error", "a passed"]


COLLECTED = ["a.py::x", "a.py::y", "b.py::x", "b.py::y"]


@pytest.mark.parametrize(
    ("wanted", "early"),
    [
        (["b.py::y", "a.py::x", "b.py::x"], ["b.py::y", "b.py::x"]),
        (["a.py::y", "b.py::x"], []),
        (["b.py::x"], []),
        (["gone.py::x", "b.py::x", "a.py::x"], ["b.py::x"]),
        (["gone.py::x"], []),
        ([], []),
    ],
)
def test_what_comes_before_its_place(wanted: list[str], early: list[str]) -> None:
    assert first_file(wanted, COLLECTED) == early


async def test_a_test_that_is_asked_for_twice_runs_once(make: MakeRunner) -> None:
    body = """
        import pytest

        @pytest.fixture
        def box():
            return []

        def test_box(box):
            assert box == []
    """
    project = make({"test_it.py": body})
    run = await project.answer("test_it.py::test_box", "test_it.py::test_box")
    assert [(result.id, result.ending) for result in run.results] == [("test_it.py::test_box", "passed")]


async def test_a_named_file_is_collected_beside_the_others(make: MakeRunner) -> None:
    files = {
        "pytest.ini": "[pytest]\ntestpaths = tests\n",
        "tests/test_it.py": "def test_it(): pass\n",
        "tests/odd.py": "def test_odd(): pass\n",
        "checks/more.py": "def test_more(): pass\n",
    }
    project = make(files, named=("tests/odd.py", "checks/more.py"))
    assert set(await project.endings()) == {
        "tests/test_it.py::test_it",
        "tests/odd.py::test_odd",
        "checks/more.py::test_more",
    }
