"""Broken texts and what the first repair makes of them.

`after/` is the text after the repair that is offered first, through the loop with its house rules.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

import pytest

from gateline.model import Origin, Problem, Span
from gateline.repairs.budget import Budget
from gateline.repairs.families.syntax import REPAIRER
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Trial, Verdict
from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.texts import Texts
from support import text_cases

FILES = sorted((Path(__file__).parent / "syntax").glob("*.txt"))


def judged(trial: Trial) -> Verdict:
    compiles = all(failure_of(text) is None for text in trial.texts.values())
    return Verdict(parses=compiles, gone=compiles)


def repaired(path: str, text: str) -> str:
    failure = failure_of(text)
    assert failure, f"{path} compiles"
    problem = Problem(
        Origin.PARSER, "GTL101", failure.message, path, Span.of(failure.line, 0, failure.line, 1)
    )
    job = Job(Texts({path: text}), [REPAIRER], lambda path: False, Budget(lambda: 0.0))
    result = drive(debug(problem, job), judged)
    return result.texts[path] if result.texts else "(nothing)\n"


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_syntax(file: Path, request: pytest.FixtureRequest) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    broken = [f for f in case.files if not f.name.startswith("after/")]
    found = {f"after/{f.name}": repaired(f.name, f.text) for f in broken}
    told = replace(case, files=tuple(replace(f, shown=found.get(f.name, f.shown)) for f in case.files))
    if request.config.getoption("--update"):
        file.write_text(told.written(), encoding="utf-8")
    elif told.written() != case.written():
        rows = unified_diff(
            case.written().splitlines(), told.written().splitlines(), "expected", "found", n=3
        )
        pytest.fail("\n".join(rows), pytrace=False)
