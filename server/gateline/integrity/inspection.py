"""Is the gate being gamed? Every rule of integrity, asked about a whole change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from gateline.analysis.modules import Module, of_document
from gateline.gates.case import Case
from gateline.integrity.change_view import Both
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.explanation import Ledger
from gateline.integrity.file_roles import is_configuration, is_pipeline, is_sample_code, is_watched
from gateline.integrity.rule import Rule, Rules
from gateline.model.change import FileChange, FileStatus
from gateline.model.document import Document
from gateline.model.finding import Dimension, Finding
from gateline.model.measure import State
from gateline.model.newer_syntax import needed_version, told
from gateline.model.report import Report

NAME = "integrity"


def with_integrity(case: Case, rules: Rules, make: Callable[[Document], Module] = of_document) -> Case:
    """The case with what the rules say of it; give a `make` that remembers, where texts come again."""
    if Dimension.INTEGRITY in case.off:
        return case
    try:
        return _joined(case, inspect(Both(case.change, case.around, make), rules))
    except Exception as error:  # noqa: BLE001 - reading the change may fail, too, and must not cost the verdict
        return failed(case, f"{NAME} crashed: {type(error).__name__}: {error}")


def failed(case: Case, reason: str) -> Case:
    """The case where the rules could not say anything."""
    if Dimension.INTEGRITY in case.off:
        return case
    rows = (*case.change.files, *case.change.others)
    return _joined(case, {r.path: Report(NAME, Dimension.INTEGRITY, State.FAILED, reason) for r in rows})


def _joined(case: Case, reports: Mapping[str, Report]) -> Case:
    joined = {path: (*case.reports.get(path, ()), report) for path, report in reports.items()}
    return replace(case, reports={**case.reports, **joined})


def inspect(both: Both, rules: Rules, ledger: Ledger | None = None) -> Mapping[str, Report]:
    """A report for each changed file, by path: what the change does to whatever judges it.

    A rule that crashes, or is missing, loses only its own findings; every report says so. A `ledger` that is
    given has what explanations said.
    """
    both = replace(both, repaired=rules.repaired)
    found: dict[str, list[Finding]] = defaultdict(list)
    lost = [*rules.missing, *_look(Evidence(both, ledger or Ledger(rules.without)), rules.rules, found)]
    parsed = {pair.path for pair in both.files}
    rows = [*(row for row in both.change.files if not row.skipped), *filter(_is_judged, both.change.others)]
    reports = {row.path: _report(row, found[row.path], row.path in parsed) for row in rows}
    reports |= {
        path: Report(NAME, Dimension.INTEGRITY, findings=tuple(made))
        for path, made in found.items()
        if path not in reports
    }
    return {path: _in_part(report, lost) for path, report in reports.items()} if lost else reports


def _look(evidence: Evidence, rules: Sequence[Rule], found: dict[str, list[Finding]]) -> Iterator[str]:
    """Add what the rules find, by path; why some did not get to the end."""
    for rule in rules:
        try:
            for finding in rule.find(evidence):
                found[finding.path].append(finding)
        except RecursionError:
            yield f"{NAME}: a text is nested too deeply for the rule of {rule.code}"
        except Exception as error:  # noqa: BLE001 - the boundary of one rule
            yield f"{NAME}: the rule of {rule.code} crashed: {type(error).__name__}: {error}"


def _in_part(report: Report, lost: Sequence[str]) -> Report:
    """A report without some rules: failed, with the findings of the others."""
    shown = f"{lost[0]} (and {len(lost) - 1} more)" if len(lost) > 1 else lost[0]
    return replace(report, state=State.FAILED, reason=shown)


def _is_judged(row: FileChange) -> bool:
    """Whether the rules have something to say of a file that is not Python."""
    told = is_watched(row.path) or (row.base is not None and is_watched(row.base.path))
    return told and (not row.skipped or _is_needed(row))


def _is_needed(row: FileChange) -> bool:
    """Whether a file without a text may hide that checks were taken away; a new one takes none."""
    is_told = is_configuration(row.path) or is_pipeline(row.path)
    return is_told and row.status is not FileStatus.ADDED


def _report(row: FileChange, findings: list[Finding], parsed: bool) -> Report:
    state, reason = State.MEASURED, ""
    is_code = row.path.endswith((".py", ".pyi", ".pyw")) and not is_sample_code(row.path)
    if is_code and not parsed:
        needed = needed_version(row.current.text) if row.current else None
        reason = told(needed) if needed else "a file does not parse"
        state = State.NO_DATA
    missing = row.skipped or row.base_skipped
    if missing and not is_code and _is_needed(row):
        state, reason = State.NO_DATA, f"{row.path}: {missing}"
    return Report(NAME, Dimension.INTEGRITY, state, reason, tuple(findings))
