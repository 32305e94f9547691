"""Which findings of the type checker `gateline fix` repairs unasked: those that the base has not.

What only a type checker reports may be code that works: it is for the change to answer for, not for what was
there before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gateline.analyzers import syntax
from gateline.gates.alignment import doubted
from gateline.gates.novelty import classify
from gateline.model import Change, Document, Finding, Novelty, State
from gateline.session.types.services import Reports
from gateline.session.types.types import Types


@dataclass
class NewFindings:
    """Tells new findings from old ones while texts are being repaired."""

    types: Types
    change: Change | None
    """The whole change against its base; None where nothing tells what is old."""
    originals: Mapping[str, Document]
    """The documents that are looked at, as they were before any repair."""
    old: int = 0
    """How many findings of the last question were old."""
    _base: Reports | None = None

    async def among(self, findings: Sequence[Finding], texts: Mapping[str, str]) -> list[Finding]:
        """Those of these findings that are new. `texts` are the documents as they are now, by path."""
        new = [f for f in await self._told(findings, texts) if f.novelty is Novelty.NEW] if findings else []
        self.old = len(findings) - len(new)
        return new

    async def _told(self, findings: Sequence[Finding], texts: Mapping[str, str]) -> Iterable[Finding]:
        if self.change is None:
            return await asyncio.to_thread(self._of_repaired_lines, findings, texts)
        if self._base is None:
            gone = [row.path for row in self.change.files if row.base is None or row.base.path != row.path]
            self._base = await self.types.of_base(self.change.base, self._bases(), gone)
        if any(report.state in (State.FAILED, State.NO_DATA) for report in self._base.values()):
            return [self._beside(finding, self._base_lines(), texts) for finding in findings]
        before = [finding for report in self._base.values() for finding in report.findings]
        lines = {path: Document(path, text).lines for path, text in texts.items()}
        renames = {row.path: row.base.path for row in self.change.files if row.base}
        return classify(before, findings, self._base_lines(), lines, renames).findings

    def _bases(self) -> list[Document]:
        """What differs from the base, as it was there; and what is looked at without a difference."""
        assert self.change is not None
        changed = {row.path for row in self.change.files}
        same = [document for path, document in self.originals.items() if path not in changed]
        return [*(row.base for row in self.change.files if row.base), *same]

    def _base_lines(self) -> dict[str, Sequence[str]]:
        return {document.path: document.lines for document in self._bases()}

    def _of_repaired_lines(self, findings: Sequence[Finding], texts: Mapping[str, str]) -> list[Finding]:
        """Where a text did not parse, only what stands on lines that were repaired is new."""
        broken = {
            path: document.lines
            for path, document in self.originals.items()
            if syntax.compiler_error(path, document.text)
        }
        return [self._beside(finding, broken, texts) for finding in findings]

    def _beside(
        self, finding: Finding, lines: Mapping[str, Sequence[str]], texts: Mapping[str, str]
    ) -> Finding:
        """Old where it stands on a line that there was before."""
        before = lines.get(finding.path)
        now = Document(finding.path, texts[finding.path])
        return finding if before is None else doubted(finding, before, now.lines)
