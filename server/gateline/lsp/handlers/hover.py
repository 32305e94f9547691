"""Hover: on a finding, what it is and where it is explained; on a changed function, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.lsp.convert import locate, to_client
from gateline.model import Novelty
from gateline.model.codes import page_url

if TYPE_CHECKING:
    from gateline.lsp.buffer import Buffer
    from gateline.lsp.server import Server
    from gateline.model import Finding, Position
    from gateline.model.evaluation import FunctionChange
    from gateline.session.session import Session


def register(server: Server) -> None:
    """Hand the handler to pygls."""
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(hover)


def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What is known of the place; None when nothing is."""
    buffer, address = ls.buffer(params.text_document.uri), ls.folders.owner(params.text_document.uri)
    if buffer is None or address is None or address.folder.session is None:
        return None
    session = address.folder.session
    place, _ = locate(buffer.text, params.position, buffer.encoding)
    found = [f for f in session.findings(address.path) if _covers(f, place)]
    change = session.verdicts.function_change(address.path, place.line)
    parts = [_finding(f, session) for f in found] + ([_function(change)] if change else [])
    if not parts:
        return None
    return lsp.Hover(_markdown(parts), _range(found, buffer))


def _covers(finding: Finding, place: Position) -> bool:
    span = finding.span
    return span.start <= place < span.end or place == span.start


def _finding(finding: Finding, session: Session) -> str:
    facts = [
        finding.origin,
        "in the base already" if finding.novelty is Novelty.OLD else "",
        "provisional" if finding.provisional else "",
        _points(session.verdicts.points(finding.identity)),
    ]
    head = f"[{finding.code}]({page_url(finding.code)}) {_plain(finding.message)}"
    told = " · ".join(_plain(fact) for fact in facts if fact)
    return f"{head}\n\n{told}" if told else head


def _points(points: float | None) -> str:
    return f"fixing it wins {points:g} points" if points else ""


def _function(change: FunctionChange) -> str:
    before, after = (_number(n) for n in (change.complexity_before, change.complexity_after))
    told = f"`{change.symbol}`: cyclomatic complexity {before} → {after}"
    if change.coverage_before is None and change.coverage_after is None:
        return told
    covered = (_share(share) for share in (change.coverage_before, change.coverage_after))
    return f"{told} · covered by tests {' → '.join(covered)}"


def _share(value: float | None) -> str:
    return "not known" if value is None else f"{value:g} %"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~" else char for char in text).replace("\n", "  \n")


def _markdown(parts: list[str]) -> lsp.MarkupContent:
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(parts))


def _range(found: list[Finding], buffer: Buffer) -> lsp.Range | None:
    return to_client(found[0].span, buffer.lines, buffer.encoding) if found else None
