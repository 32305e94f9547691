"""Which edits a collected state can take in, and that nothing is answered from an old one."""

from __future__ import annotations

import pytest
from runner_project import MakeRunner, RunnerProject

pytestmark = pytest.mark.timeout(120)

FILES = {
    "lib.py": """\
        import functools

        LIMIT = 10

        def twice(function):
            @functools.wraps(function)
            def wrapper(*args):
                return function(*args) * 2
            return wrapper

        def plain(n):
            return n + 1

        @twice
        def doubled(n):
            return n

        def table():
            return [1, 2]

        class Shape:
            sides = 4

            def __init__(self, size):
                self.size = size

            @property
            def area(self):
                return self.size * self.size

            @area.setter
            def area(self, value):
                self.size = value

            @staticmethod
            def name():
                return "shape"

        key = lambda n: n
    """,
    "test_lib.py": """\
        import pytest
        import lib

        @pytest.mark.parametrize("n", lib.table())
        def test_table(n):
            assert n in (1, 2)

        def test_plain():
            assert lib.plain(1) == 2

        def test_doubled():
            assert lib.doubled(2) == 4

        def test_shape():
            assert lib.Shape(3).area == 9 and lib.Shape.name() == "shape"

        def test_key():
            assert lib.key(5) == 5

        def test_limit():
            assert lib.LIMIT == 10
    """,
}


async def edited(project: RunnerProject, old: str, new: str, file: str = "lib.py") -> tuple[bool, set[str]]:
    """Whether it was collected anew, and the tests that do not pass then."""
    text = (project.root / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, "the edit must say where it is"
    run = await project.answer(overlay={file: text.replace(old, new)}, coverage=False)
    assert run.reason == ""
    return bool(run.recollected), {r.id.split("::")[1] for r in run.results if r.is_bad}


@pytest.fixture
def project(make: MakeRunner) -> RunnerProject:
    return make(FILES)


WARM = [
    ("return n + 1", "return n + 2", {"test_plain"}),
    ("return n + 1", "# a comment\n    extra = 1\n    return n + extra", set()),
    ("return self.size * self.size", "return self.size", {"test_shape"}),
    ("self.size = value", "self.size = value + 1", set()),
    ('return "shape"', 'return "other"', {"test_shape"}),
    ("lambda n: n", "lambda n: n + 1", {"test_key"}),
    ("return function(*args) * 2", "return function(*args) * 3", {"test_doubled"}),
    ("def doubled(n):\n    return n", "def doubled(n):\n    return n + 1", {"test_doubled"}),
]


async def test_changed_bodies_need_no_collection(project: RunnerProject) -> None:
    await project.runner.discover({})
    for old, new, failing in WARM:
        assert await edited(project, old, new) == (False, failing), new
    assert await edited(project, "LIMIT", "LIMIT", file="test_lib.py") == (False, set())
    changed = await edited(
        project, "assert lib.plain(1) == 2", "assert lib.plain(1) == 3", file="test_lib.py"
    )
    assert changed == (False, {"test_plain"})


COLD = [
    ("return n + 1", "yield n + 1", {"test_plain"}, "the kind of this function"),
    ("    return [1, 2]", "    return [1, 3]", {"test_table[3]"}, "table was called while"),
    ("LIMIT = 10", "LIMIT = 11", {"test_limit"}, "code that runs at import"),
]
"""The rest of what is refused is told by the unit tests of the comparison."""


async def test_everything_else_is_collected_again_and_right(project: RunnerProject) -> None:
    await project.runner.discover({})
    text = (project.root / "lib.py").read_text(encoding="utf-8")
    for old, new, failing, reason in COLD:
        assert text.count(old) == 1
        run = await project.answer(overlay={"lib.py": text.replace(old, new)}, coverage=False)
        assert reason in run.recollected, new
        assert {r.id.split("::")[1] for r in run.results if r.is_bad} == failing, new
        assert (await project.answer(coverage=False)).recollected != "", "and back again"


async def test_a_text_that_does_not_parse_costs_no_collection(project: RunnerProject) -> None:
    await project.runner.discover({})
    run = await project.answer(overlay={"lib.py": "def f(:\n"})
    assert run.results == () and run.reason.startswith("lib.py does not parse: ")
    run = await project.answer("test_lib.py::test_plain")
    assert (run.recollected, run.results[0].ending) == ("", "passed")


async def test_what_is_saved_is_taken_in_like_what_is_typed(project: RunnerProject) -> None:
    await project.runner.discover({})
    file = project.root / "lib.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("return n + 1", "return n + 2"), encoding="utf-8")
    project.before = project.state()
    run = await project.answer("test_lib.py::test_plain")
    assert (run.recollected, run.results[0].ending) == ("", "failed")
    # A buffer with the old text lies over the new file.
    run = await project.answer("test_lib.py::test_plain", overlay={"lib.py": text})
    assert (run.recollected, run.results[0].ending) == ("", "passed")


async def test_a_collection_from_unsaved_texts_returns_to_the_saved_ones(project: RunnerProject) -> None:
    text = (project.root / "lib.py").read_text(encoding="utf-8")
    run = await project.answer("test_lib.py::test_plain", overlay={"lib.py": text.replace("n + 1", "n + 2")})
    assert run.results[0].ending == "failed"
    run = await project.answer("test_lib.py::test_plain")
    assert (run.recollected, run.results[0].ending) == ("", "passed")


async def test_threads_at_collection_mean_a_collection_for_each_run(make: MakeRunner) -> None:
    """A forked child would wait for locks that a thread of its parent holds."""
    project = make(
        {
            "test_it.py": """
                import threading, time
                threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
                def test_it(): pass
                def test_exit():
                    import os
                    os._exit(1)
                def test_last(): pass
            """
        }
    )
    expected = {
        "test_it.py::test_it": "passed",
        "test_it.py::test_exit": "crashed",
        "test_it.py::test_last": "passed",
    }
    assert await project.endings() == expected
    assert project.runner.facts is not None
    assert project.runner.facts.cold == "1 threads run after the tests were collected"
    assert await project.endings() == expected


async def test_cold_runs_answer_the_same(make: MakeRunner) -> None:
    project = make(FILES, cold="tests.warm is off")
    edit = (project.root / "lib.py").read_text(encoding="utf-8").replace("n + 1", "n + 2")
    for overlay, failing in (({}, set()), ({"lib.py": edit}, {"test_lib.py::test_plain"}), ({}, set())):
        run = await project.answer(overlay=overlay)
        assert {r.id for r in run.results if r.is_bad} == failing
        assert len(run.results) == 7 and run.reason == ""


async def test_texts_are_encoded_as_they_declare(make: MakeRunner) -> None:
    head = "#!/usr/bin/python\n# -*- coding: latin-1 -*-\n\n\n"
    text = head + "def test_it():\n    assert ascii('é') == ascii('\\xe9')\n"
    project = make({"test_it.py": ""})
    assert await project.endings(overlay={"test_it.py": text}) == {"test_it.py::test_it": "passed"}
    changed = text.replace("assert", "x = 'é'\n    assert")
    run = await project.answer(overlay={"test_it.py": changed})
    assert (run.recollected, run.results[0].ending) == ("", "passed")


async def test_who_may_not_collect_again_leaves_the_collection_as_it_is(make: MakeRunner) -> None:
    project = make(FILES)
    nothing = await project.answer("test_lib.py::test_plain", recollect=False)
    assert (nothing.reason, nothing.results) == (
        "the tests have not been collected; collect them first",
        (),
    )
    await project.run()
    collection = project.runner.collection
    body = {"lib.py": FILES["lib.py"].replace("return n + 1", "return n + 2")}
    exchanged = await project.answer("test_lib.py::test_plain", overlay=body, recollect=False)
    assert [result.ending.value for result in exchanged.results] == ["failed"]
    called = {"lib.py": FILES["lib.py"].replace("return [1, 2]", "return [1, 2, 3]")}
    refused = await project.answer("test_lib.py::test_plain", overlay=called, recollect=False)
    assert "table was called while the tests were collected" in refused.reason
    assert refused.results == ()
    assert project.runner.collection is collection
    assert await project.endings("test_lib.py::test_plain") == {"test_lib.py::test_plain": "passed"}
