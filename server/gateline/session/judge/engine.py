"""Asks workers and services, and remembers their answers by content."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gateline.analyzers.duplication import FEW_TOKENS
from gateline.gates.case import Case
from gateline.model import Change, Dimension, Document, Evaluation, Finding, Report, State, digest_of
from gateline.services.child import Child, ChildDiedError, ChildError, ChildTimeoutError
from gateline.services.requests import (
    Clones,
    Comments,
    Filtered,
    Index,
    Inspect,
    LookThrough,
    Missing,
    Preload,
    PreloadJudge,
    Suppress,
)
from gateline.services.shielded import shielded
from gateline.session.judge.known_reports import KnownReports

WORKER = "gateline.services.worker"
ANALYZER_TIMEOUT = 30.0
"""Seconds for all analyzers on one document; a text that takes longer loses that report."""
JUDGE_TIMEOUT = 120.0
_INDEXED_AT_ONCE = 20
"""Files a request of the index takes in: small enough that a keystroke's work never waits long."""

SECRETS = "secrets"
"""The analyzer that looks at every text, Python or not."""
Row = tuple[Document, Document | None, bool]
"""A document, its base, and whether the change brings the whole of it."""
_AT_ONCE = 1_000_000
"""Characters a request of `look_through` takes in."""

OnReport = Callable[[Report], None]


class Engine:
    """One workspace's worker process and the reports it made."""

    def __init__(
        self, options: Mapping[str, Mapping[str, object]], analyzers: Mapping[str, Dimension]
    ) -> None:
        self.options = options
        self.analyzers = analyzers
        # What it finds is waited for less than what is typed: it makes room for the server and the types.
        self._worker = Child(WORKER, nice=5)
        self._reports = KnownReports()

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        return [self._worker.pid] if self._worker.pid else []

    @property
    def life(self) -> int:
        """Which life of the worker this is, 0 without one: what it remembers ends with its process."""
        return self._worker.starts if self._worker.pid else 0

    async def warm(self) -> None:
        """Start the worker and pay for its imports before anybody waits. Never raises: who asks says it."""
        with suppress(ChildError):
            await self._ask(Preload(), ANALYZER_TIMEOUT)

    async def prepare_to_judge(self) -> None:
        """Pay for what judging imports, while nobody waits for it. Never raises: judging says it again."""
        with suppress(ChildError):
            await self._ask(PreloadJudge(), JUDGE_TIMEOUT)

    async def inspect(
        self,
        document: Document,
        base: Document | None,
        on_report: OnReport | None = None,
        *,
        thorough: bool = False,
        is_added: bool = False,
    ) -> tuple[Report, ...]:
        """The report of every enabled analyzer on one document; `on_report` gets each as it comes.

        `thorough` also computes what is due only at the final checkpoint; `is_added`: the change brings
        the whole document. Never raises: an analyzer that crashed or was too slow gives a report that says
        so.
        """
        found = await self._inspected(document, base, on_report, None, thorough, is_added)
        return tuple(part.report for part in found)

    async def inspect_with_comments(
        self, document: Document, base: Document | None, around: Callable[[], Change]
    ) -> tuple[Report, ...]:
        """The same reports, with the findings that the document's own comments leave.

        They are read beside the base's and those of the change `around` it. Raises ChildError.
        """
        comments = self._comments(document, around())
        parts = await self._inspected(document, base, None, comments)
        known = [part.report for part in parts if part.findings is None and part.report.findings]
        left = {part.report.analyzer: part.findings for part in parts if part.findings is not None}
        if known:
            asked = Suppress(document, tuple(report.findings for report in known), comments, base)
            kept: tuple[tuple[Finding, ...], ...] = await self._ask(asked, ANALYZER_TIMEOUT)
            left |= {report.analyzer: findings for report, findings in zip(known, kept, strict=True)}
        reports = (part.report for part in parts)
        return tuple(replace(one, findings=left.get(one.analyzer, one.findings)) for one in reports)

    async def _inspected(
        self,
        document: Document,
        base: Document | None,
        on_report: OnReport | None,
        comments: Comments | None,
        thorough: bool = False,
        is_added: bool = False,
    ) -> list[Filtered]:
        keys = {name: self._key(name, document, base, thorough, is_added) for name in self.analyzers}
        known = {name: self._reports.get(key) for name, key in keys.items()}
        found = {name: Filtered(report) for name, report in known.items() if report is not None}
        for part in found.values():
            _tell(on_report, part.report)
        missing = tuple(name for name in keys if name not in found)

        def keep(part: Filtered) -> None:
            report = part.report
            found[report.analyzer] = part
            if report.state is not State.FAILED:
                self._reports.put(keys[report.analyzer], report)
            _tell(on_report, report)

        if missing:
            asked = Inspect(document, missing, base, self._options(thorough), is_added, keys, comments)
            await self._ask_inspect(asked, keep)
        return [found[name] for name in keys]

    async def look_through(self, rows: Sequence[Row]) -> dict[str, Report]:
        """What is found of secrets in files of any kind, by path. Never raises."""
        if SECRETS not in self.analyzers:
            return {}
        found: dict[str, Report] = {}
        keys = {row[0].path: self._key(SECRETS, row[0], row[1], False, row[2]) for row in rows}
        for path, key in keys.items():
            if (known := self._reports.get(key)) is not None:
                found[path] = known
        for batch in _batches([row for row in rows if row[0].path not in found]):
            for report, (document, _, _) in zip(await self._looked(batch, keys), batch, strict=True):
                found[document.path] = report
                if report.state is not State.FAILED:
                    self._reports.put(keys[document.path], report)
        return found

    async def _looked(self, batch: Sequence[Row], names: Mapping[str, str]) -> list[Report]:
        """The reports of a batch; a file that ends the process costs itself alone."""
        found: list[Report] = []
        names = {row[0].path: names[row[0].path] for row in batch}
        request = LookThrough(tuple(batch), SECRETS, self.options.get(SECRETS, {}), names)
        try:
            await self._ask(request, ANALYZER_TIMEOUT, found.append)
        except ChildError as error:
            culprit = batch[len(found)][0].path
            found.append(_failed(SECRETS, self.analyzers[SECRETS], ChildError(f"{culprit}: {error}")))
            found += await self._looked(batch[len(found) :], names) if len(found) < len(batch) else []
        return found

    async def clones(self, document: Document, base: Document | None) -> Report:
        """Where the changed lines of a document stand elsewhere in the workspace."""
        try:
            report: Report = await self._ask(Clones(document, base, self._min_tokens), ANALYZER_TIMEOUT)
        except ChildError as error:
            return no_clones(error)
        return report

    async def index(self, texts: Iterable[tuple[str, str | None]]) -> None:
        """Take texts into the index of clones, a few at a time. Raises ChildError."""
        rows = list(texts)
        for start in range(0, len(rows), _INDEXED_AT_ONCE):
            some = tuple(rows[start : start + _INDEXED_AT_ONCE])
            await self._ask(Index(some, self._min_tokens), ANALYZER_TIMEOUT)
            await asyncio.sleep(0)

    @property
    def _min_tokens(self) -> int:
        size = self.options.get("duplication", {}).get("min_tokens")
        return size if isinstance(size, int) else FEW_TOKENS

    @staticmethod
    def has_suppressions(document: Document) -> bool:
        """Whether a text may hold suppression comments; cheap, and never wrong when it says no."""
        return "gateline:" in document.text

    async def suppress(
        self,
        document: Document,
        base: Document | None,
        findings: tuple[Finding, ...],
        around: Callable[[], Change],
    ) -> tuple[Finding, ...]:
        """The findings that the document's own comments leave, beside its base and the change `around` it."""
        if not findings or not self.has_suppressions(document):
            return findings
        asked = Suppress(document, (findings,), self._comments(document, around()), base)
        kept: tuple[tuple[Finding, ...]] = await self._ask(asked, ANALYZER_TIMEOUT)
        return kept[0]

    def _comments(self, document: Document, change: Change) -> Comments:
        """The texts of the change beside a document that may hold suppression comments."""
        rows = [row for row in change.files if row.path != document.path]
        now = (row.current for row in rows if row.current and self.has_suppressions(row.current))
        before = (row.base for row in rows if row.base and self.has_suppressions(row.base))
        return Comments(tuple(now), tuple(before))

    async def judge(self, case: Case) -> Evaluation:
        """The evaluation of a whole change. Raises ChildError when the worker cannot.

        Rules of integrity that take the worker down, or never answer, cost themselves alone.
        """
        try:
            return await self._judged(case)
        except (ChildDiedError, ChildTimeoutError) as error:
            return await self._judged(case, f"integrity: {error}")

    async def _judged(self, case: Case, without_integrity: str = "") -> Evaluation:
        asked, names = self._reports.asked(case, without_integrity), self._reports.names(case)
        answer: Evaluation | Missing = await self._ask(asked, JUDGE_TIMEOUT)
        while isinstance(answer, Missing):
            # A worker that was started anew, or had too much to keep.
            asked = replace(asked, sent={**asked.sent, **{name: names[name] for name in answer.names}})
            answer = await self._ask(asked, JUDGE_TIMEOUT)
        return answer

    async def stop(self) -> None:
        """End the worker. Who asks later is told so: a process that it started would be nobody's."""
        await self._worker.dismiss()

    async def _ask(
        self, message: object, timeout: float, on_part: Callable[[Any], None] | None = None
    ) -> Any:
        # Shielded: who stops waiting must not take the worker down for everybody else.
        return await shielded(self._worker.ask(message, timeout, on_part))

    async def _ask_inspect(self, request: Inspect, keep: Callable[[Filtered], None]) -> None:
        """Run analyzers; when one takes the process down, the others run again without it."""
        waiting = list(request.analyzers)

        def done(part: Filtered) -> None:
            waiting.remove(part.report.analyzer)
            keep(part)

        while waiting:
            try:
                again = replace(request, analyzers=tuple(waiting))
                await self._ask(again, ANALYZER_TIMEOUT, done)
            except ChildError as error:
                if waiting:
                    done(Filtered(_failed(waiting[0], self.analyzers[waiting[0]], error)))

    def _options(self, thorough: bool) -> dict[str, Mapping[str, object]]:
        complexity = {**self.options.get("complexity", {}), "maintainability": thorough}
        return {**self.options, "complexity": complexity}

    def _key(
        self, name: str, document: Document, base: Document | None, thorough: bool, is_added: bool
    ) -> str:
        before = base.digest if base else "added" if is_added else ""
        options = self._options_digest(name, thorough)
        return digest_of("\0".join((name, options, document.path, document.digest, before)))

    @lru_cache(maxsize=64)  # noqa: B019 - an engine lives as long as its workspace
    def _options_digest(self, name: str, thorough: bool) -> str:
        """Texts of settings are among the options: not to be compared for every document."""
        return digest_of(repr(sorted(self._options(thorough).get(name, {}).items())))


def _batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    size = 0
    for row in rows:
        if batch and size + len(row[0].text) > _AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += len(row[0].text)
    if batch:
        yield batch


def no_data(analyzer: str, dimension: Dimension, reason: str) -> Report:
    """A report that says why there is none."""
    return Report(analyzer, dimension, State.NO_DATA, reason)


def no_clones(error: Exception) -> Report:
    """The report of an index of clones that could not be asked."""
    return _failed("duplication", Dimension.DUPLICATION, error)


def _failed(analyzer: str, dimension: Dimension, error: Exception) -> Report:
    lines = str(error).strip().splitlines()
    return Report(analyzer, dimension, State.FAILED, lines[-1] if lines else type(error).__name__)


def _tell(on_report: OnReport | None, report: Report) -> None:
    if on_report is not None:
        on_report(report)
