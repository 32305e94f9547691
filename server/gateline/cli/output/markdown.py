"""A comment for a pull request: the verdict, the breakdown, and the worst findings."""

from __future__ import annotations

import re

from gateline.cli.output.changed import says_nothing
from gateline.cli.output.figures import measures, worse_covered
from gateline.cli.output.order import before, score_text, worst_first
from gateline.cli.output.tests import told
from gateline.gates.gaps import stated
from gateline.model import Evaluation, Finding, Part, State
from gateline.model.codes import page_url
from gateline.session.check_result import CheckResult

MARKER = "<!-- gateline -->"
"""By this a bot finds its own comment, to edit it in place."""
_SHOWN = 5
_REASONS = 6
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~@!&])")
"""What Markdown, or the site around it, would act on: a message must not mention people or hide text."""


def render(result: CheckResult) -> str:
    """One comment with at most five findings; the rest is counted."""
    evaluation = result.evaluation
    verdict = f"**{evaluation.decision.outcome}**, {score_text(evaluation)}, "
    against = f", against {_plain(evaluation.base_label)}" if evaluation.base_label else ""
    context = f"evidence {evaluation.score.evidence:.0%}{against}"
    lines = [
        MARKER,
        f"### gateline: {evaluation.decision.outcome}",
        "",
        verdict + context,
        *_reasons(evaluation),
        *(f"- {_plain(row)}" for row in before(result)),
        *_table(evaluation),
        *_tests(evaluation),
        *_numbers(evaluation),
        *_findings(evaluation),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _reasons(evaluation: Evaluation) -> list[str]:
    if says_nothing(evaluation):
        return ["", "Nothing changed."]
    told = {stated(part) for part in evaluation.score.parts}
    first, *rest = evaluation.decision.reasons or ("",)
    accepted = list(map(str, evaluation.accepted))
    reasons = [first, *(reason for reason in rest if reason not in (*told, *accepted))]
    return ["", *(f"- {_plain(reason)}" for reason in (*reasons[:_REASONS], *accepted) if reason)]


def _table(evaluation: Evaluation) -> list[str]:
    rows = [_row(part) for part in evaluation.score.parts if part.state is not State.NOT_DUE]
    if not rows or not evaluation.changed:
        return []
    return ["", "| dimension | value | points | |", "|---|---:|---:|---|", *rows, ""]


def _tests(evaluation: Evaluation) -> list[str]:
    return [*map(_plain, told(evaluation.tests)), ""] if evaluation.changed else []


def _numbers(evaluation: Evaluation) -> list[str]:
    """The measures, and what is covered less than before; no timings: a comment changes with its content."""
    lines = [*measures(evaluation), *list(worse_covered(evaluation))[:_SHOWN]]
    return [*(f"- {_plain(line)}" for line in lines), ""] if lines else []


def _row(part: Part) -> str:
    value = str(part.state) if part.value is None else f"{part.value:.1f}"
    points = f"{part.points:.1f}" if part.weight else ""
    return f"| {part.dimension} | {value} | {points} | {_plain(part.detail or part.reason)} |"


def _findings(evaluation: Evaluation) -> list[str]:
    new = worst_first(evaluation)
    lines = [_line(finding) for finding in new[:_SHOWN]]
    if len(new) > _SHOWN:
        lines.append(f"- … and {len(new) - _SHOWN} more")
    return lines


def _line(finding: Finding) -> str:
    place = f"{finding.path}:{finding.span.start.line + 1}"
    return f"- {_plain(place)} [{finding.code}]({page_url(finding.code)}) {_plain(finding.message)}"


def _plain(text: str) -> str:
    return _ACTIVE.sub(r"\\\1", " ".join(text.split())).replace("\\@", "@\N{ZERO WIDTH SPACE}")
