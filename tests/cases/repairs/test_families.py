"""Errors of names, types, None and imports, and what is offered first.

`repair_cases` says how an error is marked. `after/` holds what changes when the repair that is offered first
is taken: nothing is verified here, the house rules are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

import pytest

from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.escalation import document
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Trial, Verdict
from gateline.repairs.result import Outcome
from gateline_dev.library_texts import LibraryTexts
from support import text_cases
from support.repair_cases import FILES, problem_of


def repaired(texts: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """What the repair that is offered first changes, and its title."""
    clean, problem = problem_of(texts)
    tried: list[Trial] = []

    def accepted(trial: Trial) -> Verdict:
        tried.append(trial)
        return Verdict(parses=True, gone=True)

    job = Job(LibraryTexts(clean), load().repairers, lambda path: False, Budget(lambda: 0.0))
    result = drive(debug(problem, job), accepted)
    return dict(result.texts or {}), tried[0].repair.title if tried else "nothing"


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_families(file: Path, request: pytest.FixtureRequest) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    given = {f.name: f.text for f in case.files if not f.name.startswith("after/")}
    changed, title = repaired(given)
    after = tuple(text_cases.File(f"after/{path}", text) for path, text in changed.items())
    before = tuple(f for f in case.files if not f.name.startswith("after/"))
    told = replace(case, files=before + after, expected={**case.expected, "offered": f"{title}\n"})
    if request.config.getoption("--update"):
        file.write_text(told.written(), encoding="utf-8")
    elif told.written() != case.written():
        rows = unified_diff(
            case.written().splitlines(), told.written().splitlines(), "expected", "found", n=3
        )
        pytest.fail("\n".join(rows), pytrace=False)


@pytest.mark.parametrize("file", FILES[::5], ids=lambda f: f.stem)
def test_where_nothing_holds_nothing_is_changed_and_a_person_is_told(file: Path) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    clean, problem = problem_of({f.name: f.text for f in case.files if not f.name.startswith("after/")})
    wrong = Verdict(parses=True, gone=False, reason="the test still fails")
    job = Job(LibraryTexts(clean), load().repairers, lambda path: False, Budget(lambda: 0.0))
    result = drive(debug(problem, job), lambda trial: wrong)
    assert (result.success, result.texts, result.edits) == (False, None, ())
    assert result.iterations <= 5
    told = document(result)
    assert problem.message in told
    assert f"{problem.path}:{problem.line + 1}" in told
    # In a test nothing is tried.
    is_tried = any(attempt.outcome is Outcome.FAILED for attempt in result.attempts)
    assert ("the test still fails" in told) is is_tried
    assert "What to look at next" in told


def test_there_are_enough_of_them() -> None:
    assert len(FILES[::5]) >= 20
