"""Cases of the corpus as texts and a problem, without running anything.

The problem is what the corpus tells of the error: a traceback where it has one, the words of the compiler or
of mypy otherwise. Where no line is told, the first that differs from the right program stands for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gateline.analyzers.syntax import compiler_error, recovering_errors
from gateline.model import Frame, Origin, Position, Problem, Span
from gateline.repairs import traceback
from gateline.repairs.checked import read_checked
from gateline.repairs.reported import problem_of

_UNKNOWN = "?"
"""What the corpus writes where nobody noted the error."""
_UNCOUNTED = "logic"
"""The category that the corpus reports apart: no error is raised."""


@dataclass(frozen=True)
class Case:
    """A broken program."""

    name: str
    texts: Mapping[str, str]
    """By path; files that are no UTF-8 are left out."""
    problem: Problem
    intact: Mapping[str, str]
    """The texts before they were broken, or as somebody repaired them, as far as they are known."""


def read_cases(folder: Path) -> Iterator[Case]:
    """The cases of `visible/` of a corpus of which the error is known, in order. Raises OSError."""
    for file in sorted((folder / "visible").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["category"] != _UNCOUNTED and row["error"]["type"] != _UNKNOWN:
                yield _case(file.parent / "projects", row)


def _case(projects: Path, row: Mapping[str, Any]) -> Case:
    right = dict(_project(projects / row["project"])) if row.get("project") else {}
    texts = {**right, **row.get("files", {})}
    target = row["target"]
    if row.get("edits"):
        texts[target] = _edited(right[target], row["edits"])
    right |= row.get("reference", {})
    return Case(row["id"], texts, _problem(row, texts, right.get(target, "")), right)


@cache
def _project(folder: Path) -> Mapping[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return dict(_readable(folder, files))


def _readable(folder: Path, files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for file in files:
        try:
            yield file.relative_to(folder).as_posix(), file.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue


def _edited(text: str, edits: Sequence[Sequence[Any]]) -> str:
    """Edits are start, end and new text, by characters of the text before all of them."""
    for start, end, new in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _problem(row: Mapping[str, Any], texts: Mapping[str, str], right: str) -> Problem:
    path, error = row["target"], row["error"]
    if row["detect"] == "parse":
        found = (*recovering_errors(path, texts[path]), compiler_error(path, texts[path]))
        if first := next(filter(None, found), None):
            return problem_of(first)

    def resolve(name: str) -> str | None:
        return name if name in texts else None

    told = error.get("text", "")
    checked = f"{error['file']}:{error['line']}: error: {error['message']}\n"
    read = traceback.read(told, resolve) if row["detect"] == "test" else None
    problems = read_checked(checked, resolve) if row["detect"] == "mypy" else (read,)
    known = next((problem for problem in problems if problem is not None and problem.path), None)
    return known or _told(error, path, error["line"] - 1 if error["line"] else _first(texts[path], right))


def _told(error: Mapping[str, Any], target: str, line: int) -> Problem:
    """A problem of no more than a type, a message and a line."""
    span = Span(Position(line, 0), Position(line + 1, 0))
    message = error["message"].removeprefix(f"{error['type']}: ")
    frame = Frame(target, line)
    return Problem(Origin.RUN, error["type"], message, target, span, (frame,))


def _first(broken: str, right: str) -> int:
    """The first line that differs."""
    pairs = enumerate(zip(broken.splitlines(), right.splitlines(), strict=False))
    return next((number for number, (one, other) in pairs if one != other), 0)
