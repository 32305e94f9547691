"""What gateline says of itself in the editor: mistakes in the settings, files left out, the gate's result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from gateline.gates.floors import SYNTAX_ERROR
from gateline.gates.result import blocking
from gateline.gates.trajectory import ROLLBACK
from gateline.model import Dimension, Evaluation, Finding, Novelty, Progress, Related, Span, Weight
from gateline.model.codes import CODES
from gateline.model.evaluation import Outcome, Trajectory
from gateline.settings.problem import SettingsProblem
from gateline.worklog.scored import Regression, more_complex

MISTAKE = "GTL903"
NOT_ANALYSED = "GTL904"
NEGATIVE = "GTL801"
_REGRESSION = "GTL701"
_MOST = 5
"""So many functions are named beside a regression."""
_TESTED = "GTL2"
"""What tests found: they look at a change, not at a document."""

Notices = Mapping[str, Sequence[Finding]]
"""Findings by path."""


def of_settings(problems: Iterable[SettingsProblem]) -> Notices:
    """Each mistake at its place in its file; those of the environment stand in no document."""
    return _by_path(_mistake(problem) for problem in problems if problem.path)


def of_verdict(evaluation: Evaluation) -> Notices:
    """What only a whole evaluation knows: tests, suppressions, cheats, and unread files.

    Of a file that newly cannot be decoded the syntax error says why, and nothing else says it again.
    """
    unread = {file.path: file.skipped for file in evaluation.files if file.skipped}
    refused = [f for f in evaluation.findings if f.path in unread and _is_new_error(f)]
    rest = unread.keys() - {finding.path for finding in refused}
    left_out = [not_analysed(path, unread[path]) for path in sorted(rest)]
    return _by_path([*filter(_is_of_whole, evaluation.findings), *refused, *left_out])


def of_gate(evaluation: Evaluation, *, live: bool = False) -> Notices:
    """The gate's own result, where it blocks. `live`: nobody asked for it.

    While somebody types, the syntax error says all that there is to say; nor is it ever drawn over.
    """
    is_fast_fail = evaluation.decision.outcome is Outcome.FAST_FAIL
    half_typed = is_fast_fail and (live or evaluation.progress is Progress.INFERRED)
    gate = None if half_typed else blocking(evaluation)
    if gate is None:
        return {}
    line = gate.span.start.line
    over = any(
        f.code == SYNTAX_ERROR and (f.path, f.span) == (gate.path, gate.span) for f in evaluation.findings
    )
    return {gate.path: (replace(gate, span=Span.of(line, 0, line, 0)) if over else gate,)}


def of_closed(evaluation: Evaluation, opened: Collection[str]) -> Notices:
    """The new findings of files that are not among the `opened` documents: nothing else tells of them."""
    return _by_path(
        finding
        for finding in evaluation.findings
        if finding.path not in opened and finding.novelty is Novelty.NEW and not _is_of_whole(finding)
    )


def _is_new_error(finding: Finding) -> bool:
    return finding.code == SYNTAX_ERROR and finding.novelty is Novelty.NEW


def _is_of_whole(finding: Finding) -> bool:
    """Whether only a whole evaluation knows it, also of an open document."""
    whole = (Dimension.GATELINE, Dimension.INTEGRITY)
    return finding.dimension in whole or finding.code.startswith(_TESTED)


def of_trajectory(found: Trajectory | None, evaluation: Evaluation) -> Notices:
    """That the change went from better to worse, where it is advised to roll back."""
    if found is None or not found.advice or found.advice != ROLLBACK:
        return {}
    message = (
        f"the change lost {-found.delta:g} points from early to middle; roll back to the last good savepoint"
    )
    return _at_worst(NEGATIVE, message, Weight.COUNTS, evaluation)


def of_regression(found: Regression | None, evaluation: Evaluation) -> Notices:
    """That a final score is lower than those accepted last, with the functions that became more complex."""
    if found is None:
        return {}
    risen = more_complex(evaluation.functions)[:_MOST]
    related = tuple(
        Related(
            row.path,
            Span.of(row.line, 0, row.line, 0),
            f"complexity of `{row.symbol}`: {row.complexity_before:g} → {row.complexity_after:g}",
        )
        for row in risen
    )
    return _at_worst(_REGRESSION, str(found), Weight.FLOOR, evaluation, related)


def _at_worst(
    code: str, message: str, weight: Weight, evaluation: Evaluation, related: tuple[Related, ...] = ()
) -> Notices:
    """A finding on the line that costs most, else at the head of the first changed file."""
    places = [(action.path, action.line) for action in evaluation.actions if action.path]
    places += [(file.path, 0) for file in evaluation.files]
    if not places:
        return {}
    path, line = places[0]
    span = Span.of(line, 0, line, 0)
    found = Finding(
        code, path, span, message, Dimension.GATELINE, weight, identity=f"{code[3:]:0>12}", related=related
    )
    return _by_path([found])


def not_analysed(path: str, reason: str, novelty: Novelty = Novelty.NEW) -> Finding:
    """A document of which nothing is known, and why."""
    message = f"{_sentence(NOT_ANALYSED)}: {reason}"
    return Finding(
        NOT_ANALYSED,
        path,
        Span.of(0, 0, 0, 0),
        message,
        Dimension.GATELINE,
        Weight.ADVICE,
        novelty=novelty,
    )


def _mistake(problem: SettingsProblem) -> Finding:
    last = problem.key.rpartition(".")[2]
    start, end = problem.column, problem.column + len(last)
    span = Span.of(problem.line, start, problem.line, end)
    return Finding(MISTAKE, problem.path, span, problem.text, Dimension.GATELINE, Weight.COUNTS)


def _sentence(code: str) -> str:
    return CODES[code].summary.removesuffix(".")


def _by_path(findings: Iterable[Finding]) -> Notices:
    found: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        found[finding.path].append(finding)
    return found
