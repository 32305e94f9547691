"""Projects as they are: configuration, fixtures, plug-ins, unittest, parameters."""

from __future__ import annotations

import sys

import pytest
from runner_project import MakeRunner

pytestmark = pytest.mark.timeout(60)


async def test_parameters_fixtures_and_classes_keep_their_identifiers(make: MakeRunner) -> None:
    project = make(
        {
            "tests/conftest.py": """
                import pytest

                OPENED = []

                @pytest.fixture(scope="session")
                def base():
                    OPENED.append(1)
                    yield len(OPENED)

                @pytest.fixture(params=["a/b", "ä ö", "x[1]"])
                def text(request):
                    return request.param
            """,
            "tests/test_it.py": """
                import pytest

                class TestGroup:
                    @pytest.mark.parametrize("n", [1, pytest.param(2, id="two")])
                    def test_both(self, base, n, text):
                        assert base == 1

                def test_base(base):
                    assert base == 1
            """,
        }
    )
    await project.runner.discover({})
    assert project.runner.collection is not None
    items = {item.id: item for item in project.runner.collection.items}
    assert len(items) == 7
    both = [item for item in items.values() if "test_both" in item.id]
    assert {(item.path, item.function, item.line) for item in both} == {
        ("tests/test_it.py", "TestGroup.test_both", 4)
    }
    assert await project.endings() == dict.fromkeys(items, "passed")
    chosen = [both[0].id, "tests/test_it.py::test_base"]
    assert await project.endings(*chosen) == dict.fromkeys(chosen, "passed")


async def test_unknown_identifiers_are_told(make: MakeRunner) -> None:
    project = make({"test_it.py": "def test_it(): pass\n"})
    run = await project.answer("test_it.py::test_it", "test_it.py::test_gone")
    assert [r.id for r in run.results] == ["test_it.py::test_it"]
    assert run.unknown == ("test_it.py::test_gone",)


async def test_unittest_runs_through_pytest(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                import unittest

                class Cases(unittest.TestCase):
                    @classmethod
                    def setUpClass(cls):
                        cls.shared = 1

                    def setUp(self):
                        self.n = self.shared

                    def test_equal(self):
                        self.assertEqual(self.n, 2)

                    def test_parts(self):
                        for n in range(3):
                            with self.subTest(n=n):
                                self.assertNotEqual(n, 1)

                    @unittest.skip("later")
                    def test_later(self): pass

                    @unittest.expectedFailure
                    def test_expected(self):
                        self.fail()
            """
        }
    )
    results = await project.run()
    endings = {name.split("::")[-1]: r.ending.value for name, r in results.items()}
    assert endings == {
        "test_equal": "failed",
        "test_parts": "failed",
        "test_later": "skipped",
        "test_expected": "xfailed",
    }
    failure = results["test_it.py::Cases::test_equal"].failure
    assert failure is not None
    assert failure.explanation == "AssertionError: 1 != 2"
    assert [(f.path, f.line) for f in failure.problem.frames] == [("test_it.py", 12)], (
        "none of unittest's own"
    )


async def test_asynchronous_tests_run_with_their_plug_in(make: MakeRunner) -> None:
    project = make(
        {
            "pytest.ini": "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n",
            "test_it.py": """
                import asyncio

                async def test_good():
                    await asyncio.sleep(0)

                async def test_bad():
                    await asyncio.sleep(0)
                    assert 1 == 2
            """,
        },
        arguments=("-p", "pytest_asyncio.plugin"),
    )
    assert await project.endings() == {"test_it.py::test_good": "passed", "test_it.py::test_bad": "failed"}
    changed = "import asyncio\n\n\nasync def test_good():\n    await asyncio.sleep(0)\n    assert 0\n"
    assert (await project.endings("test_it.py::test_good", overlay={"test_it.py": changed})) == {
        "test_it.py::test_good": "failed"
    }


async def test_options_of_the_project_that_would_stop_or_scatter_a_run_do_not(make: MakeRunner) -> None:
    project = make(
        {
            "pyproject.toml": """
                [tool.pytest.ini_options]
                addopts = "-x -q --strict-markers --durations=3 --ff --tb=long -s"
                testpaths = ["checks"]
            """,
            "checks/test_it.py": "def test_a():\n    assert 0\ndef test_b():\n    print('loud')\n",
            "test_elsewhere.py": "def test_c(): pass\n",
        }
    )
    assert await project.endings() == {
        "checks/test_it.py::test_a": "failed",
        "checks/test_it.py::test_b": "passed",
    }


async def test_doctests_are_tests(make: MakeRunner) -> None:
    project = make(
        {
            "lib.py": '''
                def add(a, b):
                    """Add.

                    >>> add(1, 2)
                    3
                    """
                    return a + b
            '''
        },
        arguments=("--doctest-modules",),
    )
    assert await project.endings() == {"lib.py::lib.add": "passed"}
    edit = (project.root / "lib.py").read_text(encoding="utf-8").replace("a + b", "a - b")
    run = await project.answer(overlay={"lib.py": edit})
    assert run.results[0].ending == "failed" and run.results[0].failure is not None
    problem = run.results[0].failure.problem
    assert (problem.message, problem.path, problem.line) == ("expected '3', got '-1'", "lib.py", 4)


async def test_plug_ins_of_the_project_are_called(make: MakeRunner) -> None:
    project = make(
        {
            "conftest.py": """
                import pytest
                pytest_plugins = ["extra"]

                def pytest_collection_modifyitems(items):
                    items.reverse()

                def pytest_runtest_setup(item):
                    if "skipme" in item.name:
                        pytest.skip("by a hook")
            """,
            "extra.py": "import pytest\n\n@pytest.fixture\ndef given():\n    return 4\n",
            "test_it.py": "def test_given(given):\n    assert given == 4\ndef test_skipme():\n    assert 0\n",
        }
    )
    answer = await project.answer()
    assert [(r.id, r.ending.value) for r in answer.results] == [
        ("test_it.py::test_skipme", "skipped"),
        ("test_it.py::test_given", "passed"),
    ]


async def test_a_package_below_src_is_found_as_pytest_finds_it(make: MakeRunner) -> None:
    project = make(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['src']\n",
            "src/shop/__init__.py": "from shop.cart import add\n",
            "src/shop/cart.py": "def add(a, b):\n    return a + b\n",
            "tests/unit/test_cart.py": "from shop import add\ndef test_add():\n    assert add(1, 1) == 2\n",
        }
    )
    name = "tests/unit/test_cart.py::test_add"
    assert await project.endings() == {name: "passed"}
    overlay = {"src/shop/cart.py": "def add(a, b):\n    return a - b\n"}
    run = await project.answer(name, overlay=overlay)
    assert (run.recollected, run.results[0].ending) == ("", "failed")


async def test_without_pytest_it_is_said(make: MakeRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make(
        {"test_it.py": "def test_it(): pass\n", "pytest.py": "raise ImportError('No module named pytest')\n"}
    )
    run = await project.answer()
    assert run.results == () and "No module named pytest" in run.reason


async def test_an_interpreter_that_is_not_there_is_said(make: MakeRunner) -> None:
    project = make({"test_it.py": "def test_it(): pass\n"}, python="/no/such/python")
    run = await project.answer()
    assert run.reason == "/no/such/python cannot be started: No such file or directory"


def test_the_far_side_is_valid_for_old_interpreters() -> None:
    """Python 3.8 is the oldest that this runs in: what is written here must be its language."""
    import ast
    from pathlib import Path

    import gateline.services.tests.far as far

    files = sorted(Path(far.__file__).parent.rglob("*.py"))
    assert len(files) > 40
    for file in files:
        text = file.read_text(encoding="utf-8")
        ast.parse(text, feature_version=(3, 8))
        tree = ast.parse(text)
        imported = {
            alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names
        }
        imported |= {
            (n.module or "").split(".")[0]
            for n in ast.walk(tree)
            if isinstance(n, ast.ImportFrom) and not n.level
        }
        assert imported <= sys.stdlib_module_names | {"pytest", "_pytest", "coverage"}, file.name
