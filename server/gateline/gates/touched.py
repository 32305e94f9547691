"""What a change touches: functions, public names and files, with their measures in the base and now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gateline.gates.case import Case
from gateline.gates.functions import Outline, Subject, outline, subjects
from gateline.gates.inputs import DocumentedChange
from gateline.gates.sides import Side, Sides
from gateline.model.change import FileChange
from gateline.model.document import Document
from gateline.model.evaluation import FileSummary, FunctionChange
from gateline.model.measure import Measure
from gateline.model.policy import Profile


@dataclass(frozen=True, slots=True)
class Touched:
    """Everything a change touches, sorted by path and place."""

    functions: tuple[FunctionChange, ...]
    """New, changed and removed functions."""
    judged_functions: tuple[FunctionChange, ...]
    """Those that the score is made of; with the profile `plain` every function of the changed files."""
    documented: tuple[DocumentedChange, ...]
    files: tuple[FileSummary, ...]
    duplicated: float | None
    """The share of duplicated lines, 0-1; None when it was not measured."""


def touched(case: Case, both: Sides) -> Touched:
    """What the change of `case` touches."""
    everything = case.policy.profile is Profile.PLAIN
    pairs = [_pair(file, both) for file in case.change.files if not file.skipped]
    moved = frozenset(text for pair in pairs for text in pair.removed_texts())
    arrived = frozenset(text for pair in pairs for text in pair.new_texts())
    rows = tuple(row for pair in pairs for row in pair.functions(moved, arrived))
    judged = tuple(row for pair in pairs for row in pair.all_functions()) if everything else rows
    documented = tuple(item for pair in pairs for item in pair.documented(moved, everything))
    files = tuple(_summary(file, both) for file in case.change.files)
    return Touched(rows, judged, documented, files, _duplicated(case, both.now))


@dataclass(frozen=True, slots=True)
class _Pair:
    """One changed file on both sides."""

    path: str
    now: Outline
    base: Outline
    complexity: dict[Subject, Measure]
    complexity_before: dict[Subject, Measure]
    docs: dict[Subject, Measure]
    docs_before: dict[Subject, Measure]
    coverage: Mapping[tuple[str, int], float]
    """By name and line of a function."""
    coverage_before: Mapping[tuple[str, int], float]

    def removed_texts(self) -> Iterator[str]:
        return (text for subject, text in self.base.texts.items() if subject not in self.now.texts and text)

    def new_texts(self) -> Iterator[str]:
        return (text for subject, text in self.now.texts.items() if subject not in self.base.texts and text)

    def is_changed(self, subject: Subject, moved: frozenset[str]) -> bool:
        """Whether `subject` is new or has another text; one that only moved is neither."""
        if subject not in self.now.texts:
            return subject not in self.complexity_before and subject not in self.docs_before
        arrived = subject not in self.base.texts and self.now.texts[subject] in moved
        return self.now.differs(self.base, subject) and not arrived

    def functions(self, moved: frozenset[str], arrived: frozenset[str]) -> Iterator[FunctionChange]:
        changed = {s: m for s, m in self.complexity.items() if self.is_changed(s, moved)}
        yield from (self._row(s, m) for s, m in sorted(changed.items(), key=lambda item: item[1].line))
        for subject, measure in self.complexity_before.items():
            if subject not in self.complexity and self.base.texts.get(subject) not in arrived:
                covered = self.coverage_before.get((measure.subject, measure.line))
                yield FunctionChange(self.path, subject[0], measure.line, measure.value, None, covered)

    def all_functions(self) -> Iterator[FunctionChange]:
        return (self._row(subject, measure) for subject, measure in self.complexity.items())

    def documented(self, moved: frozenset[str], everything: bool) -> Iterator[DocumentedChange]:
        for subject, measure in sorted(self.docs.items(), key=lambda item: item[1].line):
            if everything or self.is_changed(subject, moved):
                before = self.docs_before.get(subject)
                known = None if before is None else before.value > 0
                yield DocumentedChange(self.path, subject[0], measure.line, known, measure.value > 0)

    def _row(self, subject: Subject, measure: Measure) -> FunctionChange:
        before = self.complexity_before.get(subject)
        return FunctionChange(
            path=self.path,
            symbol=subject[0],
            line=measure.line,
            complexity_before=None if before is None else before.value,
            complexity_after=measure.value,
            coverage_before=self.coverage_before.get((before.subject, before.line)) if before else None,
            coverage_after=self.coverage.get((measure.subject, measure.line)),
        )


def _pair(file: FileChange, both: Sides) -> _Pair:
    now, base = both.now.measures(file.path), both.base.measures(both.base_path(file.path))
    return _Pair(
        path=file.path,
        now=outline(both.now.source(file.path) if now and file.current else None),
        base=outline(both.base.source(file.base.path) if base and file.base else None),
        complexity=subjects(now if file.current else (), "cyclomatic"),
        complexity_before=subjects(base, "cyclomatic"),
        docs=subjects(now if file.current else (), "documented"),
        docs_before=subjects(base, "documented"),
        coverage=_coverage(now if file.current else ()),
        coverage_before=_coverage(base),
    )


def _coverage(measures: Iterable[Measure]) -> dict[tuple[str, int], float]:
    return {(m.subject, m.line): round(m.value, 1) for m in measures if m.name == "function_coverage"}


def _summary(file: FileChange, both: Sides) -> FileSummary:
    return FileSummary(
        path=file.path,
        status=file.status.value,
        skipped=file.skipped,
        lines_before=_lines(file.base),
        lines_after=_lines(file.current),
        maintainability_before=_single(both.base, both.base_path(file.path), "maintainability"),
        maintainability_after=_single(both.now, file.path, "maintainability") if file.current else None,
    )


def _lines(document: Document | None) -> int | None:
    return None if document is None else len(document.lines)


def _single(side: Side, path: str, name: str) -> float | None:
    return next((m.value for m in side.measures(path) if m.name == name and not m.subject), None)


def _duplicated(case: Case, now: Side) -> float | None:
    """The share of the lines of changed files that stand elsewhere too."""
    counted = [
        (duplicated, len(file.current.lines))
        for file in case.change.files
        if file.current and (duplicated := _single(now, file.path, "duplicated_lines")) is not None
    ]
    lines = sum(total for _, total in counted)
    return sum(duplicated for duplicated, _ in counted) / lines if lines else None
