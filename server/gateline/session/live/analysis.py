"""Analyses one open document, stage by stage: each answer is shown as soon as it is there.

Syntax is first and needs no pause: the parser runs in a thread, because it releases the
interpreter's lock. Types go to the type checker, which takes the newest text when it is free. The
other analyzers run in the worker, after a pause that adapts to what they cost.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from gateline.analyzers import syntax
from gateline.gates import novelty
from gateline.gates.alignment import align, doubted, inserted
from gateline.model import Change, Document, Finding, Novelty, Report
from gateline.services.child import ChildError
from gateline.session.judge.engine import Engine
from gateline.session.live.state import LiveState

PROVISIONAL = "provisional"
"""Whose findings they are that the type checker's will replace, as if of an analyzer."""

_Typed = tuple[Document, tuple[Finding, ...], tuple[Finding, ...] | None]
Parsed = Callable[[Document, bool], Awaitable[None]]
"""Is called with a text that was parsed, and whether it has no syntax error."""


async def no_more(document: Document, is_clean: bool) -> None:
    """Nobody goes on with it."""


class Analysis:
    """The stages of every open document."""

    def __init__(
        self,
        engine: Engine,
        live: LiveState,
        change: Callable[[], Change] = lambda: Change("", ""),
        parsed: Parsed = no_more,
    ) -> None:
        """`change` is that of the whole workspace: what a comment lifts depends on where it came from.

        `parsed` goes on with a text whose syntax errors are shown; it is told whether there are none.
        """
        self.engine = engine
        self.live = live
        self.documents, self.board, self.stages = live.documents, live.board, live.stages
        self._change = change
        self._parsed = parsed
        self._comments: dict[str, Counter[str]] = {}
        """By path: the lines with comments about findings, as they were last."""
        self._typed: dict[str, _Typed] = {}
        """By path: what the type checker said last, of which text, and what it said of the base."""
        self._read: dict[str, Document] = {}
        """By path: the text of which the types say what is shown, also where that is a first answer."""
        self._parser = ThreadPoolExecutor(1, "syntax")
        self._unparsed: set[str] = set()
        """Documents whose newest text does not parse."""
        self._uncompiled: set[str] = set()
        """Documents that parse, but that the compiler refuses: only the worker can tell."""
        self._is_over = False
        """Whether another one has taken its place: what is under way is not shown any more."""

    async def syntax(self, document: Document) -> bool:
        """Parse and show syntax errors; whether the text parses. An older text is passed over."""
        if not self._is_shown(document):
            return True
        loop = asyncio.get_running_loop()
        target = syntax.target_of(self.engine.options.get("syntax", {}))
        found = await loop.run_in_executor(
            self._parser, syntax.recovering_errors, document.path, document.text, target
        )
        if found:
            await self._drop_types_of_edited_lines(document)
        if not self._is_shown(document):
            return True
        (self._unparsed.add if found else self._unparsed.discard)(document.path)
        if found or document.path not in self._uncompiled:
            self.board.put(document.path, "syntax", self._classified(document, (), found))
        self.stages.done(document, "syntax")  # before it is shown: what was not parsed is not
        self.live.show(document.path)
        await self._parsed(document, not found)
        return not found

    async def _drop_types_of_edited_lines(self, document: Document) -> None:
        """Forget what types were said of lines that were typed on: as they are now, nothing reads them."""
        told = self.board.of(document.path, "types")
        read = self._read.get(document.path)
        if read is None or not told:
            return
        edited = (await asyncio.to_thread(align, read.lines, document.lines)).edited
        if self._is_shown(document):
            told = self.board.of(document.path, "types")
            kept = [finding for finding in told if finding.span.start.line not in edited]
            self.board.put(document.path, "types", kept)

    async def inspect(self, document: Document) -> None:
        """Run the analyzers of the worker, and show each report as it comes."""
        await self._show_inspected(document)
        if self._have_moved(document):
            await self.retell(but=document.path)

    async def _show_inspected(self, document: Document) -> None:
        base = self.documents.base(document.path)
        before = {r.analyzer: r.findings for r in await self.engine.inspect(base, None)} if base else {}

        def show(report: Report) -> None:
            if self._is_shown(document) and self.documents.base(document.path) == base:
                self._note_compiler_errors(document.path, report)
                found = self._classified(document, before.get(report.analyzer, ()), report.findings)
                self._put(document, report.analyzer, found)

        if not self.engine.has_suppressions(document):
            await self.engine.inspect(document, base, show)
        else:
            # Here the comments decide what may be seen, so nothing is shown before they were read.
            for report in await self._inspected_with_comments(document, base):
                show(report)
        if not self._is_over:
            self.stages.done(document, "inspected")

    async def _inspected_with_comments(self, document: Document, base: Document | None) -> Sequence[Report]:
        try:
            return await self.engine.inspect_with_comments(document, base, self._change)
        except ChildError:
            if self._is_over:
                return ()
            raise

    async def take_types(
        self, document: Document, found: tuple[Finding, ...], before: tuple[Finding, ...] | None
    ) -> None:
        """Show the type checker's findings of a document, if this is still its text.

        `before` is what the base has; None when the checker could not say.
        """
        self._typed[document.path] = (document, found, before)
        told = self._classified(document, before or (), found)
        base = self.documents.base(document.path)
        if before is None and base is not None:
            told = tuple(doubted(finding, base.lines, document.lines) for finding in told)
        kept = await self._left(document, told)
        if self._is_shown(document):
            self._read[document.path] = document
            self.board.put(document.path, "types", kept)
            self.live.show(document.path)

    async def take_first_types(self, document: Document, found: tuple[Finding, ...]) -> None:
        """Show what the checker's first answer says of inserted lines: the base's may take a second more."""
        base = self.documents.base(document.path)
        if base is None or not found or self.board.has(document.path, "types"):
            return
        lines = await asyncio.to_thread(inserted, base.lines, document.lines)
        new = tuple(finding for finding in found if finding.span.start.line in lines)
        kept = await self._left(document, self._classified(document, (), new))
        if kept and self._is_shown(document) and not self.board.has(document.path, "types"):
            self._put(document, "types", kept)

    async def take_provisional(
        self,
        document: Document,
        found: tuple[Finding, ...],
        before: tuple[Finding, ...],
        wanted: Callable[[Finding], bool],
    ) -> None:
        """Show a faster type checker's new findings; `wanted` is asked when there is no more to wait for."""
        classified = self._classified(document, before, found)
        new = tuple(replace(f, provisional=True) for f in classified if f.novelty is Novelty.NEW)
        kept = await self._left(document, new)
        if self._is_shown(document):
            shown = tuple(filter(wanted, kept))
            if self.board.put(document.path, PROVISIONAL, shown):
                self.live.show(document.path)

    async def retell(self, *, but: str = "") -> None:
        """Show anew what comments decide, in all documents `but` one.

        Whether the base has a comment depends on the whole change: it may have moved from file to file.
        """
        for document in list(self.documents.buffers.values()):
            if document.path == but or document.path not in self._comments:
                continue
            if self.engine.has_suppressions(document) and self.documents.is_current(document):
                await self._show_inspected(document)
                typed = self._typed.get(document.path)
                if typed is not None and self.documents.is_current(typed[0]):
                    await self.take_types(*typed)

    def _is_shown(self, document: Document) -> bool:
        """Whether what is found in this text is for the board."""
        return not self._is_over and self.documents.is_current(document)

    def _have_moved(self, document: Document) -> bool:
        """Whether the comments of a document differ from those that it had last."""
        lines = document.lines if self.engine.has_suppressions(document) else ()
        said = Counter(line.strip() for line in lines if "gateline:" in line)
        before, self._comments[document.path] = self._comments.get(document.path), said
        return before is not None and before != said

    async def _left(self, document: Document, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What the document's comments leave of findings, as in the verdict."""
        base = self.documents.base(document.path)
        try:
            return await self.engine.suppress(document, base, findings, self._change)
        except ChildError:
            if self._is_over:
                return ()
            raise

    def stop(self) -> None:
        """End the parser's thread; nothing is shown from now on."""
        self._is_over = True
        self._parser.shutdown(wait=False, cancel_futures=True)

    def _note_compiler_errors(self, path: str, report: Report) -> None:
        if report.analyzer != "syntax":
            return
        if report.findings and path not in self._unparsed:
            self._uncompiled.add(path)
        else:
            self._uncompiled.discard(path)

    def _put(self, document: Document, analyzer: str, found: tuple[Finding, ...]) -> None:
        if analyzer == "types":
            self._read[document.path] = document
        self.board.put(document.path, analyzer, found)
        self.live.show(document.path)

    def _classified(
        self, document: Document, before: tuple[Finding, ...], found: tuple[Finding, ...]
    ) -> tuple[Finding, ...]:
        if not found:
            return ()
        base = self.documents.base(document.path)
        known: Mapping[str, tuple[str, ...]] = {base.path: base.lines} if base else {}
        renames = {document.path: base.path} if base and base.path != document.path else {}
        return novelty.classify(before, found, known, {document.path: document.lines}, renames).findings
