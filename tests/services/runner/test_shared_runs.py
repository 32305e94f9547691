"""The runner of the repairs' scorer: runs that two processes share, and what is kept from run to run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline_dev.autodebug.runner import Runner

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor has nothing to share"),
]

SLOW = """
import time

import pytest

@pytest.mark.parametrize("number", range(9))
def test_slow(number):
    time.sleep(0.03)
    assert number != {wrong}
"""
DISTURBING = """
import os
import time
from pathlib import Path

import pytest

@pytest.mark.parametrize("number", range(9))
def test_alone(number):
    with Path("only-one").open("x"):
        time.sleep(0.03)
    Path("only-one").unlink()
"""
LEAVING = """
import os
import time

import pytest

@pytest.mark.parametrize("number", range(9))
def test_leaving(number):
    time.sleep(0.03)
    if number == 8:
        os._exit(3)
"""


@pytest.fixture
def runner() -> Iterator[Runner]:
    with Runner(sys.executable) as warm:
        yield warm


def test_two_processes_tell_what_one_would(runner: Runner, tmp_path: Path) -> None:
    for number, name in enumerate("abcd"):
        (tmp_path / f"test_{name}.py").write_text(SLOW.format(wrong=number))
    ran = runner.run(tmp_path, ["-q", "."], 20)
    wrong = [f"test_{name}.py::test_slow[{number}]" for number, name in enumerate("abcd")]
    assert (ran.failed, len(ran.passed), ran.is_late) == (frozenset(wrong), 32, False)
    assert [problem.tests[0] for problem in ran.problems] == wrong


def test_tests_that_disturb_each_other_are_run_again_alone(runner: Runner, tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"test_{name}.py").write_text(DISTURBING.replace("range(9)", "range(4)"))
    ran = [runner.run(tmp_path, ["-q", "."], 20) for _ in range(3)]
    # Where more fail than accidents explain, that is told; no test that fails is ever said to have passed.
    assert all(len(one.passed) + len(one.failed) == 16 for one in ran)
    assert all(not one.failed or len(one.failed) > 3 for one in ran)


def test_where_the_other_process_ends_the_run_is_late(runner: Runner, tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"test_{name}.py").write_text(LEAVING)
    assert runner.run(tmp_path, ["-q", "."], 20).is_late


def test_modules_of_the_case_are_read_again_and_others_are_not(runner: Runner, tmp_path: Path) -> None:
    code = tmp_path / "case" / "code_of.py"
    code.parent.mkdir()
    (code.parent / "test_it.py").write_text(
        "import calendar, code_of\n\ndef test_it():\n    assert code_of.VALUE\n"
    )
    said = []
    for value in (True, False, False, True):
        code.write_text(f"VALUE = {value}\n")
        said.append(bool(runner.run(code.parent, ["test_it.py"], 20).passed))
    assert said == [True, False, False, True]


def test_while_the_first_test_fails_no_other_file_is_read(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert not 1\n")
    (tmp_path / "test_other.py").write_text(
        "from pathlib import Path\nPath('read').touch()\n\ndef test_other():\n    pass\n"
    )
    first, given = ["test_it.py::test_it"], ["test_it.py", "test_other.py"]
    for is_short, is_read in ((True, False), (False, True), (False, False), (False, False)):
        ran = runner.run(tmp_path, given, 20, first=first, short=is_short)
        assert (ran.failed, (tmp_path / "read").exists()) == (frozenset(first), is_read)
        (tmp_path / "read").unlink(missing_ok=True)
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    assert runner.run(tmp_path, given, 20, first=first).passed == {*first, "test_other.py::test_other"}


def test_a_first_test_that_is_not_there_hides_no_other(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")
    ran = runner.run(tmp_path, ["test_it.py", "test_other.py"], 20, first=["test_it.py::test_gone"])
    assert len(ran.passed) == 2


def test_some_tests_can_be_run_alone(runner: Runner, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"test_{name}.py").write_text("def test_a():\n    pass\n\ndef test_b():\n    assert 0\n")
    arguments = ["test_one.py", "test_two.py"]
    few = runner.run(tmp_path, arguments, 20, only=["test_two.py::test_b"])
    assert (few.passed, few.failed) == (frozenset(), {"test_two.py::test_b"})
    every = runner.run(tmp_path, arguments, 20)
    assert len(every.passed | every.failed) == 4
