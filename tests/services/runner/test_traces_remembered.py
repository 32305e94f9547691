"""A function that remembers its results runs once; what it executed counts for all that take the result."""

from __future__ import annotations

import sys

import pytest
from runner_project import MakeRunner

from gateline.testing.trace import lines_of

pytestmark = pytest.mark.timeout(60)

LIB = """\
import functools

def helper():
    return 1

def other():
    return 2

@functools.lru_cache
def one():
    return helper()

@functools.lru_cache(maxsize=None)
def two():
    return one()
"""
HELPER, OTHER, ONE, TWO = 3, 6, 10, 14
"""The lines of the bodies, zero-based."""


async def traced(make: MakeRunner, tests: str, **files: str) -> dict[str, set[int]]:
    """Which bodies of the library each test is said to have executed."""
    project = make({"lib.py": LIB, "test_it.py": tests, **files})
    answer = await project.answer(coverage=True)
    assert {result.ending.value for result in answer.results} == {"passed"}
    bodies = {HELPER, OTHER, ONE, TWO}
    return {
        trace.test.rpartition("::")[2]: bodies & lines_of(trace.files["lib.py"].lines)
        if "lib.py" in trace.files
        else set()
        for trace in answer.traces
    }


async def test_all_that_take_the_result(make: MakeRunner) -> None:
    tests = """\
        import lib

        def test_a(): assert lib.other() + lib.one() == 3
        def test_b(): assert lib.one() == 1
        def test_c(): assert lib.other() == 2
        def test_d(): assert lib.one() == 1
        """
    said = await traced(make, tests)
    assert said["test_a"] == {HELPER, OTHER, ONE}
    assert said["test_c"] == {OTHER}
    assert said["test_d"] == said["test_b"]
    assert said["test_b"] >= {HELPER, ONE}
    if sys.version_info < (3, 12):
        # What the first test did beside that is no matter of the others.
        assert said["test_b"] == {HELPER, ONE}


async def test_what_remembers_may_ask_what_remembers(make: MakeRunner) -> None:
    tests = """\
        import lib

        def test_a(): assert lib.one() == 1
        def test_b(): assert lib.two() == 1
        def test_c(): assert lib.two() == 1
        """
    said = await traced(make, tests)
    assert said == {"test_a": {HELPER, ONE}, "test_b": {HELPER, ONE, TWO}, "test_c": {HELPER, ONE, TWO}}


async def test_a_shared_fixture_that_takes_the_result(make: MakeRunner) -> None:
    tests = """\
        import lib
        import pytest

        @pytest.fixture(scope="module")
        def value(): return lib.one()

        def test_a(): assert lib.one() == 1
        def test_b(value): assert value == 1
        def test_c(value): assert value == 1
        """
    said = await traced(make, tests)
    assert said == {test: {HELPER, ONE} for test in ("test_a", "test_b", "test_c")}


async def test_a_module_that_comes_while_tests_run(make: MakeRunner) -> None:
    tests = """\
        def test_a():
            import lib
            assert lib.one() == 1

        def test_b():
            import lib
            assert lib.one() == 1
        """
    said = await traced(make, tests)
    assert all(bodies >= {HELPER, ONE} for bodies in said.values())


async def test_somebody_makes_it_forget(make: MakeRunner) -> None:
    tests = """\
        import lib
        import pytest

        def test_a(): assert lib.one() + lib.one() == 2
        def test_b():
            assert lib.one() == 1
            lib.one.cache_clear()
        """
    said = await traced(make, tests)
    assert said == {"test_a": {HELPER, ONE}, "test_b": {HELPER, ONE}}


async def test_its_code_runs_in_a_thread(make: MakeRunner) -> None:
    tests = """\
        import functools
        import threading

        import lib

        @functools.lru_cache
        def threaded():
            found = []
            thread = threading.Thread(target=lambda: found.append(lib.other()))
            thread.start()
            thread.join()
            return found[0]

        def test_a(): assert threaded() == 2
        def test_b(): assert threaded() == 2
        """
    assert await traced(make, tests) == {"test_a": {OTHER}, "test_b": {OTHER}}


async def test_tests_that_profile_are_left_alone(make: MakeRunner) -> None:
    tests = """\
        import cProfile

        import lib

        def test_a():
            profile = cProfile.Profile()
            assert profile.runcall(lib.one) == 1
            assert any("helper" in str(one.code) for one in profile.getstats())

        def test_b(): assert lib.one() == 1
        """
    assert await traced(make, tests) == {"test_a": {HELPER, ONE}, "test_b": {HELPER, ONE}}
