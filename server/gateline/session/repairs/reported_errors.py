"""The errors that an output tells of, and the one behind a failing test."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from gateline.model import Finding, Problem
from gateline.repairs import traceback
from gateline.repairs.checked import read_checked
from gateline.session.errors import UsageError
from gateline.testing.result import Result


def problems_told(report: str, root: Path) -> tuple[Problem, ...]:
    """The errors of an output, in files below `root`, in its order. Blocks. Raises UsageError."""

    def resolve(name: str) -> str | None:
        file = Path(os.path.normpath(root / name))
        ours = file.is_relative_to(root) and file.is_file()
        return file.relative_to(root).as_posix() if ours else None

    problems = (*traceback.read_all(report, resolve), *read_checked(report, resolve))
    if not problems:
        raise UsageError(
            "no error was found in the output; give the whole output of Python, pytest or a type checker"
        )
    ours = tuple(problem for problem in problems if problem.path)
    if not ours:
        raise UsageError(f"no traceback line of {problems[-1].type} names a file in {root}")
    return ours


def raised_in(finding: Finding, results: Iterable[Result]) -> Problem | None:
    """What a test raised that a finding tells of: at the test itself, or at a line where tests end."""
    for result in results:
        if result.is_bad and result.failure is not None:
            problem = result.failure.problem
            here = (finding.path, finding.span.start.line)
            is_place = here in {(frame.path, frame.line) for frame in problem.frames}
            if result.id == finding.line_text or (not _is_test(finding) and is_place):
                return problem
    return None


def _is_test(finding: Finding) -> bool:
    """Whether a finding stands at a test: then it bears the test's name."""
    return "::" in finding.line_text
