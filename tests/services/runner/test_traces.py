"""What tests execute: the same as coverage.py says of a run of its own, test by test."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from runner_project import QUIET, MakeRunner, RunnerProject

from gateline.model import digest_of
from gateline.testing.outline import Outline
from gateline.testing.trace import lines_of

pytestmark = pytest.mark.timeout(90)

FILES = {
    "shop.py": '''\
        """A shop."""
        import contextlib
        import re
        import threading

        RATE = 2


        def price(n, vat=False):
            if vat:
                n = n * 1.2
            for _ in range(n and 1):
                if n > 100:
                    break
            else:
                n = n + 1
            return round(
                n,
                2,
            )


        def careful(text):
            try:
                value = int(text)
            except ValueError:
                return None
            finally:
                RATE
            with contextlib.suppress(KeyError):
                if value:
                    raise KeyError
            while value:
                value -= 1
            return [x for x in range(3) if x]


        def never():  # pragma: no cover
            return 1


        def in_thread():
            found = []
            thread = threading.Thread(target=lambda: found.append(price(1)))
            thread.start()
            thread.join()
            return found


        def first(text):
            # Compiling it is not followed, what comes behind it is.
            found = re.compile(r"(\\w+)-(\\d{3,4})").match(text)
            if found:
                return found[1]
            return None


        class Cart:
            def __init__(self):
                self.rows = []

            def add(self, row):
                self.rows.append(row)
        ''',
    "conftest.py": """\
        import pytest
        from shop import Cart

        @pytest.fixture(scope="session")
        def cart():
            made = Cart()
            yield made
            made.rows.clear()
        """,
    "test_shop.py": """\
        import pytest
        from shop import careful, first, in_thread, price

        @pytest.mark.parametrize("n", [0, 1, 200])
        def test_price(n):
            price(n)

        def test_vat():
            assert price(10, vat=True) == 1

        def test_careful():
            careful("x")
            careful("2")

        def test_thread():
            in_thread()

        def test_pattern():
            assert first("box-1234") == "box"

        def test_first(cart):
            cart.add(1)

        def test_second(cart):
            pass
        """,
}


def measured(project: RunnerProject) -> dict[str, object]:
    """What `coverage run --branch -m pytest` says, with contexts."""
    environment = {**os.environ, **QUIET, "COVERAGE_FILE": str(project.root.parent / "data")}
    report = project.root.parent / "report.json"
    commands = (
        [
            "run",
            "--branch",
            "--include=shop.py,conftest.py,test_shop.py,shapes.py",
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
        ],
        ["json", "-q", "--show-contexts", "-o", str(report)],
    )
    for command in commands:
        python = [sys.executable, "-B", "-m", "coverage"]
        subprocess.run(
            [*python, *command], cwd=project.root, env=environment, check=False, capture_output=True
        )
    files: dict[str, object] = json.loads(report.read_text())["files"]
    return files


async def test_lines_and_branches_are_those_that_coverage_reports(make: MakeRunner) -> None:
    project = make(FILES)
    texts = {path: (project.root / path).read_text() for path in FILES}
    run = await project.answer(arcs=list(FILES))
    assert project.runner.collection is not None
    outlines = await project.runner.outlines(texts)
    imported = project.runner.collection.imported.files
    for path, expected in measured(project).items():
        assert isinstance(expected, dict)
        outline = outlines[path]
        assert isinstance(outline, Outline)
        traces = [t.files[path] for t in run.traces if path in t.files]
        lines = lines_of(imported[path].lines).union(*(lines_of(t.lines) for t in traces))
        arcs = frozenset[tuple[int, int]]().union(*(t.arcs or () for t in traces))
        assert {line + 1 for line in outline.executed(lines)} == set(expected["executed_lines"]), path
        assert {line + 1 for line in outline.statements - outline.executed(lines)} == set(
            expected["missing_lines"]
        ), path
        taken = outline.taken(arcs)
        missing = {way.arc for way in outline.exits if way.arc not in taken}
        assert {one_based(arc) for arc in missing} == {tuple(a) for a in expected["missing_branches"]}, path
        assert {one_based(arc) for arc in taken} == {tuple(a) for a in expected["executed_branches"]}, path


def one_based(arc: tuple[int, int]) -> tuple[int, int]:
    before, after = (line + 1 if line >= 0 else line for line in arc)
    return before, after


async def test_each_test_has_its_own_lines_and_digests(make: MakeRunner) -> None:
    project = make(FILES)
    text = (project.root / "shop.py").read_text()
    lines = text.splitlines()
    run = await project.answer()
    traces = {trace.test.split("::")[1]: trace for trace in run.traces}

    def executed(test: str) -> set[str]:
        return {lines[line].strip() for line in lines_of(traces[test].files["shop.py"].lines)}

    assert traces["test_price[0]"].files["shop.py"].digest == digest_of(text) == run.contents["shop.py"]
    assert "n = n * 1.2" in executed("test_vat") and "n = n * 1.2" not in executed("test_price[1]")
    assert "break" in executed("test_price[200]") and "break" not in executed("test_price[1]")
    assert "n = n + 1" in executed("test_thread"), "threads are followed"
    assert "n = n + 1" not in executed("test_first")


async def test_a_shared_fixture_counts_for_all_that_use_it(make: MakeRunner) -> None:
    project = make(FILES)
    run = await project.answer(
        "test_shop.py::test_first", "test_shop.py::test_second", "test_shop.py::test_vat"
    )
    first, second, vat = sorted(run.traces, key=lambda trace: trace.test)
    made = 3
    for trace in (first, second):
        assert made + 2 in lines_of(trace.files["conftest.py"].lines), "the fixture's body"
        assert trace.files["shop.py"].lines, "and what it calls"
    assert "conftest.py" not in vat.files


async def test_a_shared_fixture_that_fails_counts_for_all_that_wanted_it(make: MakeRunner) -> None:
    project = make(
        {
            "conftest.py": """
                import pytest

                @pytest.fixture(scope="module")
                def broken():
                    raise RuntimeError
            """,
            "test_it.py": "def test_a(broken): pass\ndef test_b(broken): pass\ndef test_c(): pass\n",
        }
    )
    run = await project.answer()
    reached = {trace.test.split("::")[1] for trace in run.traces if "conftest.py" in trace.files}
    assert reached == {"test_a", "test_b"}


async def test_what_tests_read_and_start_is_noted(make: MakeRunner) -> None:
    project = make(
        {
            "data/rows.txt": "1\n",
            "test_it.py": """
                import pathlib, subprocess, sys

                def test_read():
                    pathlib.Path("data/rows.txt").read_text()
                    pathlib.Path("/etc/hostname").exists()

                def test_start():
                    subprocess.run([sys.executable, "-c", "pass"])

                def test_neither(): pass
            """,
        }
    )
    run = await project.answer()
    noted = {trace.test.split("::")[1]: (set(trace.read), trace.programs) for trace in run.traces}
    assert noted == {
        "test_read": ({"data/rows.txt"}, False),
        "test_start": (set(), True),
        "test_neither": (set(), False),
    }


async def test_patched_texts_are_measured_in_their_own_lines(make: MakeRunner) -> None:
    project = make(FILES)
    await project.runner.discover({})
    text = (project.root / "shop.py").read_text()
    edited = text.replace("    if vat:", "    extra = 0\n    n = n + extra\n    if vat:")
    run = await project.answer("test_shop.py::test_vat", overlay={"shop.py": edited})
    assert run.recollected == ""
    (trace,) = run.traces
    assert trace.files["shop.py"].digest == digest_of(edited) == run.contents["shop.py"]
    lines = edited.splitlines()
    assert {"extra = 0", "n = n + extra", "n = n * 1.2"} <= {
        lines[line].strip() for line in lines_of(trace.files["shop.py"].lines)
    }


async def test_without_coverage_tests_run_and_there_are_no_traces(make: MakeRunner) -> None:
    project = make({"coverage.py": "raise ImportError('none')\n", "test_it.py": "def test_it(): pass\n"})
    run = await project.answer()
    assert [r.ending.value for r in run.results] == ["passed"]
    assert run.traces == () and project.runner.facts is not None and project.runner.facts.coverage == ""


async def test_without_coverage_called_functions_are_known_all_the_same(make: MakeRunner) -> None:
    project = make(
        {
            "coverage.py": "raise ImportError('none')\n",
            "lib.py": "X = 1\n\ndef value():\n    return 1\n\nVALUE = value()\n",
            "test_it.py": "import lib\ndef test_it():\n    assert lib.VALUE == 1\n",
        }
    )
    assert await project.endings() == {"test_it.py::test_it": "passed"}
    edited = "X = 1\n\ndef value():\n    return 2\n\nVALUE = value()\n"
    run = await project.answer(overlay={"lib.py": edited})
    assert "value was called" in run.recollected
    assert run.results[0].ending == "failed"


async def test_lines_are_the_same_whether_branches_are_asked_for_or_not(make: MakeRunner) -> None:
    project = make(FILES)
    run, detailed = await project.answer(), await project.answer(arcs=list(FILES))
    by_line, by_branch = (
        {(trace.test, path): part.lines for trace in one.traces for path, part in trace.files.items()}
        for one in (run, detailed)
    )
    assert by_line == by_branch != {}
    asked = [part.arcs for trace in run.traces for part in trace.files.values()]
    assert set(asked) == {None}, "nobody asked"
