"""The runner of the repairs' scorer: what it says when tests, or pytest itself, break."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gateline_dev.autodebug.runner import Runner

pytestmark = pytest.mark.timeout(60)

ANSWERING = """
class Answering:
    __slots__ = ("rows",)

    def __init__(self):
        self.rows = None

    def __getattr__(self, name):
        return len(self.rows)

    def total(self):
        return sum(self.rows)

Answering().total()

def test_total():
    pass
"""
BREAKING = """
def pytest_runtest_setup():
    pass

def pytest_collection_finish():
    raise RuntimeError("a plug-in breaks")
"""


def test_an_object_that_answers_for_itself_is_not_asked_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(ANSWERING)
    with Runner(sys.executable) as runner:
        ran = runner.run(tmp_path, ["test_it.py"], 20)
    assert ran.failed == {"test_it.py"}
    (problem,) = ran.problems
    assert problem.message == "'NoneType' object is not iterable"


def test_where_pytest_breaks_nothing_is_known_of_the_tests(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(BREAKING)
    (tmp_path / "test_it.py").write_text("def test_it():\n    pass\n")
    with Runner(sys.executable) as runner:
        ran = runner.run(tmp_path, ["test_it.py"], 20)
    assert (ran.passed, ran.failed, ran.is_late) == (frozenset(), frozenset(), True)
