"""coverage.py's own JSON report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from gateline.testing.outline import Exit
from gateline.testing.reports.report import Report, Reported, ReportError


def read(text: str) -> Report:
    """Read a `coverage json` report. Raises ReportError."""
    try:
        data = json.loads(text)
        files = {path.replace("\\", "/"): _file(found) for path, found in data["files"].items()}
    except ValueError as error:
        raise ReportError(f"the coverage report is not JSON: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"this JSON is not a coverage report: {type(error).__name__} {error}") from None
    return Report(files, _made(data.get("meta")))


def _made(meta: object) -> float | None:
    try:
        return datetime.fromisoformat(meta["timestamp"]).timestamp() if isinstance(meta, dict) else None
    except (KeyError, TypeError, ValueError):
        return None


def _file(found: Mapping[str, Any]) -> Reported:
    return Reported(
        frozenset(line - 1 for line in found["executed_lines"]),
        frozenset(line - 1 for line in found["missing_lines"]),
        _exits(found.get("executed_branches", ())),
        _exits(found.get("missing_branches", ())),
    )


def _exits(branches: Iterable[list[int]]) -> tuple[Exit, ...]:
    return tuple(_exit(before, after) for before, after in branches)


def _exit(before: int, after: int) -> Exit:
    if after > 0:
        return Exit((before - 1, after - 1), f"line {before} never jumped to line {after}")
    return Exit((before - 1, after), f"line {before} never left its function")
