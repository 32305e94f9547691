"""What comes out of a case: of the analyzers of its folder, of the rules of integrity, and of the gate."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gateline.analyzers.duplication import CloneIndex, inspect_clones
from gateline.gates import case as gates
from gateline.gates.evaluate import judge
from gateline.integrity.change_view import Both
from gateline.integrity.inspection import inspect
from gateline.model import (
    Change,
    Dimension,
    Document,
    Evaluation,
    FileChange,
    Finding,
    Inspection,
    Level,
    Novelty,
    Policy,
    Progress,
    Report,
    Source,
    State,
)
from gateline.model.lines import changed_lines
from gateline.plugins import load, load_rules
from gateline.session.tests.unrun import none_there
from gateline.session.workspace import renames
from support import text_cases
from support.text_cases import Marker

ANALYZERS = {analyzer.name: analyzer for analyzer in load().analyzers}
FOLDERS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ANALYZERS},
    "integrity": (),
    "suppress": tuple(ANALYZERS),
    "types": (),
}
NO_TESTS = none_there()
Texts = Mapping[str, str]
Reports = Mapping[str, Sequence[Report]]


@dataclass(frozen=True)
class Outcome:
    """What a case came to."""

    reports: Reports
    evaluation: Evaluation

    def markers(self, path: str) -> list[Marker]:
        """The findings in a file, as a case tells them."""
        found, hidden = self.evaluation.findings, self.evaluation.suppressed
        shown = [_marker(f, "old" if f.novelty is Novelty.OLD else "") for f in found if f.path == path]
        return shown + [_marker(f, "suppressed") for f in hidden if f.path == path]


def _marker(found: Finding, state: str) -> Marker:
    start, end = found.span.start, found.span.end
    return Marker(
        start.line, start.column, end.line - start.line, end.column, found.code, state, found.message
    )


def _functions(outcome: Outcome) -> list[str]:
    changes = outcome.evaluation.functions
    return [
        f"{c.path} {c.symbol}: {_number(c.complexity_before)} → {_number(c.complexity_after)}"
        for c in changes
    ]


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _fixed(outcome: Outcome) -> list[str]:
    return [f"{f.path}:{f.span.start.line + 1} {f.code} {f.message}" for f in outcome.evaluation.fixed]


def _findings(outcome: Outcome) -> list[str]:
    found = outcome.evaluation.findings
    return [f"{f.path}:{f.span.start.line + 1} {f.code} {f.weight} {f.message}" for f in found]


def _measured(name: str) -> Callable[[Outcome], list[str]]:
    def told(outcome: Outcome) -> list[str]:
        return [
            f"{' '.join(filter(None, (path, measure.subject)))}: {measure.value:g}"
            for path, reports in outcome.reports.items()
            for report in reports
            for measure in report.measures
            if measure.name == name
        ]

    return told


def _states(outcome: Outcome) -> list[str]:
    return [
        ": ".join(filter(None, (f"{path} {report.analyzer}", report.state, report.reason)))
        for path, reports in outcome.reports.items()
        for report in reports
    ]


def _score(outcome: Outcome) -> list[str]:
    decision, score = outcome.evaluation.decision, outcome.evaluation.score
    return [f"{decision.outcome} {_number(score.value)}", *score.floors]


TELLERS: Mapping[str, Callable[[Outcome], list[str]]] = {
    "functions": _functions,
    "findings": _findings,
    "fixed": _fixed,
    "states": _states,
    "score": _score,
    **{name: _measured(name) for name in ("exposure", "documented", "duplicated_lines", "maintainability")},
}


def analyzed(folder: str, case: text_cases.Case, texts: Texts, base: Texts) -> Reports:
    """What the analyzers of a folder say of `texts`."""
    options = tomllib.loads(case.expected.get("settings", ""))
    index = CloneIndex(options.get("duplication", {}).get("min_tokens", 40))
    for path, text in {**case.under("elsewhere"), **texts}.items():
        index.update(path, text)
    reports: dict[str, list[Report]] = {path: [] for path in texts}
    for path, text in texts.items():
        source = Source(Document(path, text))
        before = Source(Document(path, base[path])) if path in base else None
        changed = changed_lines(before.lines, source.lines) if before else None
        for name in FOLDERS[folder]:
            if name == "duplication":
                reports[path].append(inspect_clones(index, source, changed))
            else:
                inspection = Inspection(source, changed, options.get(name, {}), before)
                reports[path].append(ANALYZERS[name].inspect(inspection))
    return reports


def judged(case: text_cases.Case, reports: Reports, base_reports: Reports) -> Outcome:
    """What the gate says of a case at its final checkpoint."""
    base = case.under("base")
    rows = []
    for file in case.change:
        before = Document(file.name, base[file.name]) if file.name in base else None
        rows.append(FileChange.between(before, Document(file.name, file.text)))
    change = Change("0" * 40, "HEAD", tuple(rows))
    beside = {path: [*found, *_silent(found)] for path, found in reports.items()}
    given = gates.Case(Policy(), Level.FINAL, Progress.SAID, change, beside, base_reports, tests=NO_TESTS)
    return Outcome(reports, judge(given))


def _silent(reports: Sequence[Report]) -> list[Report]:
    """What a case does not ask about has nothing to judge, so that nothing is missing."""
    analyzers, heard = {r.analyzer for r in reports}, {r.dimension for r in reports}
    sources = [(name, Dimension.ERRORS) for name in ("syntax", "types") if name not in analyzers]
    others = [(str(d), d) for d in Dimension if d not in (*heard, Dimension.ERRORS, Dimension.GATELINE)]
    return [Report(name, dimension, State.NOTHING_TO_JUDGE) for name, dimension in (*sources, *others)]


def compared(case: text_cases.Case) -> Outcome:
    """What the rules of integrity say; a file of the base that is not there now was deleted."""
    base, now = case.under("base"), {f.name: f.text for f in case.change}
    gone = {path: text for path, text in base.items() if path not in now}
    renamed = renames.pair(gone, {path: text for path, text in now.items() if path not in base})
    paths = sorted({*base, *now} - {*renamed.values()})
    rows = [_row(renamed.get(path, path), base, path, now) for path in paths]
    python = tuple(row for row in rows if row.path.endswith(".py"))
    change = Change("0" * 40, "HEAD", python, others=tuple(row for row in rows if row not in python))
    around = {path: Document(path, text) for path, text in case.under("elsewhere").items()}
    reports = {path: [report] for path, report in inspect(Both(change, around), load_rules()).items()}
    return Outcome(
        reports,
        judge(
            gates.Case(Policy(), Level.FINAL, Progress.SAID, change, reports, around=around, tests=NO_TESTS)
        ),
    )


def _row(before: str, base: Texts, path: str, now: Texts) -> FileChange:
    old, new = (Document(p, side[p]) if p in side else None for p, side in ((before, base), (path, now)))
    return FileChange.between(old, new)


def analyzed_base(folder: str, case: text_cases.Case) -> Reports:
    """Of an analyzer that looks at changed lines only, the base has no report."""
    base = case.under("base")
    found = analyzed(folder, case, base, {})
    return {
        path: [r for r in reports if not ANALYZERS[r.analyzer].changed_lines_only]
        for path, reports in found.items()
    }
