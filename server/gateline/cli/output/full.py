"""For people: code frames, the score with its breakdown, the decision and what to do next."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gateline.gates.severity import severity
from gateline.model import Action, Evaluation, Finding, Novelty, Part, Severity, State, Status
from gateline.model.document import split_lines
from gateline.session.check import CheckResult

_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "cyan",
    Severity.HINT: "dim",
}
_VERDICTS = {Status.PASS: "bold green", Status.WARN: "bold yellow", Status.FAIL: "bold red"}
SECRET = "GTL310"
_BAR = 20
"""Characters of a breakdown bar at 100."""


def render(result: CheckResult, *, colour: bool = False, width: int = 100) -> str:
    """The whole report. New findings are shown, old ones are counted."""
    file = io.StringIO()
    console = Console(
        file=file,
        force_terminal=colour,
        color_system="standard" if colour else None,
        width=width,
        highlight=False,
        legacy_windows=False,
    )
    for part in _parts(result):
        console.print(part)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def _parts(result: CheckResult) -> Iterator[RenderableType]:
    evaluation = result.evaluation
    if not evaluation.files:
        yield Text(f"Nothing changed against {evaluation.base_label}.")
        return
    secrets = [f for f in (*evaluation.findings, *evaluation.suppressed) if f.code == SECRET]
    for finding in evaluation.findings:
        if finding.novelty is Novelty.NEW:
            yield _frame(finding, evaluation, _shown_line(finding, result.sources, secrets))
    yield _breakdown(evaluation)
    yield from _beside(evaluation)
    yield _verdict(evaluation)


def _frame(finding: Finding, evaluation: Evaluation, line: str | None) -> RenderableType:
    style = _STYLES[severity(finding, evaluation.level)]
    start, end = finding.span.start, finding.span.end
    head = Text.assemble(
        (f"{finding.path}:{start.line + 1}:{start.column + 1}", "bold"), " ", (finding.code, style), " "
    )
    head.append(finding.message)
    head.append(f"  {finding.origin or ''} {finding.identity}".rstrip(), "dim")
    if line is None:
        return Group(head, Text())
    stop = end.column if end.line == start.line else len(line)
    number = f"{start.line + 1:>5} │ "
    marks = "^" * max(stop - start.column, 1)
    shown = Text.assemble((number, "dim"), line.expandtabs(4))
    at = len(line[: start.column].expandtabs(4))
    under = Text.assemble((" " * (len(number) - 2) + "│ ", "dim"), " " * at, (marks, style))
    for row in (shown, under):
        row.no_wrap, row.overflow = True, "ellipsis"
    return Group(head, shown, under, *_related(finding), Text())


def _shown_line(finding: Finding, sources: Mapping[str, str], secrets: Sequence[Finding]) -> str | None:
    """The line a finding starts on, with every secret on it painted over; None outside the text."""
    lines = split_lines(sources.get(finding.path, ""))
    number = finding.span.start.line
    if number >= len(lines):
        return None
    line = lines[number].rstrip("\r\n")
    for secret in secrets:
        if secret.path == finding.path and secret.span.start.line == number:
            start, end = secret.span.start.column, secret.span.end.column
            line = line[:start] + "•" * (end - start) + line[end:]
    return line


def _related(finding: Finding) -> Iterator[Text]:
    for related in finding.related:
        place = "" if related.path == finding.path else f"{related.path}:{related.span.start.line + 1}: "
        yield Text(f"      = {place}{related.message}", "dim")


def _breakdown(evaluation: Evaluation) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "right", "right", "left"):
        table.add_column(justify=justify)
    for part in evaluation.score.parts:
        if part.weight or part.state is not State.NOT_DUE:
            table.add_row(*_row(part))
    return Padding(table, (0, 0, 1, 0))


def _row(part: Part) -> tuple[RenderableType, ...]:
    name = Text(str(part.dimension))
    if part.value is None:
        return name, Text(str(part.state), "dim"), Text(), Text(), Text(part.reason, "dim")
    full = round(part.value / 100 * _BAR)
    style = "green" if part.value >= 85 else "yellow" if part.value >= 60 else "red"
    bar = Text.assemble(("█" * full, style), ("░" * (_BAR - full), "dim"))
    share = f"× {part.weight:.2f} = {part.points:>4.1f}" if part.weight else ""
    return name, bar, Text(f"{part.value:.0f}"), Text(share), Text(part.detail, "dim")


def _beside(evaluation: Evaluation) -> Iterator[Text]:
    old = sum(f.novelty is Novelty.OLD for f in evaluation.findings)
    said = [
        f"{old} old finding{'s' * (old != 1)} not shown" if old else "",
        f"{len(evaluation.fixed)} fixed" if evaluation.fixed else "",
        f"{len(evaluation.suppressed)} suppressed" if evaluation.suppressed else "",
        f"+{evaluation.suppressions_added} suppressions added" if evaluation.suppressions_added else "",
    ]
    if any(said):
        yield Text(" · ".join(filter(None, said)), "dim")
    for row in evaluation.files:
        if row.skipped:
            yield Text(f"not analysed: {row.path} ({row.skipped})", "yellow")


def _verdict(evaluation: Evaluation) -> RenderableType:
    decision, score = evaluation.decision, evaluation.score
    value = "–" if score.value is None else f"{score.value:g}"
    style = _VERDICTS[decision.status]
    head = Text.assemble(
        ("score ", "bold"),
        (value, style),
        f"  evidence {score.evidence:.0%}  {evaluation.level} checkpoint  against {evaluation.base_label}",
    )
    rows: list[RenderableType] = [head, Text.assemble(("decision ", "bold"), (str(decision.outcome), style))]
    rows += [Text(f"  · {reason}", "dim") for reason in decision.reasons]
    rows += [_action(number, action) for number, action in enumerate(decision.required_actions, 1)]
    return Group(*rows)


def _action(number: int, action: Action) -> Text:
    place = f"{action.path}:{action.line + 1} " if action.path else ""
    return Text.assemble(
        f"  {number}. ", (place, "bold"), action.text, (f"  (+{action.points:.1f})", "green")
    )
