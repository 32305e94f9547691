"""Runs the cases of analyzers and suppressions; `text_cases` says how they are written.

A case is judged as the final checkpoint of a change, by the analyzers of its folder. `pytest --update`
writes what was found into the cases: the difference is to be read like code.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gateline.model import Document, Inspection, Report, Source
from gateline.services.child import Child
from gateline.services.types.messages import Answer, Plain, Setup
from gateline.services.types.report import reports_of
from gateline.session.judge.wire import canonical_json
from support import text_cases
from support.judged_cases import (
    ANALYZERS,
    FOLDERS,
    TELLERS,
    Outcome,
    Reports,
    analyzed,
    analyzed_base,
    compared,
    judged,
)

HERE = Path(__file__).parent
FILES = [file for folder in FOLDERS for file in sorted((HERE / folder).rglob("*.txt"))]


def _folder(file: Path) -> str:
    """The folder of `cases` that a case is in, at any depth."""
    return file.relative_to(HERE).parts[0]


def _outcome(file: Path, types: Callable[[], Reports]) -> Outcome:
    folder, case = _folder(file), text_cases.read(file.read_text(encoding="utf-8"))
    if folder == "integrity":
        return compared(case)
    if folder == "types":
        return judged(case, *(_picked(types(), file, side, case) for side in ("now", "base")))
    texts = {f.name: f.text for f in case.change}
    return judged(case, analyzed(folder, case, texts, case.under("base")), analyzed_base(folder, case))


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
    texts: dict[str, str] = {}
    for file in FILES:
        if _folder(file) == "types":
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
    cases = [text_cases.read(f.read_text(encoding="utf-8")) for f in FILES if _folder(f) == folder]
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
    marked: list[Any] = [
        (f.text.splitlines()[m.line], m) for f in case.change for m in f.markers if m.code == "GTL310"
    ]
    return {line[m.column : m.end].strip("\"'") for line, m in marked}


def test_a_wrong_case_fails_with_a_difference_that_can_be_read() -> None:
    text = "A case.\n\n-- a.py --\nx = (\n^ GTL101: nothing of the kind\n-- @states --\n"
    case = text_cases.read(text)
    report = ANALYZERS["syntax"].inspect(Inspection(Source(Document("a.py", "x = (\n"))))
    told = _told(case, judged(case, {"a.py": [report]}, {})).written()
    assert told.splitlines()[4] == "#   ^ GTL101: Unexpected EOF while parsing"
    assert told.splitlines()[-1] == "a.py syntax: measured"
    assert text_cases.read(told).written() == told
