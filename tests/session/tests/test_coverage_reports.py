"""Reports of other tools: believed of a saved file that was not written since, and of nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gateline.model import Change, Document, FileChange, Report, State
from gateline.session.tests.coverage_reports import CoverageReports
from gateline.session.tests.testing import Tests, Wanted, Which
from gateline.session.tests.untested import Untested

BASE = "def fee(weight):\n    return weight\n"
NOW = "def fee(weight):\n    if weight > 10:\n        return 20\n    return weight\n"
NAMES = ("coverage.xml", "coverage.json", "lcov.info")
XML = """\
<?xml version="1.0" ?>
<coverage version="7.0"><sources><source>/elsewhere/shop</source></sources>
<packages><package><classes><class filename="cart.py"><lines>
<line number="1" hits="1"/>
<line number="2" hits="1" branch="true" condition-coverage="50% (1/2)" missing-branches="3"/>
<line number="3" hits="0"/>
<line number="4" hits="1"/>
</lines></class></classes></package></packages></coverage>
"""
JSON = {
    "files": {
        "cart.py": {
            "executed_lines": [1, 2, 3, 4],
            "missing_lines": [],
            "executed_branches": [[2, 3], [2, 4]],
            "missing_branches": [],
        }
    }
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A saved change, written at second 1,000."""
    (tmp_path / "cart.py").write_text(NOW)
    os.utime(tmp_path / "cart.py", (1000, 1000))
    return tmp_path


def made(root: Path, name: str, text: str, when: float) -> None:
    (root / name).write_text(text)
    os.utime(root / name, (when, when))


def change(text: str = NOW) -> Change:
    row = FileChange.between(Document("cart.py", BASE), Document("cart.py", text))
    return Change("0" * 40, "HEAD", (row,))


def said(root: Path, text: str = NOW) -> Report | None:
    return CoverageReports(root, NAMES).of_change(change(text)).get("cart.py")


def numbers(report: Report | None) -> tuple[float, ...]:
    assert report is not None
    return tuple(measure.value for measure in report.measures)


def test_a_report_that_is_newer_than_the_file(root: Path) -> None:
    made(root, "coverage.xml", XML, 1001)
    found = said(root)
    assert found is not None
    assert (found.state, found.reason) == (State.MEASURED, "as coverage.xml says")
    assert numbers(found) == (4, 2)
    assert [f.code for f in found.findings] == ["GTL210"]


@pytest.mark.parametrize("when", [999, 1])
def test_one_that_is_older_is_not_believed(root: Path, when: float) -> None:
    made(root, "coverage.xml", XML, when)
    assert said(root) is None


def test_nor_of_an_unsaved_text(root: Path) -> None:
    made(root, "coverage.xml", XML, 1001)
    assert said(root, NOW.replace("20", "30")) is None


def test_the_newest_wins(root: Path) -> None:
    made(root, "coverage.xml", XML, 1001)
    made(root, "coverage.json", json.dumps(JSON), 1002)
    assert numbers(said(root)) == (4, 4)
    made(root, "coverage.xml", XML, 1003)
    assert numbers(said(root)) == (4, 2)


def test_a_broken_one_is_passed_over(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    made(root, "coverage.json", "{nonsense", 1002)
    made(root, "coverage.xml", XML, 1001)
    assert numbers(said(root)) == (4, 2)
    assert "coverage.json cannot be used" in caplog.text


async def test_it_is_what_counts_where_tests_are_not_run(root: Path) -> None:
    made(root, "coverage.xml", XML, 1001)
    tests = Tests(None, "switched off", lambda: True, untested=Untested(CoverageReports(root, NAMES)))
    tested = await tests.of_change(change(), {}, Wanted(Which.NONE))
    assert numbers(tested.current["cart.py"][0]) == (4, 2)
    unsaved = await tests.of_change(change(NOW + "\n"), {}, Wanted(Which.NONE))
    assert unsaved.current["cart.py"][0].reason == "switched off"
