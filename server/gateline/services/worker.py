"""The far side of the worker: pure analysis of one document, or of a whole change, in its own process.

It keeps what it derived from the texts it saw last (trees, tokens), so all analyzers that are due on
one document share one parse. It reads no files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from gateline.analysis.modules import Module, of_document
from gateline.model import Document, Finding, Inspection, Report, Source
from gateline.model.lines import changed_lines
from gateline.services import far
from gateline.services.report_store import ReportStore
from gateline.services.requests import (
    Clones,
    Comments,
    Filtered,
    Index,
    Inspect,
    Judge,
    LookThrough,
    Missing,
    Preload,
    PreloadJudge,
    Suppress,
)

if TYPE_CHECKING:
    from gateline.analyzers.duplication import CloneIndex

Lift = Callable[[tuple[Finding, ...]], tuple[Finding, ...]]

_KEPT = 400_000
"""Characters of the sources that are remembered: the tree of 2,000 lines, 70,000 characters, takes 10 MB."""


class Worker:
    """Answers the requests of `services.requests`."""

    def __init__(self) -> None:
        from gateline.plugins import load_analyzers

        self._modules: LRUCache[tuple[str, str], Module] = LRUCache(_KEPT, _size)
        self.analyzers = {a.name: a for a in load_analyzers()}
        self._clones: dict[int, CloneIndex] = {}
        self._kept = ReportStore()

    def source(self, document: Document) -> Source:
        """The one source of this content at this path."""
        return self.module(document).source

    def module(self, document: Document) -> Module:
        """The same, with what was found in it at its top level."""
        return self._modules.setdefault((document.path, document.digest), of_document(document))

    def answer(self, request: Any) -> Iterator[Any]:
        """The parts of the answer to one request."""
        match request:
            case Inspect() | LookThrough():
                yield from self._reports(request)
            case Judge():
                yield self._judge(request)
            case Index():
                index = self._clone_index(request.min_tokens)
                for path, text in request.texts:
                    index.update(path, text)
                yield len(request.texts)
            case Suppress():
                left = self._lifting(request.document, request.base, request.comments)
                yield tuple(map(left, request.findings))
            case Clones():
                yield self._find_clones(request)
            case Preload() | PreloadJudge():
                yield self._preload() if isinstance(request, Preload) else self._preload_judge()
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def _reports(self, request: Inspect | LookThrough) -> Iterator[Filtered | Report]:
        return self._inspect(request) if isinstance(request, Inspect) else self._look_through(request)

    def _inspect(self, request: Inspect) -> Iterator[Filtered]:
        from gateline.plugins import inspect_safely

        source = self.source(request.document)
        changed = self._changed(request.document, request.base)
        base = self.source(request.base) if request.base else None
        comments = request.comments
        lift = cache(lambda: self._lifting(request.document, request.base, comments)) if comments else None
        for name in request.analyzers:
            options = request.options.get(name, {})
            inspection = Inspection(source, changed, options, base, request.is_added)
            report = inspect_safely(self.analyzers[name], inspection)
            self._kept.keep(request.names.get(name, ""), report)
            yield _filtered(report, lift) if lift else Filtered(report)

    def _look_through(self, request: LookThrough) -> Iterator[Report]:
        from gateline.plugins import inspect_safely

        analyzer = self.analyzers[request.analyzer]
        for document, base, is_added in request.rows:
            # Nothing is kept: of many files that are no Python each is looked at once.
            changed = changed_lines(base.lines, document.lines) if base else None
            before = Source(base) if base else None
            inspection = Inspection(Source(document), changed, request.options, before, is_added)
            report = inspect_safely(analyzer, inspection)
            self._kept.keep(request.names.get(document.path, ""), report)
            yield report

    def _judge(self, request: Judge) -> Any:
        from gateline.gates.evaluate import judge
        from gateline.integrity.inspection import failed, with_integrity
        from gateline.plugins import load_rules

        case = self._kept.case_of(request)
        if isinstance(case, Missing):
            return case
        if reason := request.without_integrity:
            return judge(failed(case, reason), self.source)
        return judge(with_integrity(case, load_rules(), self.module), self.source)

    def _lifting(self, document: Document, base: Document | None, comments: Comments) -> Lift:
        """What the comments of a document leave of findings, where the base and others have comments, too."""
        from gateline.gates.standing import Standing, beside
        from gateline.gates.suppress import apply

        both = beside(document, base, comments.now, comments.base, self.source)
        source = self.source(document)
        added = Standing(both).is_added(document.path, source)
        return lambda findings: apply(source, findings, is_added=added).kept

    def _find_clones(self, request: Clones) -> Report:
        from gateline.analyzers.duplication import inspect_clones

        document = request.document
        index = self._clone_index(request.min_tokens)
        index.update(document.path, document.text)
        changed = self._changed(document, request.base)
        return inspect_clones(index, self.source(document), changed)

    def _clone_index(self, min_tokens: int) -> CloneIndex:
        from gateline.analyzers.duplication import CloneIndex

        return self._clones.setdefault(min_tokens, CloneIndex(min_tokens))

    def _changed(self, document: Document, base: Document | None) -> frozenset[int] | None:
        if base is None:
            return None
        return changed_lines(self.source(base).lines, self.source(document).lines)

    def _preload(self) -> int:
        """Pay for the slow imports before anybody waits for them."""
        text = "import os\n\n\ndef f() -> None:\n    os.getcwd()\n"
        source = Source(Document("preload.py", text))
        for analyzer in self.analyzers.values():
            analyzer.inspect(Inspection(source, frozenset({4})))
        return len(self.analyzers)

    def _preload_judge(self) -> int:
        """Pay for the imports of judging while tests still run."""
        import gateline.gates.evaluate
        import gateline.integrity.inspection  # noqa: F401
        from gateline.plugins import load_rules

        load_rules()

        return 0


def _filtered(report: Report, lift: Callable[[], Lift]) -> Filtered:
    """A report with what comments leave of it; alone where they cannot be read: `Suppress` then says why."""
    try:
        return Filtered(report, lift()(report.findings))
    except Exception:  # noqa: BLE001 - a fault in reading comments must not cost what analyzers found
        return Filtered(report)


def _size(module: Module) -> int:
    # What is larger than the memory has it alone. An empty text is something, too.
    return max(1, min(len(module.source.text), _KEPT))


if __name__ == "__main__":
    # bandit warns of paths outside packages, which is none of the user's business.
    logging.getLogger("bandit").setLevel(logging.ERROR)
    far.serve(Worker().answer)
