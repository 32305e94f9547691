"""What is said of tests that do not pass: where, why, and with what in hand."""

from __future__ import annotations

import pytest
from runner_project import MakeRunner

from gateline.testing.result import Failure, Result

pytestmark = pytest.mark.timeout(60)


def failure_of(result: Result) -> Failure:
    assert result.failure is not None
    return result.failure


def calls(failure: Failure) -> list[tuple[str, int, str]]:
    return [
        (frame.path, frame.line, frame.function.split(".")[-1])
        for frame in failure.problem.frames
        if frame.ours
    ]


async def test_a_failure_goes_from_the_test_to_the_deepest_call(make: MakeRunner) -> None:
    project = make(
        {
            "shop/__init__.py": "",
            "shop/prices.py": """\
                def parse(text):
                    return int(text)

                def total(rows):
                    return sum(parse(row) for row in rows)
            """,
            "test_shop.py": """\
                from shop.prices import total

                def test_total():
                    assert total(['1', 'x']) == 3
            """,
        }
    )
    (result,) = (await project.run()).values()
    failure = failure_of(result)
    assert failure.problem.type == "ValueError"
    assert failure.problem.message == "invalid literal for int() with base 10: 'x'"
    assert calls(failure) == [
        ("test_shop.py", 3, "test_total"),
        ("shop/prices.py", 4, "total"),
        ("shop/prices.py", 4, "<genexpr>"),
        ("shop/prices.py", 1, "parse"),
    ]
    assert failure.problem.path == "shop/prices.py"
    assert ("text", "str") in failure.problem.frames[-1].seen
    assert failure.problem.span is not None
    assert (failure.problem.span.start.column, failure.problem.span.end.column) == (11, 20)


async def test_an_object_that_answers_for_itself_is_not_asked_what_it_holds(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """\
                class Answering:
                    __slots__ = ("rows",)

                    def __init__(self):
                        self.rows = None

                    def __getattr__(self, name):
                        return len(self.rows)

                    def total(self):
                        return sum(self.rows)

                def test_total():
                    assert Answering().total() == 0
            """
        }
    )
    (result,) = (await project.run()).values()
    problem = failure_of(result).problem
    assert problem.message == "'NoneType' object is not iterable"
    assert problem.frames[-1].seen == (("self", "test_it.Answering"),)


async def test_an_error_that_hides_what_it_was_made_of_is_told_all_the_same(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """\
                class Odd(Exception):
                    args = None

                def test_total():
                    raise Odd("nothing")
            """
        }
    )
    (result,) = (await project.run()).values()
    assert failure_of(result).problem.type == "Odd"


async def test_a_failure_in_a_library_points_into_the_project(make: MakeRunner) -> None:
    project = make(
        {"test_json.py": "import json\n\n\ndef test_load():\n    print('before')\n    json.loads('{')\n"}
    )
    (result,) = (await project.run()).values()
    problem = failure_of(result).problem
    assert problem.type == "JSONDecodeError"
    assert (problem.path, problem.line) == ("test_json.py", 5)
    assert not problem.frames[-1].ours and problem.frames[-1].path.endswith("json/decoder.py")
    assert failure_of(result).output == "before\n"


async def test_assertions_explain_both_sides_also_in_unsaved_tests(make: MakeRunner) -> None:
    project = make({"test_list.py": "def test_list():\n    assert [1, 2, 3] == [1, 2, 3]\n"})
    await project.run()
    edited = "def test_list():\n    found = [1, 2, 3]\n    assert found == [1, 2, 4]\n"
    run = await project.answer(overlay={"test_list.py": edited})
    explanation = failure_of(run.results[0]).explanation
    assert run.recollected == ""
    assert "assert [1, 2, 3] == [1, 2, 4]" in explanation and "At index 2 diff: 3 != 4" in explanation
    assert calls(failure_of(run.results[0])) == [("test_list.py", 2, "test_list")]


async def test_fixtures_that_fail_are_errors_in_their_phase(make: MakeRunner) -> None:
    project = make(
        {
            "conftest.py": """
                import pytest

                @pytest.fixture
                def broken():
                    raise RuntimeError("no data base")

                @pytest.fixture
                def untidy():
                    yield 1
                    raise RuntimeError("cannot clean up")
            """,
            "test_it.py": """
                def test_broken(broken): pass
                def test_untidy(untidy): pass
                def test_both(untidy): assert untidy == 2
            """,
        }
    )
    results = await project.run()
    endings = {name.split("::")[1]: (r.ending.value, failure_of(r).phase) for name, r in results.items()}
    assert endings == {
        "test_broken": ("error", "setup"),
        "test_untidy": ("error", "teardown"),
        "test_both": ("failed", "call"),
    }
    assert failure_of(results["test_it.py::test_broken"]).problem.path == "conftest.py"


async def test_skips_and_expected_failures_have_their_reasons(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                import pytest

                @pytest.mark.skip(reason="not today")
                def test_skipped(): assert 0

                @pytest.mark.xfail(reason="known")
                def test_expected(): assert 0

                @pytest.mark.xfail(reason="known")
                def test_surprise(): pass

                @pytest.mark.xfail(strict=True, reason="known")
                def test_strict(): pass
            """
        }
    )
    found = {name.split("::")[1]: (r.ending.value, r.reason) for name, r in (await project.run()).items()}
    assert found == {
        "test_skipped": ("skipped", "Skipped: not today"),
        "test_expected": ("xfailed", "known"),
        "test_surprise": ("xpassed", "known"),
        "test_strict": ("failed", ""),
    }


async def test_that_a_test_passes_which_is_to_fail_is_told_apart(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                import pytest, unittest

                @pytest.mark.xfail(strict=True, reason="known")
                def test_strict(): pass

                def test_added(request):
                    request.node.add_marker(pytest.mark.xfail(strict=True))

                class TestIt(unittest.TestCase):
                    @unittest.expectedFailure
                    def test_unittest(self): pass

                def test_fails(): pytest.fail("[XPASS(strict)] known", pytrace=False)
                def test_without_fixture(nobody): pass
            """
        }
    )
    found = {name.split("::")[-1]: failure_of(r).unexpected for name, r in (await project.run()).items()}
    expected = {"test_strict": True, "test_added": True, "test_unittest": True}
    assert found == {**expected, "test_fails": False, "test_without_fixture": False}


@pytest.mark.parametrize(
    "raising",
    [
        "raise ValueError('no key') from error",
        "raise ValueError('no key') from None",
        "kept = ValueError('no key'); kept.inner = error",
        "kept = ValueError('no key', error)",
        "kept = ValueError('no key', [error])",
    ],
)
async def test_a_cause_is_told_with_the_failure(make: MakeRunner, raising: str) -> None:
    project = make(
        {
            "test_it.py": f"""
                def test_it():
                    try:
                        {{}}["key"]
                    except KeyError as error:
                        {raising}
                    raise kept
            """
        }
    )
    (result,) = (await project.run()).values()
    cause = failure_of(result).problem.cause
    assert cause is not None and (cause.type, cause.message) == ("KeyError", "'key'")


@pytest.mark.parametrize(
    ("text", "type_", "line"),
    [
        ("def test_it(:\n    pass\n", "SyntaxError", 0),
        ("import no_such_module\n\ndef test_it(): pass\n", "ModuleNotFoundError", 0),
        ("x = 1\nraise RuntimeError('at import')\n", "RuntimeError", 1),
    ],
)
async def test_a_file_that_cannot_be_collected_is_an_error_and_the_others_run(
    make: MakeRunner, text: str, type_: str, line: int
) -> None:
    project = make({"test_bad.py": text, "test_good.py": "def test_good(): pass\n"})
    assert await project.endings() == {"test_good.py::test_good": "passed"}
    assert project.runner.collection is not None
    (error,) = project.runner.collection.errors
    problem = error.failure.problem
    assert (error.id, problem.type, problem.path, problem.line) == ("test_bad.py", type_, "test_bad.py", line)


async def test_a_broken_conftest_keeps_everything_from_being_collected(make: MakeRunner) -> None:
    project = make({"conftest.py": "import no_such_module\n", "test_good.py": "def test_good(): pass\n"})
    run = await project.answer()
    assert run.results == ()
    (error,) = run.errors
    assert (error.failure.problem.path, error.failure.problem.type) == ("conftest.py", "ModuleNotFoundError")
    assert "no_such_module" in run.reason
    project.write({"conftest.py": ""})
    assert await project.endings() == {"test_good.py::test_good": "passed"}


async def test_arguments_that_pytest_does_not_know_are_told(make: MakeRunner) -> None:
    project = make({"test_good.py": "def test_good(): pass\n"}, arguments=("--no-such-option",))
    run = await project.answer()
    assert run.results == ()
    assert "--no-such-option" in run.errors[0].failure.explanation


async def test_memory_and_time_of_a_test_are_its_own(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                import time

                def test_large():
                    block = bytearray(40 << 20)

                def test_small():
                    time.sleep(0.2)
            """
        }
    )
    results = await project.run()
    large, small = results["test_it.py::test_large"], results["test_it.py::test_small"]
    assert large.memory is not None and 40e6 < large.memory < 80e6
    assert small.memory is not None and small.memory < 20e6
    assert 0.2 <= small.seconds < 20, "in seconds"
