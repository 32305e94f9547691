"""The error that a pasted traceback tells of."""

from __future__ import annotations

import os
from pathlib import Path

from gateline.model import Problem
from gateline.repairs import traceback
from gateline.session.errors import UsageError


def problem_told(report: str, root: Path) -> Problem:
    """The error of a traceback, in a file below `root`. Blocks. Raises UsageError."""

    def resolve(name: str) -> str | None:
        file = Path(os.path.normpath(root / name))
        ours = file.is_relative_to(root) and file.is_file()
        return file.relative_to(root).as_posix() if ours else None

    problem = traceback.read(report, resolve)
    if problem is None:
        raise UsageError(
            "the traceback tells of no exception; give the whole text that Python or pytest printed"
        )
    if not problem.path:
        raise UsageError(f"no line of the traceback of {problem.type} is in a file below {root}")
    return problem
