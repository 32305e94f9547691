"""What a faster type checker finds, shown until the reference has answered about the same text."""

from __future__ import annotations

import asyncio
import logging

from cachetools import LRUCache

from gateline.model import Document, Finding, Novelty, Report, State, Weight
from gateline.session.live.analysis import PROVISIONAL, Analysis
from gateline.session.live.documents import Documents
from gateline.session.types.services import FastService

log = logging.getLogger(__name__)

_Saying = tuple[str, str, str]
"""What a finding says of which line, wherever that line is now."""


class Provisional:
    """Shows a faster checker's new errors.

    The two find different things in the same text. So only what is new against the faster one's own findings
    of the base is shown, and only until the reference answers: what was said of a text that the reference has
    judged, rightly or wrongly, is not said again of the next one.
    """

    def __init__(self, fast: FastService | None, documents: Documents, analysis: Analysis) -> None:
        self._fast = fast
        self._documents = documents
        self._analysis = analysis
        self._tasks: set[asyncio.Task[None]] = set()
        self._bases: LRUCache[tuple[str, str], Report] = LRUCache(256)
        """By path and digest of a base's text."""
        self._said: dict[str, tuple[str, frozenset[_Saying]]] = {}
        """By path: the digest of the text that the faster one was asked about last, and what it said."""
        self._judged: dict[str, str] = {}
        """By path: the digest of the text that the reference judged last."""
        self._settled: dict[str, frozenset[_Saying]] = {}
        """By path: what the faster one said of a text that the reference has judged."""

    @property
    def pending(self) -> bool:
        """Whether an answer is waited for."""
        return bool(self._tasks)

    def begin(self, document: Document) -> None:
        """Ask about an edited document, and show the answer if it comes in time. Returns at once."""
        if self._fast is not None and not self._is_judged(document):
            task = asyncio.ensure_future(self._guarded(self._fast, document))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def judged(self, document: Document, report: Report) -> None:
        """The reference's answer about a text is to be shown now: it takes the place of ours."""
        if self._fast is not None and report.state is State.MEASURED:
            self._judged[document.path] = document.digest
            self._settle(document)
            self._analysis.board.put(document.path, PROVISIONAL, ())

    def files_changed(self) -> None:
        """Files were written: what was known of the bases may be wrong."""
        self._bases.clear()

    def close(self, path: str) -> None:
        """A document was closed."""
        for known in (self._said, self._judged, self._settled):
            known.pop(path, None)

    async def _guarded(self, fast: FastService, document: Document) -> None:
        """A boundary: a fault here must cost nothing but the earlier answer."""
        try:
            await self._show(fast, document)
        except Exception:
            log.exception("no provisional findings")

    async def _show(self, fast: FastService, document: Document) -> None:
        path = document.path
        checked = await fast.update({path: document.text})
        report = checked.reports.get(path)
        if report is None or checked.digests[path] != document.digest or report.state is not State.MEASURED:
            return
        before = await self._before(fast, document, report)
        found = _errors(report)
        self._said[path] = (document.digest, frozenset(map(_saying, found)))
        self._settle(document)
        if before.state is State.MEASURED and not self._is_judged(document):
            await self._analysis.take_provisional(document, found, _errors(before), self._is_news)

    async def _before(self, fast: FastService, document: Document, report: Report) -> Report:
        """What the faster one says of the base: nothing where there is none."""
        base = self._documents.base(document.path)
        if base is None:
            return Report(report.analyzer, report.dimension)
        key = (base.path, base.digest)
        if base.digest == document.digest and base.path == document.path:
            self._bases[key] = report
        known = self._bases.get(key)
        if known is None:
            known = await fast.alone(base.path, base.text)
            if known.state is State.MEASURED:
                self._bases[key] = known
        return known

    def _settle(self, document: Document) -> None:
        digest, said = self._said.get(document.path, ("", frozenset()))
        if digest == document.digest and self._is_judged(document):
            self._settled[document.path] = said

    def _is_judged(self, document: Document) -> bool:
        return self._judged.get(document.path) == document.digest

    def _is_news(self, finding: Finding) -> bool:
        """Whether the reference has said nothing of it yet: neither in its own way, nor by saying nothing."""
        newest = self._documents.get(finding.path)
        if newest is None or self._is_judged(newest):
            return False
        if _saying(finding) in self._settled.get(finding.path, ()):
            return False
        line = finding.span.start.line
        return not any(
            known.span.start.line == line and known.code == finding.code
            for known in self._analysis.board.merged(finding.path)
            if known.novelty is Novelty.NEW and not known.provisional
        )


def _errors(report: Report) -> tuple[Finding, ...]:
    return tuple(finding for finding in report.findings if finding.weight is Weight.COUNTS)


def _saying(finding: Finding) -> _Saying:
    return (finding.origin, finding.message, finding.line_text.strip())
