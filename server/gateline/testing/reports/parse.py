"""From a report's text to a value; the format is recognised by how it begins."""

from __future__ import annotations

from gateline.testing.reports import cobertura, coverage_json, lcov
from gateline.testing.reports.report import Report, ReportError


def parse(text: str) -> Report:
    """Read a report. Raises ReportError."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        return cobertura.read(start)
    if start.startswith("{"):
        return coverage_json.read(start)
    if start.startswith(("TN:", "SF:")):
        return lcov.read(start)
    beginning = start[:20].splitlines()[0] if start else "nothing"
    raise ReportError(f"not coverage.xml, lcov or coverage.py's JSON: it begins with {beginning!r}")
