"""What gateline says of itself in the editor: mistakes in the settings, files left out, the gate's result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gateline.gates.result import blocking
from gateline.model import Dimension, Evaluation, Finding, Novelty, Span, Weight
from gateline.model.codes import CODES
from gateline.settings.problem import SettingsProblem

MISTAKE = "GTL903"
NOT_ANALYSED = "GTL904"
_TESTED = "GTL2"
"""What tests found: they look at a change, not at a document."""

Notices = Mapping[str, Sequence[Finding]]
"""Findings by path."""


def of_settings(problems: Iterable[SettingsProblem]) -> Notices:
    """Each mistake at its place in its file; those of the environment stand in no document."""
    return _by_path(_mistake(problem) for problem in problems if problem.path)


def of_verdict(evaluation: Evaluation) -> Notices:
    """What only a whole evaluation knows: tests, suppressions, cheats, unread files, and what blocks."""
    whole = (Dimension.GATELINE, Dimension.INTEGRITY)
    own = [f for f in evaluation.findings if f.dimension in whole or f.code.startswith(_TESTED)]
    left_out = [not_analysed(file.path, file.skipped) for file in evaluation.files if file.skipped]
    gate = blocking(evaluation)
    return _by_path([*own, *left_out, *([gate] if gate else [])])


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
