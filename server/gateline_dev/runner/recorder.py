"""A pytest plug-in that writes what became of each test, in the order in which they ended.

It is copied beside the tests of a project and runs in its interpreter, so it imports nothing of ours.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

RECORD = "GATELINE_RECORD"
"""The variable that names the file; each line is a test's identifier, ending, and type of exception."""
ONLY = "GATELINE_ONLY"
"""The variable that names a file of identifiers: of what is collected, only these run."""


class _Now:
    ending, kind = "passed", ""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Leave out what is not asked for, after it was collected with all others."""
    if os.environ.get(ONLY):
        with open(os.environ[ONLY], encoding="utf-8") as file:  # noqa: PTH123
            wanted = set(json.load(file))
        items[:] = [item for item in items if item.nodeid in wanted]


def pytest_runtest_logstart() -> None:
    """A test begins."""
    _Now.ending, _Now.kind = "passed", ""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(call: Any) -> Any:
    """Keep the type of what was raised with the report."""
    outcome = yield
    report = outcome.get_result()
    if report.failed and call.excinfo is not None:
        report.gateline_type = _type(call.excinfo.value)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: Any) -> None:
    """The first phase that did not pass says how the test ended."""
    is_part = getattr(report, "context", None) is not None
    if report.outcome == "rerun" or (is_part and not report.failed):
        return
    ending = _ending(report)
    if ending != "passed" and _Now.ending == "passed":
        _Now.ending = ending
        _Now.kind = getattr(report, "gateline_type", "") if report.failed else ""


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Written at once: a process that ends takes nothing with it."""
    with open(os.environ[RECORD], "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write(json.dumps([nodeid, _Now.ending, _Now.kind]) + "\n")


def _ending(report: Any) -> str:
    is_expected = hasattr(report, "wasxfail")
    if report.skipped:
        return "xfailed" if is_expected else "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    return "xpassed" if is_expected and report.when == "call" else "passed"


def _type(error: BaseException) -> str:
    first = getattr(error, "failures", [error])[0]
    name = type(first).__name__
    return name if name == "DocTestFailure" else type(error).__name__
