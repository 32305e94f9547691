"""Type errors of the open and changed documents, beside those of their bases."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from cachetools import LRUCache

from gateline.analyzers.syntax import recovering_errors
from gateline.model import Change, Dimension, Document, FileChange, FileStatus, Report, State, digest_of
from gateline.model.newer_syntax import NEWEST
from gateline.services.types.checked import Checked
from gateline.session.types.services import (
    Checker,
    Consenting,
    Expecting,
    FastService,
    Peeking,
    Previewing,
    Readying,
    Reports,
    Texts,
    TypeService,
    Warming,
)
from gateline.session.workspace.reading import is_python

_Key = tuple[str, tuple[tuple[str, str], ...]]
"""A commit; paths, and the digests of the texts there."""


@dataclass(frozen=True)
class Typed:
    """The reports of a change, and those of its base."""

    current: Reports = field(default_factory=dict)
    base: Reports = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    """Paths that the project's settings leave out, and to which no import has led."""
    first_reached: frozenset[str] = frozenset()
    """Paths that the change does not touch, with errors, and to which at the base no import has led."""


def absent(reason: str, state: State = State.NO_DATA) -> Report:
    """The report of a type checker that is not there."""
    return Report("types", Dimension.ERRORS, state, reason)


class Types:
    """Asks the service, and asks it about each base text only once."""

    def __init__(
        self, service: TypeService | None, reason: str = "", *, fast: FastService | None = None
    ) -> None:
        self.service = service
        self.fast = fast
        """Answers sooner and otherwise: shown until the service has answered, and never judged by."""
        self.reason = reason or "types are switched off"
        self._bases: LRUCache[_Key, Reports] = LRUCache(64)
        self._soon: LRUCache[_Key, Reports] = LRUCache(64)
        """What was told of the base's documents alone."""
        self._laid: tuple[Texts, Reports] | None = None
        """What was told last of texts that are laid over those that the service has, until these change."""

    def warm(self) -> None:
        """Have the service start while other things are read. Returns at once."""
        if self.service is not None and isinstance(self.service, Warming):
            self.service.warm()

    async def update(self, document: Document) -> Checked:
        """The reports after an edit; empty without a service, or when a newer edit's answer stands for it."""
        if self.service is None:
            return Checked({document.path: absent(self.reason)}, {document.path: document.digest})
        self._laid = None
        return await self.service.update({document.path: document.text})

    async def ready(self, texts: Texts) -> None:
        """Have the service get ready to `peek` at others than these texts. It tells a failure when asked."""
        asked: object = self.service
        if isinstance(asked, Readying):
            await asked.ready(texts)

    @property
    def waits_for_consent(self) -> bool:
        """Whether more would be known if somebody agreed that code of the project runs."""
        asked: object = self.service
        return isinstance(asked, Consenting) and asked.waits_for_consent()

    def expect(self, document: Document) -> None:
        """A document will be asked about. Returns at once."""
        if self.service is not None and isinstance(self.service, Expecting):
            self.service.expect({document.path: document.text})

    async def preview(self, document: Document) -> Checked:
        """The reports after an edit inside one function, soon; empty after others. `update` must follow."""
        if self.service is None or not isinstance(self.service, Previewing):
            return Checked()
        return await self.service.preview(document.path, document.text)

    async def of_base(
        self,
        commit: str,
        documents: Sequence[Document],
        gone: Sequence[str] = (),
        around: Texts = MappingProxyType({}),
        *,
        soon: bool = False,
    ) -> Reports:
        """The reports of the base's documents, without the paths in `gone`, with `around` laid under them.

        `commit` is the base: all that differs from it is laid, so that it says what these documents import.
        Those that come `soon` speak of no other documents.
        """
        if self.service is None or not (documents or around):
            return {}
        texts: dict[str, str | None] = {
            **around,
            **dict.fromkeys(gone),
            **{d.path: d.text for d in documents},
        }
        digests = sorted((path, "" if text is None else digest_of(text)) for path, text in texts.items())
        key = (commit, tuple(digests))
        known = self._bases.get(key) or (self._soon.get(key) if soon else None)
        if known is not None:
            return known
        if soon and isinstance(self.service, Expecting):
            known = self._soon[key] = await self.service.plain_soon(texts)
        else:
            known = self._bases[key] = await self.service.plain(texts)
        return known

    def ask_again(self) -> None:
        """Ordinary runs are answered again: forget the bases that could not be checked."""
        for bases in (self._bases, self._soon):
            for key in [key for key, reports in bases.items() if _is_unknown(reports)]:
                del bases[key]

    async def of_change(self, change: Change, around: Texts, importers: Sequence[Document] = ()) -> Typed:
        """What an ordinary run says of the change and its importers, and of the same at the base.

        `around` is laid over the disk on both sides, under the change. A text that does not parse has no
        report, and for others stays what it was: nothing is said of its importers.
        """
        files = [f for f in change.files if not f.skipped]
        current = {f.path: f.current.text for f in files if f.current}
        before = [f.base for f in files if f.base]
        if self.service is None:
            return Typed({path: absent(self.reason) for path in current})
        beside: dict[str, str | None] = {**{d.path: d.text for d in importers}, **around}
        removed = dict.fromkeys(f.base.path for f in files if f.base and _moved_away(f.status))
        broken = await asyncio.to_thread(_broken, files)
        laid = {**beside, **removed, **current, **broken}
        reports = await self.service.plain(laid) if files else {}
        reports = {path: report for path, report in reports.items() if path not in broken}
        gone = [f.path for f in files if f.base is None or f.base.path != f.path]
        is_said_beside = any(report.findings for path, report in reports.items() if path not in current)
        base = await self.of_base(change.base, before, gone, beside) if before or is_said_beside else {}
        left_out = frozenset(p for p, report in reports.items() if report.state is State.NOTHING_TO_JUDGE)
        said = {path for path, report in reports.items() if report.findings}
        first_reached = frozenset() if _is_unknown(base) else frozenset(said - laid.keys() - base.keys())
        return of_interest(Typed(_compared(reports, base), base, left_out, first_reached), files)

    async def plain(self, texts: Texts) -> Reports:
        """What an ordinary run says about these texts; nothing without a service."""
        return await self.service.plain(texts) if self.service is not None and texts else {}

    async def peek(
        self, before: Texts, after: Texts, laid: Texts = MappingProxyType({})
    ) -> tuple[Reports, Reports]:
        """The reports without and with other texts; nothing of them is remembered. Empty without a service.

        `before` is what the service has at these paths, for one that must be told; or what was `laid` over
        what it has.
        """
        if self.service is None:
            return {}, {}
        if isinstance(service := self.service, Peeking):
            then, now = await service.peek({**laid, **after})
            if all(path in now and now[path].state is State.MEASURED for path in after if is_python(path)):
                return (await self._of_laid(service, {**laid, **before}) if laid else then), now
        return await self.service.plain({**laid, **before}), await self.service.plain({**laid, **after})

    async def _of_laid(self, service: Peeking, texts: Texts) -> Reports:
        """The reports with texts to which several others are compared: asked for once."""
        if self._laid is None or self._laid[0] != texts:
            self._laid = texts, (await service.peek(texts))[1]
        return self._laid[1]

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files on disk were written."""
        self._laid = None
        for checker in self._checkers:
            await checker.files_changed(paths)

    async def close(self, path: str) -> bool:
        """A document was closed; whether the file holds another text, by which others are to be checked."""
        self._laid = None
        return any([await checker.close(path) for checker in self._checkers])

    async def stop(self) -> None:
        """End the services."""
        for checker in self._checkers:
            await checker.stop()

    @property
    def _checkers(self) -> tuple[Checker, ...]:
        return tuple(checker for checker in (self.service, self.fast) if checker is not None)


_UNKNOWN = (State.FAILED, State.NO_DATA)


def _is_unknown(reports: Reports) -> bool:
    """Whether the run as a whole said nothing, rather than nothing of one file."""
    return bool(reports) and all(report.state in _UNKNOWN for report in reports.values())


def _compared(reports: Reports, base: Reports) -> Reports:
    """Nothing of now can be told from what is old while the base could not be checked."""
    if not _is_unknown(base):
        return reports
    said = next(iter(base.values()))
    unknown = absent(f"in the base: {said.reason}", said.state)
    return {path: unknown if r.state is State.MEASURED else r for path, r in reports.items()}


def _broken(files: Sequence[FileChange]) -> dict[str, str]:
    """The texts of the base, at the paths of those that do not parse now."""
    sides = [(f.base, f.current) for f in files if f.base and f.current]
    return {now.path: base.text for base, now in sides if recovering_errors(now.path, now.text, NEWEST)}


def _moved_away(status: FileStatus) -> bool:
    return status in (FileStatus.DELETED, FileStatus.RENAMED)


def of_interest(typed: Typed, files: Sequence[FileChange]) -> Typed:
    """Without the files that the change neither touches nor affects: they say the same on both sides.

    Of a file that it only affects, what both sides say is left out as well. A clean one whose base was not
    asked for says nothing of the change: texts that were not checked are not measured by it.
    """
    ours = {f.path for f in files} | {f.base.path for f in files if f.base}
    current, base = dict(typed.current), dict(typed.base)
    for path in {*current, *base} - ours:
        now, before = current.pop(path, None), base.pop(path, None)
        if now is not None and now != before and not (before is None and _is_clean(now)):
            current[path] = _beside(now, before)
            if before is not None and before.state is State.MEASURED:
                base[path] = _beside(before, now)
            if current[path] == base.get(path):
                del current[path], base[path]
    return replace(typed, current=current, base=base)


def of_part(typed: Typed, whole: Change, part: Change) -> Typed:
    """Without the files of a change that are not in a part of it."""
    if whole is part:
        return typed
    kept = {row.path for row in part.files} | {row.base.path for row in part.files if row.base}
    out = ({row.path for row in whole.files} | {row.base.path for row in whole.files if row.base}) - kept
    current, base = ({p: r for p, r in side.items() if p not in out} for side in (typed.current, typed.base))
    return replace(typed, current=current, base=base)


def _is_clean(report: Report) -> bool:
    return report.state is State.MEASURED and not report.findings


def _beside(report: Report, other: Report | None) -> Report:
    """What a report says beyond another one of the same file."""
    said = Counter(other.findings if other else ())
    found = []
    for finding in report.findings:
        if said[finding]:
            said[finding] -= 1
        else:
            found.append(finding)
    return replace(report, findings=tuple(found))
