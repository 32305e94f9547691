"""Each code has a page, and the page is true: its bad example has the code, its good one has not."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import Any
from unittest import mock

import pytest

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.gates.suppress import apply
from gateline.integrity.both import Both
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
from gateline.model.codes import CODES, page_url
from gateline.model.problem import Frame
from gateline.plugins import load
from gateline.services.child import Child
from gateline.services.tests import reading
from gateline.services.tests.far.outline import Outliner
from gateline.services.tests.run import Collection, Run
from gateline.services.types.messages import Answer, Plain, Setup
from gateline.services.types.report import reports_of
from gateline.session import notices
from gateline.session.reading import Skipped, decode
from gateline.session.testing import Tests, Wanted, Which
from gateline.session.verdicts import Verdicts
from gateline.settings.load import SettingsFile
from gateline.settings.load import load as load_settings
from gateline.testing.coverage_report import report_of as coverage_report
from gateline.testing.covered import Covered
from gateline.testing.outline import Outline
from gateline.testing.performance import FEWEST, Round, Sample, performance
from gateline.testing.performance_report import reports_of as performance_reports
from gateline.testing.result import Ending, Failure, Item, Result
from gateline.worklog.scored import regression, scored

FOLDER = Path(__file__).parents[3] / "docs" / "codes"
SECTIONS = ["What it means", "Why", "Example", "How to fix it", "How to silence it", "Known false positives"]
_FENCE = r"```(?:python|toml|diff)\n(.*?)```\n"
_EXAMPLE = re.compile(rf"^Bad:\n\n{_FENCE}\nGood:\n\n{_FENCE}", re.MULTILINE | re.DOTALL)

Types = Mapping[str, Report]


def page(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def examples(code: str) -> dict[str, str]:
    found = _EXAMPLE.search(page(code))
    assert found, f"{code}.md has no example of the usual form"
    return {"bad": found[1], "good": found[2]}


def test_there_is_one_page_for_each_code_and_none_else() -> None:
    assert sorted(file.name for file in FOLDER.iterdir()) == [f"{code}.md" for code in sorted(CODES)]


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_its_title_and_sections(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code}: {CODES[code].name.replace('-', ' ')}\n")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    assert all(part.strip() for part in re.split(r"^## .+$", text, flags=re.MULTILINE)[1:])
    assert page_url(code).endswith(f"/docs/codes/{code}.md")


@pytest.mark.parametrize("code", CODES)
def test_a_page_names_no_code_that_is_not_there(code: str) -> None:
    assert set(re.findall(r"GTL\d{3}", page(code))) <= set(CODES)


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Types:
    """mypy's reports about the examples of its page, by `bad.py` and `good.py`."""
    root = tmp_path_factory.mktemp("types")
    (root / "cache").mkdir()
    texts = {f"{name}.py": text for name, text in examples("GTL110").items()}
    answer = asyncio.run(_asked(Plain(Setup(str(root), sys.executable, str(root / "cache")), texts)))
    return reports_of(answer)


async def _asked(request: Plain) -> Answer:
    child = Child("gateline.services.types.far_mypy")
    try:
        answer: Answer = await child.ask(request, 90)
    finally:
        await child.stop()
    return answer


def analysed(name: str, text: str, types: Types) -> list[Finding]:
    """What analyzers, suppressions and the gate say of a new file."""
    document = Document(f"{name}.py", text)
    inspection = Inspection(Source(document))
    reports = [analyzer.inspect(inspection) for analyzer in load().analyzers]
    change = Change("0" * 40, "HEAD", (FileChange(document.path, FileStatus.ADDED, None, document),))
    evaluation = judge(Case(Policy(), Level.FINAL, Progress.SAID, change, {document.path: reports}))
    told = [f for found in notices.of_verdict(evaluation).values() for f in found]
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
    found = inspect(Both(Change("0" * 40, "HEAD", python, others=others)))
    return [finding for report in found.values() for finding in report.findings]


def _both_sides(path: str, body: str) -> FileChange:
    lines = [line or " " for line in body.splitlines()]
    base, now = ("".join(f"{n[1:]}\n" for n in lines if n[0] in f" {sign}") for sign in "-+")
    status = FileStatus.MODIFIED if base.strip() else FileStatus.ADDED
    return FileChange(path, status, Document(path, base) if base.strip() else None, Document(path, now))


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
    outline = reading.outline({"outline": Outliner().outline("cart.py", text)})
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
    reports, _ = performance_reports(path, performance([Round(before, now)] * FEWEST), items)
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
        notices.of_trajectory(verdicts.trajectory(), middle),
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


@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_has_the_code_and_the_good_one_has_not(code: str, types: Types) -> None:
    find = FINDERS.get(code, analysed)
    found = {name: {f.code for f in find(name, text, types)} for name, text in examples(code).items()}
    assert code in found["bad"]
    assert code not in found["good"]


@pytest.mark.parametrize("code", [code for code in CODES if f"ignore[{code}]" in page(code)])
def test_the_comment_that_the_page_gives_silences_the_code(code: str, types: Types) -> None:
    text = examples(code)["bad"]
    found = [f for f in FINDERS.get(code, analysed)("bad", text, types) if f.code == code]
    lines = text.splitlines()
    for number in {f.span.start.line for f in found}:
        lines[number] += f"  # gateline: ignore[{code}] known"
    assert apply(Source(Document("bad.py", "\n".join(lines))), found).kept == ()


def test_a_syntax_error_cannot_be_silenced() -> None:
    assert "Comments cannot silence it." in page("GTL101")
    source = Source(Document("bad.py", "x = (  # gateline: ignore[GTL101] known\n"))
    found = next(a for a in load().analyzers if a.name == "syntax").inspect(Inspection(source)).findings
    assert found and apply(source, found).kept == found
