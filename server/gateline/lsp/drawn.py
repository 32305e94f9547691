"""Diagnostics on their way to the client: what each says is written once, where it stands each time.

With each key all findings of a document are published again, and nearly all of them say what they
said before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import attrs
from lsprotocol import types as lsp

from gateline.gates.suppress import may_be_ignored
from gateline.model import Dimension, Finding, Novelty, Severity
from gateline.model.codes import page_url

SOURCE = "gateline"
Unstructure = Callable[[lsp.Diagnostic], dict[str, Any]]
"""How the protocol writes a diagnostic as a JSON object."""

_KEPT = 2048
"""Sayings that are remembered; about a kilobyte each."""
_NOWHERE = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}


@dataclass(frozen=True, slots=True)
class Saying:
    """A diagnostic without its place."""

    members: str
    """Those of its JSON object, but `range`."""
    diagnostic: lsp.Diagnostic = field(compare=False)
    """The same for who needs the object; its range is nowhere."""


class Drawn(NamedTuple):
    """A diagnostic, its place in the client's units."""

    saying: Saying
    line: int
    character: int
    end_line: int
    end_character: int

    @property
    def diagnostic(self) -> lsp.Diagnostic:
        """As the protocol's object."""
        start, end = lsp.Position(self.line, self.character), lsp.Position(self.end_line, self.end_character)
        return attrs.evolve(self.saying.diagnostic, range=lsp.Range(start, end))

    @property
    def text(self) -> str:
        """As a JSON object."""
        return (
            f'{{"range":{{"start":{{"line":{self.line},"character":{self.character}}},'
            f'"end":{{"line":{self.end_line},"character":{self.end_character}}}}},{self.saying.members}}}'
        )


def published(uri: str, version: int | None, drawn: Iterable[Drawn]) -> str:
    """The params of `textDocument/publishDiagnostics`, as JSON."""
    of = "" if version is None else f'"version":{version},'
    return f'{{"uri":{json.dumps(uri)},{of}"diagnostics":[{",".join(one.text for one in drawn)}]}}'


class _Content(NamedTuple):
    """What makes a saying."""

    code: str
    message: str
    severity: Severity
    tags: tuple[lsp.DiagnosticTag, ...]
    origin: str
    identity: str
    provisional: bool
    novelty: Novelty
    dimension: Dimension
    remark: str
    ignorable: bool


class Sayings:
    """What findings say; what is said again is remembered."""

    def __init__(self, unstructure: Unstructure) -> None:
        self._unstructure = unstructure
        self._remembered = lru_cache(_KEPT)(self._write)

    def of(
        self,
        finding: Finding,
        severity: Severity,
        tags: tuple[lsp.DiagnosticTag, ...] = (),
        related: list[lsp.DiagnosticRelatedInformation] | None = None,
    ) -> Saying:
        """What a finding says; with `related` places, which move, it is written anew."""
        content = _Content(
            finding.code,
            finding.message,
            severity,
            tags,
            finding.origin,
            finding.identity,
            finding.provisional,
            finding.novelty,
            finding.dimension,
            finding.remark,
            may_be_ignored(finding),
        )
        return self._write(content, related) if related else self._remembered(content)

    def _write(
        self, content: _Content, related: list[lsp.DiagnosticRelatedInformation] | None = None
    ) -> Saying:
        diagnostic = lsp.Diagnostic(
            range=_NOWHERE,
            message=f"{content.message} ({content.remark})" if content.remark else content.message,
            severity=_SEVERITIES[content.severity],
            code=content.code,
            code_description=lsp.CodeDescription(href=page_url(content.code)),
            source=SOURCE,
            tags=list(content.tags) or None,
            related_information=related,
            data={
                "identity": content.identity,
                "origin": content.origin,
                "provisional": content.provisional,
                "novelty": content.novelty.value,
                "dimension": content.dimension.value,
                "ignorable": content.ignorable,
            },
        )
        members = {name: of for name, of in self._unstructure(diagnostic).items() if name != "range"}
        return Saying(json.dumps(members, separators=(",", ":"))[1:-1], diagnostic)
