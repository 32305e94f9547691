"""The house rules on tempting repairs: texts before and after, and the rules that refuse them.

`after/` is the text that a repair would leave, `@error` the problem that it is for, and `@refused` names the
rules that refuse it: none, when it may be tried.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gateline.model import Family, Origin, Problem, Repair, Span
from gateline.repairs.edits import between
from gateline.repairs.proof import Trial, permit
from support import text_cases

FILES = sorted((Path(__file__).parent / "rules").glob("*.txt"))
_ERROR = re.compile(r"(?P<path>\S+):(?P<line>\d+) (?P<type>\w+): (?P<message>.*)")


def problem(case: text_cases.Case) -> Problem:
    found = _ERROR.match(case.expected.get("error", "shop.py:1 TypeError: it does not work"))
    assert found, "path:line Type: message"
    line = int(found["line"]) - 1
    return Problem(Origin.RUN, found["type"], found["message"], found["path"], Span.of(line, 0, line, 1))


def refused(case: text_cases.Case) -> list[str]:
    before = {f.name: f.text for f in case.files if not f.name.startswith("after/")}
    edits = tuple(e for path, text in case.under("after").items() for e in between(path, before[path], text))
    repair = Repair("Tempting", Family.TYPE, "tempting", edits, 1.0)
    answer = permit(repair, problem(case), before, lambda path: path.startswith("generated/"))
    return [] if isinstance(answer, Trial) else list(dict.fromkeys(refusal.rule for refusal in answer))


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_rule(file: Path, request: pytest.FixtureRequest) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    found = "".join(f"{rule}\n" for rule in refused(case))
    if request.config.getoption("--update"):
        told = replace(case, expected={**case.expected, "refused": found})
        file.write_text(told.written(), encoding="utf-8")
    else:
        assert found == case.expected["refused"], case.about


def test_there_are_enough_temptations() -> None:
    cases = [text_cases.read(file.read_text(encoding="utf-8")) for file in FILES]
    assert sum(1 for case in cases if case.expected["refused"]) >= 40
    assert sum(1 for case in cases if not case.expected["refused"]) >= 10
