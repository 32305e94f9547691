"""For people: code frames, the score with its breakdown, the decision and what to do next."""

from __future__ import annotations

from collections.abc import Iterator

import click

from gateline.cli.output.breakdown import breakdown
from gateline.cli.output.changed import counted, says_nothing, unchanged
from gateline.cli.output.figures import measures, timings
from gateline.cli.output.frame import Frames
from gateline.cli.output.order import left_out, moved, shown_findings, worst_first
from gateline.cli.output.tests import has_spoken, told
from gateline.cli.terminal import harmless
from gateline.gates.gaps import stated
from gateline.model import Action, Evaluation, Status
from gateline.session.check_result import CheckResult

_VERDICTS = {Status.PASS: "green", Status.WARN: "yellow", Status.FAIL: "red"}
_FRAMES = 50
"""Frames shown at most; the worst are."""
_FIXED = 5


def render(result: CheckResult, *, colour: bool = False, width: int = 100) -> str:
    """The whole report. New findings are shown, old ones are counted."""
    text = "\n".join(_lines(result, width)) + "\n"
    return text if colour else click.unstyle(text)


def _lines(result: CheckResult, width: int) -> Iterator[str]:
    evaluation = result.evaluation
    if says_nothing(evaluation):
        yield from (harmless(limit) for limit in evaluation.limits)
        yield harmless(unchanged(evaluation))
        return
    if not evaluation.base_label:
        # Nothing was judged, so there is nothing to show but why.
        yield from (harmless(f"{evaluation.decision.outcome}: {why}") for why in evaluation.decision.reasons)
        return
    yield from _frames(result, width)
    yield from breakdown(evaluation)
    yield from _tests(evaluation)
    yield from (click.style(line, dim=True) for line in (*measures(evaluation), *timings(evaluation)))
    yield from _beside(evaluation)
    yield ""
    yield from _verdict(evaluation)
    yield from _before(result)


def _frames(result: CheckResult, width: int) -> Iterator[str]:
    frames = Frames(result, width)
    new = shown_findings(result.evaluation)
    shown = set(worst_first(result.evaluation)[:_FRAMES])
    for finding in new:
        if finding in shown:
            yield from frames.of(finding)
            yield ""
    if len(new) > _FRAMES:
        yield f"… and {len(new) - _FRAMES} more; `gateline check --output concise` lists all"
        yield ""


def _tests(evaluation: Evaluation) -> Iterator[str]:
    for line in told(evaluation.tests):
        yield click.style(harmless(line), dim=has_spoken(evaluation.tests))


def _beside(evaluation: Evaluation) -> Iterator[str]:
    """What is not in the score: files that are no Python, old findings, and credit."""
    if evaluation.others or not evaluation.changed:
        told = counted(evaluation) if evaluation.changed else unchanged(evaluation)
        yield click.style(harmless(told), dim=True)
    old = left_out(evaluation)
    said = (
        f"{old} old finding{'s' * (old != 1)} not shown" if old else "",
        f"{len(evaluation.suppressed)} suppressed" if evaluation.suppressed else "",
        _added(evaluation.suppressions_added),
    )
    if any(said):
        yield click.style(" · ".join(filter(None, said)), dim=True)
    for finding in evaluation.fixed[:_FIXED]:
        text = f"✓ fixed: {finding.path} {finding.code} {finding.message}"
        yield click.style(harmless(text), fg="green")
    if len(evaluation.fixed) > _FIXED:
        yield click.style(f"✓ and {len(evaluation.fixed) - _FIXED} more fixed", fg="green")


def _added(number: int) -> str:
    if not number:
        return ""
    return "1 new suppression comment" if number == 1 else f"{number} new suppression comments"


def _verdict(evaluation: Evaluation) -> Iterator[str]:
    decision, score = evaluation.decision, evaluation.score
    value = "no score" if score.value is None else f"score {score.value:g}"
    head = click.style(str(decision.outcome), fg=_VERDICTS[decision.status], bold=True)
    yield (
        f"{head}  {click.style(value, bold=True)}, evidence {score.evidence:.0%}, {evaluation.level} "
        f"checkpoint, against {harmless(evaluation.base_label)}"
    )
    # Floors are in the actions, and what is unknown in the breakdown: once is enough.
    told = {*score.floors, *score.caps, *(stated(part) for part in score.parts)}
    for reason in decision.reasons:
        if reason not in told:
            yield f"  · {harmless(reason)}"
    if decision.required_actions:
        yield "Next:"
    for number, action in enumerate(decision.required_actions, 1):
        yield _action(number, action)


def _before(result: CheckResult) -> Iterator[str]:
    """What the work before tells: how the score moved since early."""
    if result.trajectory is not None:
        yield harmless(moved(result))


def _action(number: int, action: Action) -> str:
    place = click.style(f"{harmless(action.path)}:{action.line + 1}", bold=True) + " " if action.path else ""
    wins = click.style(f"  (+{action.points:.1f})", fg="green") if action.points else ""
    return f"  {number}. {place}{harmless(action.text)}{wins}"
