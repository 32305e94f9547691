"""Findings as the client's diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lsprotocol import types as lsp

from gateline.gates.severity import severity
from gateline.lsp.client import Client
from gateline.lsp.convert import Encoding, to_client, units_of
from gateline.lsp.drawn import Drawn, Sayings
from gateline.model import Finding, Level, Related

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

    def __init__(
        self, client: Client, said: Sayings, encoding: Encoding, lines: Lines, uri: Callable[[str], str]
    ) -> None:
        self._client = client
        self._said = said
        self._encoding = encoding
        self._lines = lines
        self._uri = uri

    def all(self, findings: Sequence[Finding], level: Level) -> list[Drawn]:
        """The findings of one document, in their order."""
        lines = self._lines(findings[0].path) if findings else ()
        return [self._one(f, level, lines) for f in findings]

    def diagnostics(self, findings: Sequence[Finding], level: Level) -> list[lsp.Diagnostic]:
        """The same as the protocol's objects."""
        return [drawn.diagnostic for drawn in self.all(findings, level)]

    def range(self, finding: Finding) -> lsp.Range:
        """Where one finding is."""
        return to_client(finding.span, self._lines(finding.path), self._encoding)

    def _one(self, finding: Finding, level: Level, lines: Sequence[str]) -> Drawn:
        said = self._said.of(
            finding, severity(finding, level), self._tags(finding), self._related(finding.related)
        )
        start, end = finding.span.start, finding.span.end
        character, last = (units_of(place, lines, self._encoding) for place in (start, end))
        return Drawn(said, start.line, character, end.line, last)

    def _tags(self, finding: Finding) -> tuple[lsp.DiagnosticTag, ...]:
        found = (_TAGS.get(finding.code), _TAGS.get(finding.origin))
        return tuple(tag for tag in found if tag in self._client.tags)

    def _related(self, places: Sequence[Related]) -> list[lsp.DiagnosticRelatedInformation] | None:
        if not places or not self._client.related:
            return None
        return [lsp.DiagnosticRelatedInformation(self._location(p), p.message) for p in places]

    def _location(self, place: Related) -> lsp.Location:
        return lsp.Location(
            self._uri(place.path), to_client(place.span, self._lines(place.path), self._encoding)
        )
