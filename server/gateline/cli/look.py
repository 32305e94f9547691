"""Commands that look: diff, watch, explain, doctor."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.check import COLOURS, LEVELS, judged, parse_overrides, settings_option, tell_problems
from gateline.cli.ending import PASSED, USAGE, Mistake, run
from gateline.model import Finding, Level
from gateline.session.check import CheckResult, Selection


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--base", metavar="REF", help="Measure against the merge-base with REF.")
@click.option("--staged", is_flag=True, help="Look at the index instead of the work tree.")
def diff(paths: tuple[str, ...], base: str | None, staged: bool) -> None:
    """Show before → after: complexity of each changed function, size and maintainability of each file."""
    result = judged(Selection(base, staged, paths), Level.FINAL, {})
    from gateline.cli.output import before_after

    sys.stdout.write(before_after.render(result))
    tell_problems(result)


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--level", type=LEVELS, default="early", show_default=True, help="Which checkpoint to judge.")
@click.option(
    "--color", "colour", type=COLOURS, default="auto", show_default=True, help="When to use colours."
)
@settings_option
def watch(paths: tuple[str, ...], level: str, colour: str, overrides: tuple[str, ...]) -> None:
    """Judge the change again whenever a file is written. Ctrl+C ends it."""
    from watchfiles import PythonFilter
    from watchfiles import watch as changes

    given = parse_overrides(overrides)
    _show(judged(Selection(paths=paths), Level(level), given), colour)
    for _ in changes(Path.cwd(), watch_filter=PythonFilter(), raise_interrupt=False):
        click.echo()
        _show(judged(Selection(paths=paths), Level(level), given), colour)


def _show(result: CheckResult, colour: str) -> None:
    from gateline.cli.output import full

    in_colour = terminal.wants_colour(colour, sys.stdout)
    click.echo(full.render(result, colour=in_colour, width=terminal.width()), nl=False, color=in_colour)
    tell_problems(result)


@click.command()
@click.argument("identity")
@click.option("--base", metavar="REF", help="Measure against the merge-base with REF.")
def explain(identity: str, base: str | None) -> None:
    """Explain one finding of the change by its ID (or the beginning of it), as `gateline check` shows it."""
    result = judged(Selection(base), Level.FINAL, {})
    evaluation = result.evaluation
    known = (*evaluation.findings, *evaluation.suppressed, *evaluation.fixed)
    found = [f for f in known if f.identity.startswith(identity.lower())]
    if len({f.identity for f in found}) != 1:
        many = f"{len(found)} findings begin" if found else "no finding begins"
        raise Mistake(f"{many} with {identity!r}; `gateline check` shows the IDs of the change")
    click.echo(_explained(found[0], result), nl=False)


def _explained(finding: Finding, result: CheckResult) -> str:
    from gateline.cli.rule import page

    actions = result.evaluation.decision.required_actions
    points = next((a.points for a in actions if a.finding == finding.identity), None)
    start = finding.span.start
    lines = [
        f"{finding.code} {finding.message}",
        f"at {finding.path}:{start.line + 1}:{start.column + 1}"
        + (f" in {finding.symbol}" if finding.symbol else ""),
        f"{finding.novelty} against {result.evaluation.base_label}; {finding.weight}"
        + (f"; mending it wins {points:.1f} points" if points is not None else ""),
        f"found by {finding.origin}" if finding.origin else "found by gateline",
        f"    {finding.line_text.strip()}",
        *(f"    {r.path}:{r.span.start.line + 1}: {r.message}" for r in finding.related),
    ]
    return "\n".join(lines) + "\n\n" + page(finding.code)


@click.command()
def doctor() -> None:
    """Show what was chosen here and why: root, base, interpreter, tools. Exits with 2 on a problem."""
    from gateline.session.doctor import Health
    from gateline.session.doctor import doctor as examine

    found = run(examine(Path.cwd(), os.environ))
    marks = {Health.OK: " ", Health.WARNING: "!", Health.PROBLEM: "✗"}
    for section in found.sections:
        click.secho(section.title, bold=True)
        for fact in section.facts:
            why = f"  ({fact.why})" if fact.why else ""
            click.echo(f"{marks[fact.health]} {fact.name:<12} {fact.value}{why}")
    click.secho("Timings", bold=True)
    for step, seconds in found.timings.items():
        click.echo(f"  {step:<28} {seconds * 1000:7.1f} ms")
    sys.exit(USAGE if found.health is Health.PROBLEM else PASSED)
