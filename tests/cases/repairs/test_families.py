"""Errors of names, types, None and imports, and what is offered first.

A line of a marker stands below the expression that failed, with the error as it was reported:

    return "total: " + n
    #      ^^^^^^^^^^^^^ TypeError: can only concatenate str (not "int") to str

An exception's name makes it a run, any other word a type checker's code. `#  ^^^^ called` marks a call on the
way there, outermost first; `# seen: n int, rows list` tells what names held in the innermost one. `after/`
holds what changes when the repair that is offered first is taken: nothing is verified here, the house rules
are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pytest

import text_cases
from gateline.model import Frame, Origin, Problem, Span
from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.escalation import document
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Trial, Verdict
from gateline.repairs.result import Outcome
from gateline.repairs.texts import Texts
from gateline.services.modules import Modules

FILES = sorted((Path(__file__).parent / "families").glob("*.txt"))
_MARK = re.compile(
    r"(?P<lead>\s*#\s*)(?P<width>\^+) (?:(?P<called>called)|(?P<type>[A-Za-z][\w-]*): (?P<message>.*))"
)
_SEEN = re.compile(r"\s*# seen: (?P<rows>.+)")


@cache
def modules() -> Modules:
    return Modules((), (3, 13))


class World(Texts):
    """A workspace of a case, with the standard library around it."""

    def modules(self) -> tuple[str, ...]:
        return modules().names

    def homes(self, name: str) -> list[str]:
        return modules().homes(name)

    def source(self, module: str) -> str | None:
        return modules().source(module)


def unmarked(path: str, text: str) -> tuple[str, list[tuple[Span, str, str]], dict[str, str]]:
    """The text without its marks; the marks, with type and message, or "" for a call; what was seen."""
    lines: list[str] = []
    marks, seen = [], {}
    for row in text.splitlines(keepends=True):
        if mark := _MARK.fullmatch(row.rstrip("\n")):
            start = len(mark["lead"])
            span = Span.of(len(lines) - 1, start, len(lines) - 1, start + len(mark["width"]))
            marks.append((span, mark["type"] or "", mark["message"] or ""))
        elif found := _SEEN.fullmatch(row.rstrip("\n")):
            seen.update(entry.split(" ", 1) for entry in found["rows"].split(", "))
        else:
            lines.append(row)
    return "".join(lines), marks, seen


def problem_of(texts: Mapping[str, str]) -> tuple[dict[str, str], Problem]:
    """The texts of a case without marks, and the problem that they mark."""
    clean, frames, told = {}, [], []
    for path, text in texts.items():
        clean[path], marks, seen = unmarked(path, text)
        for span, kind, message in marks:
            frame = Frame(path, span.start.line, span=span, seen=tuple(seen.items()) if kind else ())
            frames.append((not kind, frame))
            told += [(kind, message, frame)] if kind else []
    assert len(told) == 1, "a case marks one error"
    kind, message, frame = told[0]
    ordered = tuple(f for _, f in sorted(frames, key=lambda row: not row[0]))
    is_run = kind[0].isupper()
    origin = Origin.RUN if is_run else Origin.TYPES
    return clean, Problem(origin, kind, message, frame.path, frame.span, ordered if is_run else ())


def repaired(texts: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """What the repair that is offered first changes, and its title."""
    clean, problem = problem_of(texts)
    tried: list[Trial] = []

    def accepted(trial: Trial) -> Verdict:
        tried.append(trial)
        return Verdict(parses=True, gone=True)

    job = Job(World(clean), load().repairers, lambda path: False, Budget(lambda: 0.0))
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
    job = Job(World(clean), load().repairers, lambda path: False, Budget(lambda: 0.0))
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
