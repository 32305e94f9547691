"""Runs the cases of analyzers and suppressions; `text_cases` says how they are written.

A case is judged as the final checkpoint of a change, by the analyzers of its folder. `pytest --update`
writes what was found into the cases: the difference is to be read like code.
"""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import text_cases
from gateline.analyzers.duplication import CloneIndex, inspect_clones
from gateline.gates import case as gates
from gateline.gates.evaluate import judge
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
    Novelty,
    Policy,
    Progress,
    Report,
    Source,
)
from gateline.model.lines import changed_lines
from gateline.plugins import load
from gateline.services.child import Child
from gateline.services.types.messages import Answer, Plain, Setup
from gateline.services.types.report import reports_of
from gateline.session import renames
from gateline.session.wire import canonical_json
from text_cases import Marker

HERE = Path(__file__).parent
ANALYZERS = {analyzer.name: analyzer for analyzer in load().analyzers}
FOLDERS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ANALYZERS},
    "integrity": (),
    "suppress": tuple(ANALYZERS),
    "types": (),
}
FILES = [file for folder in FOLDERS for file in sorted((HERE / folder).glob("*.txt"))]
Texts = Mapping[str, str]
Reports = Mapping[str, Sequence[Report]]


@dataclass(frozen=True)
class Outcome:
    """What a case came to."""

    reports: Reports
    evaluation: Evaluation

    def markers(self, path: str) -> list[Marker]:
        """The findings in a file, as a case tells them."""
        found, hidden = self.evaluation.findings, self.evaluation.suppressed
        shown = [_marker(f, "old" if f.novelty is Novelty.OLD else "") for f in found if f.path == path]
        return shown + [_marker(f, "suppressed") for f in hidden if f.path == path]


def _marker(found: Finding, state: str) -> Marker:
    start, end = found.span.start, found.span.end
    return Marker(
        start.line, start.column, end.line - start.line, end.column, found.code, state, found.message
    )


def _functions(outcome: Outcome) -> list[str]:
    changes = outcome.evaluation.functions
    return [
        f"{c.path} {c.symbol}: {_number(c.complexity_before)} → {_number(c.complexity_after)}"
        for c in changes
    ]


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _fixed(outcome: Outcome) -> list[str]:
    return [f"{f.path}:{f.span.start.line + 1} {f.code} {f.message}" for f in outcome.evaluation.fixed]


def _findings(outcome: Outcome) -> list[str]:
    found = outcome.evaluation.findings
    return [f"{f.path}:{f.span.start.line + 1} {f.code} {f.weight} {f.message}" for f in found]


def _measured(name: str) -> Callable[[Outcome], list[str]]:
    def told(outcome: Outcome) -> list[str]:
        return [
            f"{' '.join(filter(None, (path, measure.subject)))}: {measure.value:g}"
            for path, reports in outcome.reports.items()
            for report in reports
            for measure in report.measures
            if measure.name == name
        ]

    return told


def _states(outcome: Outcome) -> list[str]:
    return [
        ": ".join(filter(None, (f"{path} {report.analyzer}", report.state, report.reason)))
        for path, reports in outcome.reports.items()
        for report in reports
    ]


def _score(outcome: Outcome) -> list[str]:
    decision, score = outcome.evaluation.decision, outcome.evaluation.score
    return [f"{decision.outcome} {_number(score.value)}", *score.floors]


TELLERS: Mapping[str, Callable[[Outcome], list[str]]] = {
    "functions": _functions,
    "findings": _findings,
    "fixed": _fixed,
    "states": _states,
    "score": _score,
    **{name: _measured(name) for name in ("exposure", "documented", "duplicated_lines", "maintainability")},
}


def _reports(folder: str, case: text_cases.Case, texts: Texts, base: Texts) -> Reports:
    """What the analyzers of a folder say of `texts`."""
    options = tomllib.loads(case.expected.get("settings", ""))
    index = CloneIndex(options.get("duplication", {}).get("min_tokens", 40))
    for path, text in {**case.under("elsewhere"), **texts}.items():
        index.update(path, text)
    reports: dict[str, list[Report]] = {path: [] for path in texts}
    for path, text in texts.items():
        source = Source(Document(path, text))
        before = Source(Document(path, base[path])) if path in base else None
        changed = changed_lines(before.lines, source.lines) if before else None
        for name in FOLDERS[folder]:
            if name == "duplication":
                reports[path].append(inspect_clones(index, source, changed))
            else:
                inspection = Inspection(source, changed, options.get(name, {}), before)
                reports[path].append(ANALYZERS[name].inspect(inspection))
    return reports


def _judged(case: text_cases.Case, reports: Reports, base_reports: Reports) -> Outcome:
    base = case.under("base")
    rows = []
    for file in case.change:
        before = Document(file.name, base[file.name]) if file.name in base else None
        status = FileStatus.ADDED if before is None else FileStatus.MODIFIED
        rows.append(FileChange(file.name, status, before, Document(file.name, file.text)))
    change = Change("0" * 40, "HEAD", tuple(rows))
    given = gates.Case(Policy(), Level.FINAL, Progress.SAID, change, reports, base_reports)
    return Outcome(reports, judge(given))


def _compared(case: text_cases.Case) -> Outcome:
    """What the rules of integrity say; a file of the base that is not there now was deleted."""
    base, now = case.under("base"), {f.name: f.text for f in case.change}
    gone = {path: text for path, text in base.items() if path not in now}
    renamed = renames.pair(gone, {path: text for path, text in now.items() if path not in base})
    paths = sorted({*base, *now} - {*renamed.values()})
    rows = [_row(renamed.get(path, path), base, path, now) for path in paths]
    python = tuple(row for row in rows if row.path.endswith(".py"))
    change = Change("0" * 40, "HEAD", python, others=tuple(row for row in rows if row not in python))
    around = {path: Document(path, text) for path, text in case.under("elsewhere").items()}
    reports = {path: [report] for path, report in inspect(Both(change, around)).items()}
    return Outcome(
        reports, judge(gates.Case(Policy(), Level.FINAL, Progress.SAID, change, reports, around=around))
    )


def _row(before: str, base: Texts, path: str, now: Texts) -> FileChange:
    old, new = (Document(p, side[p]) if p in side else None for p, side in ((before, base), (path, now)))
    if new is None:
        return FileChange(path, FileStatus.DELETED, old, None)
    if old is None:
        return FileChange(path, FileStatus.ADDED, None, new)
    return FileChange(path, FileStatus.MODIFIED if before == path else FileStatus.RENAMED, old, new)


def _base_reports(folder: str, case: text_cases.Case) -> Reports:
    """Of an analyzer that looks at changed lines only, the base has no report."""
    base = case.under("base")
    found = _reports(folder, case, base, {})
    return {
        path: [r for r in reports if not ANALYZERS[r.analyzer].changed_lines_only]
        for path, reports in found.items()
    }


def _outcome(file: Path, types: Callable[[], Reports]) -> Outcome:
    folder, case = file.parent.name, text_cases.read(file.read_text(encoding="utf-8"))
    if folder == "integrity":
        return _compared(case)
    if folder == "types":
        return _judged(case, *(_picked(types(), file, side, case) for side in ("now", "base")))
    texts = {f.name: f.text for f in case.change}
    return _judged(case, _reports(folder, case, texts, case.under("base")), _base_reports(folder, case))


def _told(case: text_cases.Case, outcome: Outcome) -> text_cases.Case:
    """The case as it would be if what came out were expected."""
    found = {file.name: file.with_found(outcome.markers(file.name)) for file in case.change}
    expected = {
        name: body if name == "settings" else "".join(f"{row}\n" for row in TELLERS[name](outcome))
        for name, body in case.expected.items()
    }
    return replace(case, files=tuple(found.get(f.name, f) for f in case.files), expected=expected)


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Reports]:
    """mypy's reports about the files of all cases: one ordinary run, on the first demand."""
    return cache(lambda: _checked(tmp_path_factory.mktemp("types")))


def _checked(root: Path) -> Reports:
    (root / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    texts = {}
    for file in FILES:
        if file.parent.name == "types":
            case = text_cases.read(file.read_text(encoding="utf-8"))
            sides = {"now": {f.name: f.text for f in case.change}, "base": case.under("base")}
            texts |= {
                _unique(file, side, n): text for side, named in sides.items() for n, text in named.items()
            }
    (root / "cache").mkdir()
    setup = Setup(str(root), sys.executable, str(root / "cache"))
    answer = asyncio.run(_asked(Plain(setup, texts)))
    assert not answer.blocked
    return {path: [report] for path, report in reports_of(answer).items()}


async def _asked(request: Plain) -> Answer:
    child = Child("gateline.services.types.far_mypy")
    try:
        answer: Answer = await child.ask(request, 90)
    finally:
        await child.stop()
    return answer


def _unique(file: Path, side: str, name: str) -> str:
    """All cases are checked at once, so each file is a module of its own."""
    return f"{file.stem}_{side}_{name}"


def _picked(reports: Reports, file: Path, side: str, case: text_cases.Case) -> Reports:
    names = case.under("base") if side == "base" else [f.name for f in case.change]
    return {name: [_renamed(r, name) for r in reports[_unique(file, side, name)]] for name in names}


def _renamed(report: Report, path: str) -> Report:
    return replace(report, findings=tuple(replace(f, path=path) for f in report.findings))


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_case(file: Path, types: Callable[[], Reports], request: pytest.FixtureRequest) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    told = _told(case, _outcome(file, types)).written()
    if request.config.getoption("--update"):
        file.write_text(told, encoding="utf-8")
    elif told != case.written():
        pytest.fail(_difference(case.written(), told), pytrace=False)


def _difference(expected: str, found: str) -> str:
    rows = unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", n=2, lineterm="")
    return "\n".join([*rows, "", "`pytest --update` writes what was found into the case."])


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_has_cases_and_twins_that_stay_silent(folder: str) -> None:
    cases = [text_cases.read(f.read_text(encoding="utf-8")) for f in FILES if f.parent.name == folder]
    silent = [f for case in cases for f in case.change if not f.markers]
    assert len(cases) >= (4 if folder == "types" else 8)
    assert len(silent) >= 2


@pytest.mark.parametrize("file", sorted((HERE / "secrets").glob("*.txt")), ids=lambda f: f.stem)
def test_no_secret_leaves_its_line(file: Path, types: Callable[[], Reports]) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    outcome = _outcome(file, types)
    said = f"{outcome!r}{canonical_json(outcome.evaluation).decode()}"
    for value in _secrets(case):
        assert value not in said


def _secrets(case: text_cases.Case) -> set[str]:
    marked: list[Any] = [(f.text.splitlines()[m.line], m) for f in case.change for m in f.markers]
    return {line[m.column : m.end].strip("\"'") for line, m in marked}


def test_a_wrong_case_fails_with_a_difference_that_can_be_read() -> None:
    text = "A case.\n\n-- a.py --\nx = (\n^ GTL101: nothing of the kind\n-- @states --\n"
    case = text_cases.read(text)
    report = ANALYZERS["syntax"].inspect(Inspection(Source(Document("a.py", "x = (\n"))))
    told = _told(case, _judged(case, {"a.py": [report]}, {})).written()
    assert told.splitlines()[4] == "#   ^ GTL101: Unexpected EOF while parsing"
    assert told.splitlines()[-1] == "a.py syntax: measured"
    assert text_cases.read(told).written() == told
