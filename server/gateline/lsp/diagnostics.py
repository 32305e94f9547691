"""Findings as the client's diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lsprotocol import types as lsp

from gateline.gates.severity import severity
from gateline.lsp.client import Client
from gateline.lsp.convert import Encoding, to_client
from gateline.model import Finding, Level, Related, Severity
from gateline.model.codes import page_url

SOURCE = "gateline"

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}
_TAGS = {
    "GTL902": lsp.DiagnosticTag.Unnecessary,
    "mypy: unreachable": lsp.DiagnosticTag.Unnecessary,
    "mypy: deprecated": lsp.DiagnosticTag.Deprecated,
}
"""By gateline's code or by the origin."""

Lines = Callable[[str], Sequence[str]]
"""The lines of the document at a path; none when it is not open, or all ASCII."""


class Drawing:
    """How findings are drawn for one client, in the documents of one folder."""

    def __init__(self, client: Client, encoding: Encoding, lines: Lines, uri: Callable[[str], str]) -> None:
        self._client = client
        self._encoding = encoding
        self._lines = lines
        self._uri = uri

    def all(self, findings: Sequence[Finding], level: Level) -> list[lsp.Diagnostic]:
        """The findings of one document, in their order."""
        lines = self._lines(findings[0].path) if findings else ()
        return [self._one(f, level, lines) for f in findings]

    def range(self, finding: Finding) -> lsp.Range:
        """Where one finding is."""
        return to_client(finding.span, self._lines(finding.path), self._encoding)

    def _one(self, finding: Finding, level: Level, lines: Sequence[str]) -> lsp.Diagnostic:
        return lsp.Diagnostic(
            range=to_client(finding.span, lines, self._encoding),
            message=finding.message,
            severity=_SEVERITIES[severity(finding, level)],
            code=finding.code,
            code_description=lsp.CodeDescription(href=page_url(finding.code)),
            source=SOURCE,
            tags=self._tags(finding),
            related_information=self._related(finding.related),
            data=_data(finding),
        )

    def _tags(self, finding: Finding) -> list[lsp.DiagnosticTag] | None:
        tags = {_TAGS.get(finding.code), _TAGS.get(finding.origin)} & self._client.tags
        return sorted(tag for tag in tags if tag is not None) or None

    def _related(self, places: Sequence[Related]) -> list[lsp.DiagnosticRelatedInformation] | None:
        if not places or not self._client.related:
            return None
        return [lsp.DiagnosticRelatedInformation(self._location(p), p.message) for p in places]

    def _location(self, place: Related) -> lsp.Location:
        return lsp.Location(
            self._uri(place.path), to_client(place.span, self._lines(place.path), self._encoding)
        )


def _data(finding: Finding) -> dict[str, object]:
    return {
        "identity": finding.identity,
        "origin": finding.origin,
        "provisional": finding.provisional,
        "novelty": finding.novelty.value,
        "dimension": finding.dimension.value,
    }
