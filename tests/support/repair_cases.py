"""Errors of names, types, None and imports in text cases, and the workspace around them.

A line of a marker stands below the expression that failed, with the error as it was reported:

    return "total: " + n
    #      ^^^^^^^^^^^^^ TypeError: can only concatenate str (not "int") to str

An exception's name makes it a run, any other word a type checker's code. `#  ^^^^ called` marks a call on the
way there, outermost first; `# seen: n int, rows list` tells what names held in the innermost one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from gateline.model import Frame, Origin, Problem, Span
from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Verdict
from gateline.repairs.result import Attempt
from gateline_dev.library_texts import LibraryTexts

FILES = sorted((Path(__file__).parents[1] / "cases" / "repairs" / "families").glob("*.txt"))
_MARK = re.compile(
    r"(?P<lead>\s*#\s*)(?P<width>\^+) (?:(?P<called>called)|(?P<type>[A-Za-z][\w-]*): (?P<message>.*))"
)
_SEEN = re.compile(r"\s*# seen: (?P<rows>.+)")
_WRONG = Verdict(parses=True, gone=False, reason="the error is still there")


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


def proposed(problem: Problem, texts: Mapping[str, str]) -> list[str]:
    """What all families propose, as rows in the order in which it is tried: every verification fails."""
    job = Job(LibraryTexts(texts), load().repairers, lambda path: False, Budget(lambda: 0.0))
    return [_row(attempt) for attempt in drive(debug(problem, job), lambda trial: _WRONG).attempts]


def _row(attempt: Attempt) -> str:
    repair = attempt.repair
    guess = " guess" if repair.is_guess else ""
    return f"{repair.cost:.2f} {repair.pattern} [{attempt.outcome}{guess}] {repair.title}"
