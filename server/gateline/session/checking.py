"""Type checking of the documents of a session: what is shown, and what a verdict is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gateline.model import Change, Document, Finding, Report
from gateline.services.typecheck import Checked
from gateline.session.analysis import Analysis
from gateline.session.documents import Documents
from gateline.session.types import Typed, Types
from gateline.session.worktree import Worktree

_Key = tuple[str, str]
"""A path, and the digest of the text there."""


class TypeChecking:
    """Asks the type checker about every edit, and knows what the base had."""

    def __init__(self, types: Types, worktree: Worktree, documents: Documents, analysis: Analysis) -> None:
        self.types = types
        self.worktree = worktree
        self.documents = documents
        self.analysis = analysis
        self._now: dict[str, tuple[str, Report]] = {}
        """By path: the digest of the text that was checked last, and its report."""
        self._clean: dict[_Key, Report] = {}
        """Reports of documents as they were while nothing differed from the base."""

    async def check(self, document: Document) -> None:
        """Check an edited document; what that changes in other open documents is shown as well."""
        clean = not self._change().files
        checked = await self.types.update(document)
        self._remember(checked, clean=clean)
        before = await self._before(checked.reports)
        for path, report in checked.reports.items():
            newest = self.documents.get(path)
            if newest is not None and newest.digest == checked.digests.get(path):
                await self.analysis.take_types(newest, report.findings, before.get(path, ()))
                self.analysis.stages.done(newest, "types")

    async def known(self, change: Change) -> Typed:
        """What the resident checker says of a change; it is asked only about texts it has not seen."""
        rows = [row.current for row in change.files if row.current]
        for document in rows:
            if self._now.get(document.path, ("",))[0] != document.digest:
                self._remember(await self.types.update(document), clean=False)
        current = {d.path: self._now[d.path][1] for d in rows if d.path in self._now}
        return Typed(current, await self._base_reports(change)) if rows else Typed()

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files were written by somebody: the checker looks at them again."""
        outside = [p for p in paths if self.documents.get(p) is None]
        self._clean.clear()
        if outside:
            await self.types.files_changed(outside)

    async def close(self, path: str) -> None:
        """A document was closed: from now on its file counts."""
        self._now.pop(path, None)
        await self.types.close(path)

    def _change(self) -> Change:
        return self.worktree.change(self.documents.bases, self.documents.buffers)

    def _remember(self, checked: Checked, *, clean: bool) -> None:
        for path, digest in checked.digests.items():
            self._now[path] = (digest, checked.reports[path])
            if clean:
                self._clean[path, digest] = checked.reports[path]

    async def _before(self, reports: Mapping[str, Report]) -> Mapping[str, tuple[Finding, ...]]:
        """The findings of the base for the documents in `reports`."""
        bases = {path: self.documents.base(path) for path in reports}
        known = {p: self._clean.get((b.path, b.digest)) for p, b in bases.items() if b}
        if any(report is None for report in known.values()):
            asked = await self._base_reports(self._change(), tuple(b for b in bases.values() if b))
            known = {p: asked.get(b.path) for p, b in bases.items() if b}
        return {path: report.findings for path, report in known.items() if report}

    async def _base_reports(self, change: Change, more: Sequence[Document] = ()) -> Mapping[str, Report]:
        bases = {row.base.path: row.base for row in change.files if row.base} | {d.path: d for d in more}
        known = {p: self._clean.get((p, b.digest)) for p, b in bases.items()}
        if all(known.values()):
            return {p: report for p, report in known.items() if report}
        added = [row.path for row in change.files if row.base is None or row.base.path != row.path]
        return await self.types.of_base(list(bases.values()), added)
