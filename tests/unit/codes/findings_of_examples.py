"""How the example of a page is looked at: each code by what finds it."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from traceback import walk_tb
from typing import Any
from unittest import mock

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.integrity.change_view import Both
from gateline.integrity.inspection import inspect
from gateline.model import (
    Change,
    Document,
    Evaluation,
    FileChange,
    FileStatus,
    Finding,
    Inspection,
    Level,
    Origin,
    Policy,
    Problem,
    Progress,
    Report,
    Source,
)
from gateline.model.codes import CODES
from gateline.model.problem import Frame
from gateline.plugins import load, load_rules
from gateline.services.tests import reading
from gateline.services.tests.far.tracing.outline import Outliner
from gateline.services.tests.run import Collection, Run
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live import notices
from gateline.session.tests.testing import Tests, Wanted, Which
from gateline.session.workspace.reading import Skipped, decode
from gateline.settings.load import SettingsFile
from gateline.settings.load import load as load_settings
from gateline.testing.coverage_report import report_of as coverage_report
from gateline.testing.covered import Covered
from gateline.testing.outline import Outline
from gateline.testing.performance import ROUNDS, Round, Sample, performance
from gateline.testing.performance_report import reports_of as performance_reports
from gateline.testing.result import Ending, Failure, Item, Result
from gateline.worklog.scored import regression, scored

Types = Mapping[str, Report]
"""Reports of mypy by file."""


def analysed(name: str, text: str, types: Types) -> list[Finding]:
    """What analyzers, suppressions and the gate say of a new file."""
    document = Document(f"{name}.py", text)
    inspection = Inspection(Source(document))
    reports = [analyzer.inspect(inspection) for analyzer in load().analyzers]
    change = Change("0" * 40, "HEAD", (FileChange(document.path, FileStatus.ADDED, None, document),))
    evaluation = judge(Case(Policy(), Level.FINAL, Progress.SAID, change, {document.path: reports}))
    said = (notices.of_verdict(evaluation), notices.of_gate(evaluation))
    told = [f for each in said for found in each.values() for f in found]
    return [*(f for report in reports for f in report.findings), *told]


def typed(name: str, text: str, types: Types) -> list[Finding]:
    return list(types[f"{name}.py"].findings)


def read(name: str, text: str, types: Types) -> list[Finding]:
    found = decode("a.py", text.encode(), 3_000_000)
    return [notices.not_analysed(found.path, found.reason)] if isinstance(found, Skipped) else []


def configured(name: str, text: str, types: Types) -> list[Finding]:
    problems = load_settings([SettingsFile("pyproject.toml", text)]).problems
    return [f for found in notices.of_settings(problems).values() for f in found]


def compared(name: str, text: str, types: Types) -> list[Finding]:
    """What the rules of integrity say of a change: `--- path`, then its lines as in a diff."""
    _, *parts = re.split(r"^--- (.+)\n", text, flags=re.MULTILINE)
    rows = [_both_sides(path, body) for path, body in zip(parts[::2], parts[1::2], strict=True)]
    python = tuple(row for row in rows if row.path.endswith(".py"))
    others = tuple(row for row in rows if row not in python)
    found = inspect(Both(Change("0" * 40, "HEAD", python, others=others)), load_rules())
    return [finding for report in found.values() for finding in report.findings]


def _both_sides(path: str, body: str) -> FileChange:
    lines = [line or " " for line in body.splitlines()]
    base, now = ("".join(f"{n[1:]}\n" for n in lines if n[0] in f" {sign}") for sign in "-+")
    return FileChange.between(Document(path, base) if base.strip() else None, Document(path, now))


class Script:
    """Runs the tests of a text right here; chance is on the test's side only the second time."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text, self.chances = path, text, iter([0.9, 0.1, 0.1])
        self.collection = Collection(tuple(Item(name, path, 0, name) for name in self.functions()))

    def functions(self) -> dict[str, Callable[[], None]]:
        names: dict[str, Any] = {}
        exec(compile(self.text, self.path, "exec"), names)
        return {name: value for name, value in names.items() if name.startswith("test_")}

    async def run(
        self, ids: Sequence[str] | None, overlay: object, on_result: object = None, **_: object
    ) -> Run:
        chance = next(self.chances)
        with mock.patch("random.random", lambda: chance):
            wanted = self.functions().items()
            return Run(tuple(self.result(name, call) for name, call in wanted if ids is None or name in ids))

    def result(self, name: str, call: Callable[[], None]) -> Result:
        try:
            call()
        except AssertionError as error:
            line = [lineno for _, lineno in walk_tb(error.__traceback__)][-1] - 1
            problem = Problem(Origin.RUN, "AssertionError", "", frames=(Frame(self.path, line, name),))
            return Result(name, Ending.FAILED, failure=Failure(problem, "AssertionError"))
        return Result(name, Ending.PASSED)

    async def discover(self, overlay: object, **_: object) -> Run:
        return Run()

    async def outlines(self, texts: object) -> dict[str, Outline | None]:
        return {}

    async def interrupt(self) -> None: ...

    async def stop(self) -> None: ...


def covered(name: str, text: str, types: Types) -> list[Finding]:
    """What is said of a new file whose tests stand in it, after they ran here."""
    outline = reading.outline({"outline": Outliner({}).outline("cart.py", text)})
    assert outline is not None
    names: dict[str, Any] = {}
    steps: set[tuple[int, int]] = set()
    code = compile(text, f"{name}.py", "exec")
    before = sys.gettrace()
    sys.settrace(partial(_step, code.co_filename, steps, {}))
    try:
        exec(code, names)
        for test in (value for key, value in names.items() if key.startswith("test_")):
            test()
    finally:
        sys.settrace(before)
    executed = outline.executed(line for _, line in steps)
    taken = outline.taken(steps)
    exits = [way for way in outline.exits if way.arc[0] in executed]
    untaken = tuple(way for way in exits if way.arc not in taken)
    known = Covered(executed, outline.statements - executed, frozenset(), (), untaken)
    return list(coverage_report(f"{name}.py", text.splitlines(), known).findings)


def _step(
    name: str, steps: set[tuple[int, int]], last: dict[int, int], frame: Any, event: str, _: Any
) -> Any:
    """Notes each step from line to line, as coverage would."""
    if frame.f_code.co_filename != name:
        return None
    if event == "line":
        steps.add((last.get(id(frame), -1), frame.f_lineno - 1))
        last[id(frame)] = frame.f_lineno - 1
    return partial(_step, name, steps, last)


def timed(name: str, text: str, types: Types) -> list[Finding]:
    """What is said of a change whose tests take a millisecond for each line that they execute."""
    path, body = re.split(r"^--- (.+)\n", text, flags=re.MULTILINE)[1:]
    row = _both_sides(path, body)
    assert row.base and row.current
    before, now = (_lines_executed(document.text) for document in (row.base, row.current))
    items = {test: Item(test, path, 0, test) for test in now}
    reports, _ = performance_reports(
        path, performance(before, now, now, [Round(before, now)] * ROUNDS), items
    )
    return [finding for report in reports.values() for finding in report.findings]


def _lines_executed(text: str) -> dict[str, Sample]:
    names: dict[str, Any] = {}
    exec(compile(text, "timed.py", "exec"), names)
    found = {}
    for test in (key for key in names if key.startswith("test_")):
        lines: list[int] = []
        before = sys.gettrace()
        sys.settrace(partial(_count, lines))
        try:
            names[test]()
        finally:
            sys.settrace(before)
        found[test] = Sample(len(lines) / 1000)
    return found


def _count(lines: list[int], frame: Any, event: str, _: Any) -> Any:
    if event == "line":
        lines.append(frame.f_lineno)
    return partial(_count, lines) if frame.f_code.co_filename == "timed.py" else None


def worsened(name: str, text: str, types: Types) -> list[Finding]:
    """What is said of a text that follows one which was accepted, and was judged at early."""
    path, body = re.split(r"^--- (.+)\n", text, flags=re.MULTILINE)[1:]
    row = _both_sides(path, body)
    assert row.base and row.current
    told: list[str] = []
    verdicts = Verdicts(lambda update: told.append(update.label))
    verdicts.take(_judged(row.base, Level.EARLY))
    middle = _judged(row.current, Level.MIDDLE)
    verdicts.take(middle)
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    good, now = (
        scored(_judged(document, Level.FINAL), noon, "t1", "main", "e1")
        for document in (row.base, row.current)
    )
    weights = dict.fromkeys(now.parts, 0.2)
    final = _judged(row.current, Level.FINAL)
    found = (
        notices.of_trajectory(verdicts.trajectory(middle), middle),
        notices.of_regression(regression([good], now, weights), final),
    )
    return [finding for each in found for findings in each.values() for finding in findings]


def _judged(document: Document, level: Level) -> Evaluation:
    inspection = Inspection(Source(document))
    reports = {document.path: [analyzer.inspect(inspection) for analyzer in load().analyzers]}
    change = Change("0" * 40, "HEAD", (FileChange(document.path, FileStatus.ADDED, None, document),))
    return judge(Case(Policy(), level, Progress.SAID, change, reports))


def run(name: str, text: str, types: Types) -> list[Finding]:
    document = Document(f"{name}.py", text)
    change = Change("0" * 40, "HEAD", (FileChange(document.path, FileStatus.ADDED, None, document),))
    tests = Tests(Script(document.path, text), "", lambda: True)
    tested = asyncio.run(tests.of_change(change, {}, Wanted(Which.ALL)))
    return [finding for reports in tested.current.values() for r in reports for finding in r.findings]


FINDERS: Mapping[str, Callable[[str, str, Types], list[Finding]]] = {
    "GTL110": typed,
    "GTL201": run,
    "GTL202": run,
    "GTL210": covered,
    "GTL211": covered,
    "GTL701": worsened,
    "GTL710": timed,
    "GTL801": worsened,
    "GTL903": configured,
    "GTL904": read,
    **{code: compared for code in CODES if code.startswith("GTL6")},
}
