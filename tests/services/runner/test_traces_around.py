"""What is done around a test, by fixtures, hooks and modules, counts for it."""

from __future__ import annotations

import pytest
from runner_project import MakeRunner

pytestmark = pytest.mark.timeout(90)

AROUND = {
    "shop.py": "def used():\n    return 1\n",
    "test_plain.py": "def test_a(): pass\ndef test_b(): pass\n",
    "test_module.py": """
        from shop import used

        def setup_module(): used()
        def test_a(): pass
        def test_b(): pass
        """,
    "test_last.py": """
        from shop import used

        def test_a(): pass
        def test_b(): pass
        def teardown_module(): used()
        """,
    "test_class.py": """
        from shop import used

        class TestIt:
            def setup_method(self): used()
            def test_a(self): pass
            def test_b(self): pass
        """,
    "test_asked.py": """
        from shop import used

        def test_a(request): request.addfinalizer(used)
        def test_b(): pass
        """,
    "hooked/conftest.py": """
        from shop import used

        def pytest_runtest_setup(): used()
        """,
    "hooked/test_hooked.py": "def test_a(): pass\ndef test_b(): pass\n",
}


CONDITIONS = """
    import pytest, shop

    def test_plain(): pass

    @pytest.mark.skipif("shop.used() > 1", reason="not now")
    def test_skipped_for(): pass

    @pytest.mark.xfail(condition="shop.used() == 1", strict=True, reason="known")
    def test_failing_for(): assert 0

    @pytest.mark.xfail(strict=True, reason="known")
    def test_failing(): assert 0
    """


async def test_what_a_condition_of_a_mark_asks_counts_for_its_test(make: MakeRunner) -> None:
    run = await make({"shop.py": AROUND["shop.py"], "test_it.py": CONDITIONS}).answer()
    found = {trace.test.partition("::")[2] for trace in run.traces if trace.files.get("shop.py")}
    assert found == {"test_skipped_for", "test_failing_for"}


async def test_the_test_that_opens_a_run_is_told_with_all_that_it_waited_for(make: MakeRunner) -> None:
    slow = "import pytest, time\n@pytest.fixture(scope='module')\ndef server(): time.sleep(0.3)\n"
    project = make({"test_it.py": f"{slow}def test_a(server): pass\ndef test_b(server): pass\n"})
    run = await project.answer()
    assert run.opening is not None and run.opening[0] == "test_it.py::test_a" and run.opening[1] > 0.3
    assert run.results[0].seconds < run.opening[1] - 0.3, "the test itself is quick"
    again = await project.answer("test_it.py::test_b")
    assert again.opening is not None and again.opening[0] == "test_it.py::test_b"


async def test_what_the_project_does_around_a_test_counts_for_it(make: MakeRunner) -> None:
    """As well where most tests have nothing around them, and only their own code is followed."""
    every = ("test_module.py::test_a", "test_last.py::test_b", "test_class.py::TestIt::test_a")
    wanted = {*every, "test_class.py::TestIt::test_b", "test_asked.py::test_a"}
    plain = {path: text for path, text in AROUND.items() if "hooked" not in path}
    run = await make(plain).answer()
    found = {trace.test for trace in run.traces if trace.files.get("shop.py")}
    assert wanted <= found and not any(test.startswith("test_plain") for test in found)
    hooked = await make(AROUND).answer()
    with_hooks = {trace.test for trace in hooked.traces if trace.files.get("shop.py")}
    assert with_hooks >= wanted | {"hooked/test_hooked.py::test_a", "hooked/test_hooked.py::test_b"}
