"""From what analyzers found to what is judged: without what settings and comments leave out, new and old."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gateline.gates import novelty, suppress, waivers
from gateline.gates.alignment import align, doubted
from gateline.gates.case import Case
from gateline.gates.sides import Side, Sides
from gateline.gates.standing import Standing
from gateline.model.finding import Dimension, Finding, Novelty
from gateline.model.lines import changed_lines
from gateline.model.measure import State
from gateline.model.report import Report
from gateline.model.waiver import Accepted
from gateline.security.files import is_python

_FAMILIES: Mapping[str, frozenset[Dimension]] = {
    "1": frozenset({Dimension.ERRORS}),
    "2": frozenset({Dimension.ERRORS, Dimension.COVERAGE}),
    "3": frozenset({Dimension.SECURITY}),
    "4": frozenset({Dimension.COMPLEXITY, Dimension.DUPLICATION}),
    "5": frozenset({Dimension.DOCUMENTATION}),
    "6": frozenset({Dimension.INTEGRITY}),
    "7": frozenset({Dimension.PERFORMANCE}),
}
_CHANGED_LINES = frozenset({Dimension.SECURITY, Dimension.DUPLICATION})
"""Dimensions in which an analyzer looks at changed lines only."""


@dataclass(frozen=True, slots=True)
class Screened:
    """The findings of a change, sorted, with novelty and identity."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    suppressions_added: int
    accepted: tuple[Accepted, ...] = ()
    """What a person let pass: by a waiver, or by the settings."""


def screen(case: Case, both: Sides) -> Screened:
    """Leaves out what settings and comments say, and tells new from old."""
    current_path = {base: path for path, base in both.renames.items()}
    ignored = {base: case.ignored.get(current_path.get(base, base), ()) for base in both.base.reports}
    before, before_out = _allowed(both.base.findings(), ignored)
    now, now_out = _allowed(both.now.findings(), case.ignored)
    applied = _applied(both, now)
    found = (*applied.kept, *applied.suppressed, *applied.complaints)
    told = _classified(both, (*before, *_base_complaints(both, before)), found)
    hidden = {finding.sort_key for finding in applied.suppressed}
    left, accepted = waivers.apply(case.waivers, (f for f in told.findings if f.sort_key not in hidden))
    return Screened(
        left,
        tuple(f for f in told.findings if f.sort_key in hidden),
        _gone(both, told.fixed, current_path),
        _added(both),
        (*accepted, *_left_out(_classified(both, before_out, now_out).findings)),
    )


def _left_out(findings: Iterable[Finding]) -> Iterator[Accepted]:
    """What the settings let pass though it would stop the change, or cap its score."""
    for finding in findings:
        if finding.novelty is Novelty.NEW and suppress.is_protected(finding):
            yield Accepted(finding, "", "`overrides` in the settings")


def _allowed(
    findings: Iterable[Finding], ignored: Mapping[str, Sequence[str]]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings that the settings judge, and those that they leave out."""
    kept: list[Finding] = []
    out: list[Finding] = []
    for finding in findings:
        left_out = finding.code.startswith(tuple(ignored.get(finding.path, ())))
        (out if left_out else kept).append(finding)
    return tuple(kept), tuple(out)


def _applied(both: Sides, findings: Iterable[Finding]) -> suppress.Applied:
    """The suppression comments of all files now, applied."""
    by_path, standing = _by_path(findings), Standing(both)
    parts = []
    for path in sorted({*by_path, *_speaking(both.now)}):
        found = tuple(by_path.get(path, ()))
        source = both.now.source(path) if path in both.now.documents and is_python(path) else None
        if source is None:
            parts.append(suppress.Applied(found, (), ()))
        else:
            added = standing.is_added(path, source)
            parts.append(suppress.apply(source, found, _settled(both, path), added))
    kept, suppressed, complaints = (tuple(f for part in parts for f in part[i]) for i in range(3))
    return suppress.Applied(kept, suppressed, complaints)


def _base_complaints(both: Sides, findings: Iterable[Finding]) -> list[Finding]:
    by_path = _by_path(findings)
    sources = [(path, both.base.source(path)) for path in _speaking(both.base)]
    return [
        complaint
        for path, source in sources
        if source is not None
        for complaint in suppress.apply(source, by_path.get(path, ())).complaints
    ]


def _speaking(side: Side) -> list[str]:
    """The files that may hold suppression comments: Python, of whose comments it is known what they are."""
    texts = side.documents.items()
    return sorted(path for path, document in texts if is_python(path) and "gateline:" in document.text)


def _settled(both: Sides, path: str) -> suppress.Settled:
    """A comment is unused only where whatever it names was looked for, and on lines that were looked at."""
    measured = {r.dimension for r in both.now.reports.get(path, ()) if r.state is State.MEASURED}
    unclear = {r.dimension for r in both.now.reports.get(path, ()) if r.state is not State.MEASURED}

    def settled(code: str, line: int | None) -> bool:
        meant = _FAMILIES.get(code[3:4], frozenset())
        if not meant or not meant <= measured - unclear:
            return False
        return not meant & _CHANGED_LINES or _is_changed(both, path, line)

    return settled


def _is_changed(both: Sides, path: str, line: int | None) -> bool:
    base = both.base.documents.get(both.base_path(path))
    if base is None:
        return True
    return line is not None and line in changed_lines(base.lines, both.now.documents[path].lines)


def _added(both: Sides) -> int:
    return sum(
        suppress.added(both.base.source(both.base_path(path)), source)
        for path in _speaking(both.now)
        if (source := both.now.source(path)) is not None
    )


def _classified(both: Sides, before: Iterable[Finding], found: Sequence[Finding]) -> novelty.Classified:
    before = tuple(before)
    lines = both.now.lines({f.path for f in found})
    base_paths = {f.path for f in before} | {both.base_path(path) for path in lines}
    told = novelty.classify(before, found, both.base.lines(base_paths), lines, both.renames)
    doubtful = _doubtful(both)
    if not doubtful:
        return told
    return told._replace(findings=tuple(_doubted(both, f) if f.sort_key in doubtful else f for f in told[0]))


def _doubtful(both: Sides) -> set[tuple[object, ...]]:
    """Findings of analyzers that could not say what the base has."""
    return {
        finding.sort_key
        for path, reports in both.now.reports.items()
        for report in reports
        if both.base.state_of(both.base_path(path), report.analyzer)
        in (State.NO_DATA, State.STALE, State.FAILED)
        for finding in report.findings
    }


def _doubted(both: Sides, finding: Finding) -> Finding:
    base = both.base.documents.get(both.base_path(finding.path))
    now = both.now.documents.get(finding.path)
    return finding if base is None or now is None else doubted(finding, base.lines, now.lines)


def _gone(both: Sides, fixed: Iterable[Finding], current_path: Mapping[str, str]) -> tuple[Finding, ...]:
    """Of the findings that are missing now, those whose analyzer looked, or whose file is gone."""
    unseen = {
        finding
        for path, reports in both.base.reports.items()
        for report in reports
        if not _looked(both.now, current_path.get(path, path), report)
        for finding in report.findings
    }
    return tuple(
        f
        for f in fixed
        if f.dimension is not Dimension.GATELINE
        and replace(f, novelty=Novelty.NEW, identity="") not in unseen
        and not _stands(both, f, current_path.get(f.path, f.path))
    )


def _stands(both: Sides, finding: Finding, path: str) -> bool:
    """Whether only changed lines are looked at, and the line of `finding`, of the base, is not one."""
    base, now = both.base.documents.get(finding.path), both.now.documents.get(path)
    if finding.dimension not in _CHANGED_LINES or base is None or now is None:
        return False
    return finding.span.start.line in align(base.lines, now.lines).equal.values()


def _looked(now: Side, path: str, report: Report) -> bool:
    states = (State.MEASURED, State.NOTHING_TO_JUDGE)
    return path not in now.documents or now.state_of(path, report.analyzer) in states


def _by_path(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    grouped: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        grouped[finding.path].append(finding)
    return grouped
