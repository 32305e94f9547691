"""Type checking of the documents of a session: what is shown, and what a verdict is made of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from gateline.analyzers.syntax import recovering_errors
from gateline.model import Change, Document, Finding, Report, State
from gateline.model.newer_syntax import NEWEST
from gateline.services.shielded import begun
from gateline.services.types.checked import Checked
from gateline.session.live.analysis import Analysis
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Clock, LoopClock
from gateline.session.types.provisional import Provisional
from gateline.session.types.types import Typed, Types, of_interest
from gateline.session.workspace.external_documents import is_elsewhere
from gateline.session.workspace.reading import is_python
from gateline.session.workspace.worktree import Worktree

_Key = tuple[str, str]
"""A path, and the digest of the text there."""
_HEAD_START = 0.02
"""Seconds that a preview has for itself."""
_REST = 0.3
"""Seconds without a newer text after which one of which a function was checked is checked as a whole.

Longer than people take from key to key: the whole is in nobody's way then.
"""
_FOLLOWED = 30
"""Importers of the change that are followed while somebody works, besides those that are open.

Each is one more file in the resident engine; a verdict that is asked for looks at all.
"""


class TypeChecking:
    """Asks the type checker about every edit, and knows what the base had."""

    def __init__(
        self,
        types: Types,
        worktree: Worktree,
        documents: Documents,
        analysis: Analysis,
        clock: Clock | None = None,
    ) -> None:
        self.types = types
        self._clock = clock or LoopClock()
        self.worktree = worktree
        self.documents = documents
        self.analysis = analysis
        self.provisional = Provisional(types.fast, documents, analysis)
        self._turn = asyncio.Lock()
        self._now: dict[str, tuple[str, Report]] = {}
        """By path: the digest of the text that was checked last, and its report."""
        self._clean: dict[_Key, Report] = {}
        """Reports of documents as they were while nothing differed from the base."""
        self._ahead: set[str] = set()
        """Documents of which a function was checked since the whole was: the checker has a newer text."""
        self._latest: dict[str, asyncio.Event] = {}
        """By path: the answer that came last; only that is shown, however long the base's takes.

        Each is set when nothing more will be shown of it.
        """
        self._laid: set[str] = set()
        """Closed files of the change whose texts the checker was given."""

    async def check(self, document: Document) -> None:
        """Check an edited document; what that changes in other open documents is shown as well.

        Afterwards the stage "types" is done for this version, whatever came of it.
        """
        try:
            if self.documents.is_current(document) and not self._is_known(document):
                self.types.expect(document)
            if self._is_known(document):
                await self._gone_back(document)
            else:
                if await self._said_soon(document):
                    await self._clock.sleep(_REST)
                await self._show(await self._asked(document))
            await self._overtaken(document)
        finally:
            # Also when nothing can be said of this text: what was known of the last one stays.
            if self.documents.is_current(document):
                self.analysis.stages.done(document, "types")

    async def _overtaken(self, document: Document) -> None:
        """Until a later answer about this text, in whose favour one's own was not shown, was shown itself."""
        while self.documents.is_current(document):
            answer = self._latest.get(document.path)
            if answer is None or answer.is_set():
                return
            await answer.wait()

    async def known(self, change: Change, importers: Sequence[Document] = ()) -> Typed:
        """What the resident checker says of a change and of what imports it.

        It is asked only about texts it has not seen, and about all of those at once: each alone may bring so
        many other modules that the checker is built anew.
        """
        rows = [row.current for row in change.files if row.current]
        followed = self._followed_of(importers)
        await self._take_back({document.path for document in (*rows, *followed)})
        for document in (*rows, *followed):
            if self.documents.get(document.path) is None:
                self._laid.add(document.path)
                if not self._is_known(document):
                    self.types.expect(document)
        for document in (*rows, *followed):
            await self._show(await self._asked(document))
        current = {d.path: self._now[d.path][1] for d in (*rows, *followed) if self._counts(d)}
        # Most importers are clean: nothing needs to be known of how they were.
        found = [d for d in followed if d.path in current and current[d.path].findings]
        return of_interest(Typed(current, await self._base_reports(change, found)), change.files)

    def seen(self, importers: Sequence[Document]) -> list[Document]:
        """Those of the importers that can be told of without asking about another closed file."""
        return [d for d in importers if self.documents.get(d.path) is not None or self._is_known(d)]

    async def proposed(self, change: Change, proposed: Change, importers: Sequence[Document] = ()) -> Typed:
        """What the checker says of texts that nobody has written, and keep those that there are.

        `importers` are those of what is proposed.
        """
        # It speaks of importers that it was given, and of no others.
        known = await self.known(change, importers)
        texts = _differing(change, proposed)
        if not any(map(is_python, texts)):
            return of_interest(known, proposed.files)
        broken = await asyncio.to_thread(_broken, texts)
        _, now = await self.types.peek({}, {p: text for p, text in texts.items() if p not in broken})
        told = {path: report for path, (_, report) in self._now.items()} | dict(now)
        gone = broken | {path for path, text in texts.items() if text is None}
        ours = {row.path for row in proposed.files} | now.keys() | {d.path for d in importers}
        current = {path: told[path] for path in ours - gone if path in told}
        found = [d for d in importers if d.path in current and current[d.path].findings]
        return of_interest(Typed(current, await self._base_reports(proposed, found)), proposed.files)

    def _followed_of(self, importers: Sequence[Document]) -> list[Document]:
        """The importers that are open, and as many of the others as are followed, as they are now."""
        opened = [now for d in importers if (now := self.documents.get(d.path)) is not None]
        closed = [d for d in importers if self.documents.get(d.path) is None]
        return [*opened, *closed[:_FOLLOWED]]

    async def reconcile(self) -> None:
        """Show what an ordinary run says of the open documents: the resident engine may rarely differ.

        What was said of a document while it ran stands: that knows newer texts, also of what it imports.
        Texts whose answer is under way are laid, too: others may import them, and their files be gone.
        """
        asked = {p: d for p, d in self.documents.buffers.items() if self._now.get(p, ("",))[0] == d.digest}
        told = {path: self._now[path] for path in asked}
        waiting = {
            path: document.text
            for path, document in self.documents.buffers.items()
            if path not in asked and is_python(path) and not is_elsewhere(path)
        }
        broken = await asyncio.to_thread(_broken, waiting) if waiting else set()
        laid = {path: text for path, text in waiting.items() if path not in broken}
        texts = laid | {path: document.text for path, document in asked.items()}
        reports = await self.types.plain(texts) if asked else {}
        differing = {
            path: reports[path]
            for path, known in told.items()
            if path in reports
            and reports[path].state is State.MEASURED
            and self._now.get(path) is known
            and reports[path] != known[1]
        }
        if any(report.state is State.MEASURED for report in reports.values()):
            self.types.ask_again()
        corrected = Checked(differing, {path: asked[path].digest for path in differing})
        self._remember(corrected, clean=False)
        await self._show(corrected)

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files were written by somebody: the checker looks at them again, and at what is open."""
        outside = [p for p in paths if self.documents.get(p) is None]
        self._clean.clear()
        self.provisional.files_changed()
        if outside:
            async with self._turn:
                await self.types.files_changed(outside)
                self._now.clear()
            await self._check_all()

    async def close(self, path: str) -> None:
        """A document was closed: from now on its file counts, also for what is open and imports it."""
        self.provisional.close(path)
        # An answer that is under way would be remembered after it was forgotten.
        async with self._turn:
            self._now.pop(path, None)
            self._latest.pop(path, None)
            self._ahead.discard(path)
            differs = await self.types.close(path)
            if differs:
                self._now.clear()
        if differs:
            await self._check_all()

    async def _check_all(self) -> None:
        await asyncio.gather(*(self.check(document) for document in self.documents.buffers.values()))

    async def _gone_back(self, document: Document) -> None:
        """Show what was said of this text; the checker, too, goes back to it.

        Else it would still have the text of a preview, and the next edit elsewhere be one in two places,
        which no preview knows.
        """
        self.provisional.begin(document)
        await self._show(await self._asked(document))
        await self._show(await self._followed(document))

    async def _followed(self, document: Document) -> Checked:
        """What is new to tell of a text that was checked before: nothing, if it is one more preview."""
        async with self._turn:
            if document.path not in self._ahead or not self._is_known(document):
                return Checked()
            if not self.documents.is_current(document):
                return Checked()
            if (await self.types.preview(document)).reports:
                self._ahead.discard(document.path)
                return Checked()
            clean = self._is_clean()
            checked = await self.types.update(document)
            self._remember(checked, clean=clean)
            return checked

    async def _said_soon(self, document: Document) -> bool:
        """Show what can be said before the whole is checked; whether that is mypy's own word.

        The faster checker is asked in any case, so that it is known what it says of this text; but not at
        the same time as a preview, which is mostly quicker still.
        """
        preview = begun(self._previewed(document))
        await asyncio.wait({preview}, timeout=_HEAD_START)
        self.provisional.begin(document)
        return await preview

    async def _previewed(self, document: Document) -> bool:
        """Show what can be said at once of an edit inside one function; whether anything could."""
        async with self._turn:
            if self._is_known(document) or not self.documents.is_current(document):
                return False
            checked = await self.types.preview(document)
            self._ahead |= checked.reports.keys()
        await self._show(checked, settled=False)
        return bool(checked.reports)

    async def _asked(self, document: Document) -> Checked:
        """The checker's answer; nothing when a newer text came while this one waited for its turn."""
        async with self._turn:
            digest, report = self._now.get(document.path, ("", None))
            if report is not None and digest == document.digest:
                return Checked({document.path: report}, {document.path: digest})
            newest = self.documents.get(document.path)
            if newest is None and document.path not in self._laid:
                return Checked()  # It was closed meanwhile: from now on its file counts.
            if newest is not None and newest.digest != document.digest:
                return Checked()
            clean = self._is_clean()
            checked = await self.types.update(document)
            self._remember(checked, clean=clean)
            return checked

    async def _show(self, checked: Checked, *, settled: bool = True) -> None:
        """Show the reports of the documents that are open and still have the text that was checked.

        Those that are not `settled` will be followed by others of the same text.
        """
        shown = {p: r for p, r in checked.reports.items() if self._is_newest(p, checked.digests.get(p))}
        with self._answering(shown) as answer:
            bases = {path: self.documents.base(path) for path in shown}
            before = await self._waited_for_before(shown, checked) if shown else {}
            for path, report in shown.items():
                if self._latest.get(path) is not answer:
                    continue  # Another document was edited meanwhile: there is a newer answer about it.
                if self.documents.base(path) != bases[path]:
                    continue  # It moved meanwhile: beside the new one the document is checked anew.
                newest = self.documents.get(path)
                if newest is not None and self._is_newest(path, checked.digests[path]):
                    self.provisional.judged(newest, report)
                    await self.analysis.take_types(newest, report.findings, before.get(path, ()))
                    if settled:
                        self.analysis.stages.done(newest, "types")

    @contextmanager
    def _answering(self, paths: Iterable[str]) -> Iterator[asyncio.Event]:
        """The answer that is the latest about these documents, set in the end."""
        answer = asyncio.Event()
        self._latest |= dict.fromkeys(paths, answer)
        try:
            yield answer
        finally:
            answer.set()

    async def _waited_for_before(
        self, shown: Mapping[str, Report], checked: Checked
    ) -> Mapping[str, tuple[Finding, ...] | None]:
        """The findings of the base; where they are not at hand, what needs none is shown meanwhile."""
        before = begun(self._before(shown))
        await asyncio.wait({before}, timeout=_HEAD_START)
        if not before.done():
            for path, report in shown.items():
                newest = self.documents.get(path)
                if newest is not None and newest.digest == checked.digests[path]:
                    await self.analysis.take_first_types(newest, report.findings)
        return await before

    def _is_known(self, document: Document) -> bool:
        """Whether this is the text that was checked as a whole last."""
        return self._now.get(document.path, ("",))[0] == document.digest

    def _counts(self, document: Document) -> bool:
        """Whether what was said last of its path is said of it.

        While somebody types, also what was said of the last text that parses; of a file, of its text alone.
        """
        is_open = self.documents.get(document.path) is not None
        return self._is_known(document) or (is_open and document.path in self._now)

    def _is_newest(self, path: str, digest: str | None) -> bool:
        newest = self.documents.get(path)
        return newest is not None and newest.digest == digest

    async def _take_back(self, changed: set[str]) -> None:
        """Texts of closed files that are no longer part of the change: the files count again."""
        for path in self._laid - changed - self.documents.buffers.keys():
            await self.close(path)
        self._laid &= changed

    def _is_clean(self) -> bool:
        """Whether nothing differs from the base, told without laying every document over the disk."""
        buffers, rows = self.documents.buffers, self.worktree.disk.files
        return not self.documents.differ and all(row.path in buffers and not row.skipped for row in rows)

    def _change(self) -> Change:
        return self.worktree.change(self.documents.bases, self.documents.buffers)

    def _remember(self, checked: Checked, *, clean: bool) -> None:
        bases = {path: self.documents.base(path) for path in checked.digests}
        # A text that came after the question may have been answered for as well.
        clean = clean and all(b is not None and b.digest == checked.digests[p] for p, b in bases.items())
        self._ahead -= checked.digests.keys()
        for path, digest in checked.digests.items():
            self._now[path] = (digest, checked.reports[path])
            if clean:
                self._clean[path, digest] = checked.reports[path]

    async def _before(self, reports: Mapping[str, Report]) -> Mapping[str, tuple[Finding, ...] | None]:
        """The findings of the base for the documents in `reports`; None where the checker could not say."""
        bases = {path: self.documents.base(path) for path in reports}
        known = {p: self._clean.get((b.path, b.digest)) for p, b in bases.items() if b}
        if any(report is None for report in known.values()):
            asked = await self._base_reports(self._change(), tuple(b for b in bases.values() if b))
            known = {p: asked.get(b.path) for p, b in bases.items() if b}
        return {
            path: None if report.state is State.FAILED else report.findings
            for path, report in known.items()
            if report
        }

    async def _base_reports(self, change: Change, more: Sequence[Document] = ()) -> Mapping[str, Report]:
        bases = {row.base.path: row.base for row in change.files if row.base} | {d.path: d for d in more}
        known = {p: self._clean.get((p, b.digest)) for p, b in bases.items()}
        if all(known.values()):
            return {p: report for p, report in known.items() if report}
        added = [row.path for row in change.files if row.base is None or row.base.path != row.path]
        return await self.types.of_base(change.base, list(bases.values()), added, soon=True)


def _broken(texts: Mapping[str, str | None]) -> set[str]:
    """The paths whose texts do not parse: nothing is said of their types."""
    return {p for p, text in texts.items() if text is not None and recovering_errors(p, text, NEWEST)}


def _differing(change: Change, proposed: Change) -> dict[str, str | None]:
    """The Python texts of a proposed change that are others than those there are; None of what is gone."""
    now = {row.path: row.current for row in change.files}
    then = {row.path: row.current for row in proposed.files}
    before = {row.path: row.base for row in (*change.files, *proposed.files) if row.base}
    differing: dict[str, str | None] = {}
    for path in now.keys() | then.keys():
        # What only one of them changes is as at the base in the other.
        one, other = now.get(path, before.get(path)), then.get(path, before.get(path))
        if one != other and (one is None or other is None or one.digest != other.digest):
            differing[path] = other.text if other is not None else None
    return differing
