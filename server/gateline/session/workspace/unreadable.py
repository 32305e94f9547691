"""GTL101 of Python files that cannot be decoded: Python refuses them before it parses."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.model import Change, Dimension, FileChange, Finding, Report, Span, State, Weight
from gateline.session.workspace.contents import IS_UNCOUNTED
from gateline.session.workspace.reading import UNDECODABLE

ANALYZER = "syntax"
CODE = "GTL101"


def reports(change: Change) -> tuple[dict[str, Report], dict[str, Report]]:
    """What is found now and in the base, by path.

    A file that could not be decoded in the base either has an old error.
    """
    rows = [row for row in change.files if row.skipped.startswith(UNDECODABLE)]
    before = [row for row in rows if row.base_skipped.startswith(UNDECODABLE)]
    return dict(map(_report, rows)), dict(map(_report, before))


def uncounted(change: Change) -> dict[str, Report]:
    """A report for the first file that was not read because too many are: it may hold a secret."""
    rows = [row for row in change.others if row.skipped == IS_UNCOUNTED]
    reason = f"{len(rows)} files were {IS_UNCOUNTED}; exclude generated files with `exclude`"
    return {row.path: Report("secrets", Dimension.SECURITY, State.NO_DATA, reason) for row in rows[:1]}


def _report(row: FileChange) -> tuple[str, Report]:
    return row.path, Report(ANALYZER, Dimension.ERRORS, findings=tuple(_findings(row)))


def _findings(row: FileChange) -> Iterator[Finding]:
    message = f"the file {row.skipped}; save it in that encoding, or declare its own"
    yield Finding(CODE, row.path, Span.of(0, 0, 0, 0), message, Dimension.ERRORS, Weight.FLOOR)
