"""Is the gate being gamed? Every rule of integrity, asked about a whole change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace

from gateline.analysis.modules import Module, of_document
from gateline.gates.case import Case
from gateline.integrity.change_view import Both
from gateline.integrity.enforcement import changed_calls as called
from gateline.integrity.evidence import Evidence, Rule
from gateline.integrity.file_roles import is_configuration, is_pipeline, is_sample_code, is_watched
from gateline.integrity.rules import coverage_omitted as omitted
from gateline.integrity.rules import settings_edited as settings
from gateline.integrity.rules import suppression_added as silenced
from gateline.integrity.rules import test_result_forged as forged
from gateline.integrity.rules import test_selection_changed as selection
from gateline.integrity.rules import threshold_lowered as thresholds
from gateline.integrity.rules.assertion_loosened import equality, predicates
from gateline.integrity.rules.assertion_loosened import strategies as drawn
from gateline.integrity.rules.assertion_removed import elsewhere as asserted_elsewhere
from gateline.integrity.rules.check_made_optional import merged_jobs as gathered
from gateline.integrity.rules.check_made_optional import pipelines as pipeline
from gateline.integrity.rules.check_switched_off import hooks as hooks_narrowed
from gateline.integrity.rules.check_switched_off import settings as switched_off
from gateline.integrity.rules.check_switched_off import warnings as warned
from gateline.integrity.rules.error_swallowed import fallbacks as fallen_back
from gateline.integrity.rules.error_swallowed import given_up, passed_over
from gateline.integrity.rules.error_swallowed import handlers as swallowed
from gateline.integrity.rules.expected_value_changed import files as expected_files
from gateline.integrity.rules.expected_value_changed import self_updating
from gateline.integrity.rules.expected_value_changed import values as expected
from gateline.integrity.rules.input_special_cased import combinations as combined
from gateline.integrity.rules.input_special_cased import known_answers
from gateline.integrity.rules.input_special_cased import literals as special
from gateline.integrity.rules.input_special_cased import refusals as refused_by_hand
from gateline.integrity.rules.placeholder_body import rule as unwritten
from gateline.integrity.rules.test_detected import doubles
from gateline.integrity.rules.test_detected import environment as detected
from gateline.integrity.rules.test_removed import cases as parameters
from gateline.integrity.rules.test_removed import golden_cases, uncollected
from gateline.integrity.rules.test_removed import tests as removed
from gateline.integrity.rules.test_skipped import guards as wrapped
from gateline.integrity.rules.test_skipped import skips as skipped
from gateline.integrity.rules.unit_mocked import rule as stood_in
from gateline.integrity.strength import lost_checks as asserted
from gateline.integrity.tests import data_rows as data
from gateline.integrity.tests import doctests as examples
from gateline.model.change import FileChange, FileStatus
from gateline.model.document import Document
from gateline.model.finding import Dimension, Finding
from gateline.model.measure import State
from gateline.model.newer_syntax import needed_version, told
from gateline.model.report import Report

NAME = "integrity"

RULES: tuple[Rule, ...] = (
    removed.find,
    uncollected.find,
    data.find,
    parameters.find,
    skipped.find,
    wrapped.find,
    asserted.find,
    asserted_elsewhere.find,
    predicates.find,
    equality.find,
    drawn.find,
    examples.find,
    expected.find,
    expected_files.find,
    golden_cases.find,
    self_updating.find,
    stood_in.find,
    forged.find,
    swallowed.find,
    fallen_back.find,
    passed_over.find,
    given_up.find,
    special.find,
    combined.find,
    refused_by_hand.find,
    known_answers.find,
    detected.find,
    doubles.find,
    unwritten.find,
    silenced.find,
    selection.find,
    thresholds.find,
    settings.find,
    switched_off.find,
    omitted.find,
    warned.find,
    hooks_narrowed.find,
    pipeline.find,
    gathered.find,
    called.find,
)


def with_integrity(case: Case, make: Callable[[Document], Module] = of_document) -> Case:
    """The case with what the rules say of it; give a `make` that remembers, where texts come again."""
    if Dimension.INTEGRITY in case.off:
        return case
    try:
        return _joined(case, inspect(Both(case.change, case.around, make)))
    except Exception as error:  # noqa: BLE001 - a rule that fails must not cost the verdict
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


def inspect(both: Both) -> Mapping[str, Report]:
    """A report for each changed file, by path: what the change does to whatever judges it."""
    evidence = Evidence(both)
    found: dict[str, list[Finding]] = defaultdict(list)
    parsed = {pair.path for pair in both.files}
    try:
        for rule in RULES:
            for finding in rule(evidence):
                found[finding.path].append(finding)
    except RecursionError:
        # Nested too deeply for the interpreter: what was found so far stands, and no text counts as seen.
        parsed = set()
    rows = [*(row for row in both.change.files if not row.skipped), *filter(_is_judged, both.change.others)]
    reports = {row.path: _report(row, found[row.path], row.path in parsed) for row in rows}
    return reports | {
        path: Report(NAME, Dimension.INTEGRITY, findings=tuple(made))
        for path, made in found.items()
        if path not in reports
    }


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
        reason = told(needed) if needed else "a text does not parse, or is nested too deeply"
        state = State.NO_DATA
    missing = row.skipped or row.base_skipped
    if missing and not is_code and _is_needed(row):
        state, reason = State.NO_DATA, f"{row.path}: {missing}"
    return Report(NAME, Dimension.INTEGRITY, state, reason, tuple(findings))
