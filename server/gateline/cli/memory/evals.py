"""`gateline eval`: run suites, and compare with the runs that were accepted before."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateline.cli import terminal
from gateline.cli.ending import FAILED, Mistake
from gateline.cli.memory.opened import memory_here, output
from gateline.session.workspace.roots import find_root

if TYPE_CHECKING:
    from gateline.session.evals.evaluated import Evaluated
    from gateline.session.evals.suite import Suite
    from gateline.session.memory.memory import Memory
    from gateline.session.workspace.workspace import Workspace

_EXAMPLES = """\
\b
Examples:
  gateline eval              all suites of this workspace
  gateline eval slugs        one of them
  gateline eval --list       their names, kinds and cases
"""


@click.command("eval", epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[SUITE]...")
@click.option("--list", "listing", is_flag=True, help="Name the suites; run nothing.")
@click.option(
    "--timeout", type=click.FloatRange(1), default=300.0, show_default=True, help="Seconds for a suite."
)
@output
def evaluate(names: tuple[str, ...], listing: bool, timeout: float, form: str) -> None:
    """Run suites of cases, and find regressions.

    Suites are files named `*.eval.yaml`. A suite's function runs in the project's own interpreter: typing the
    command is consent. Exit code 1: a score is below its target, or a regression.
    """
    from gateline.session.errors import UsageError
    from gateline.session.evals.suite import suites_in
    from gateline.session.workspace.workspace import open_workspace

    workspace = open_workspace(find_root(Path.cwd()), os.environ)
    try:
        suites = suites_in(workspace.collector)
    except UsageError as error:
        raise Mistake(str(error)) from error
    if unknown := [name for name in names if name not in suites]:
        raise Mistake(f"there is no suite {unknown[0]!r}; `gateline eval --list` names all")
    chosen = [suites[name] for name in names] or list(suites.values())
    if not chosen:
        raise Mistake("there is no suite here: write one in a file named *.eval.yaml, see docs/evals.md")
    if listing:
        rows = (f"{one.suite}  {one.kind}, {len(one.cases)} cases of {one.call}\n" for one in chosen)
        terminal.emit("".join(rows))
        return
    with memory_here(meaning=False) as memory:
        found = list(_run(chosen, memory, workspace, timeout, quiet=form == "json"))
    if form == "json":
        terminal.emit(json.dumps([_plain(one) for one in found], indent=2) + "\n", machine=True)
    if any(one.failed for one in found):
        raise SystemExit(FAILED)


def _run(
    suites: list[Suite], memory: Memory, workspace: Workspace, timeout: float, *, quiet: bool
) -> Iterator[Evaluated]:
    from gateline.evals.run import run_of
    from gateline.session.evals.evaluated import evaluated, warnings_of
    from gateline.session.evals.running import results_of
    from gateline.session.evals.suite import called

    for suite in suites:
        if not quiet:
            for lesson in warnings_of(memory, suite.suite):
                terminal.emit(f"before: {terminal.harmless(lesson.note.text)}\n")
        results = results_of(suite, workspace.root, workspace.interpreter.path, timeout)
        run = run_of(suite.suite, suite.kind, memory.clock(), results)
        made = evaluated(run, memory.database, memory, called(suite, workspace.collector))
        if not quiet:
            terminal.emit(_told(made))
        yield made


def _told(made: Evaluated) -> str:
    from gateline.evals.run import EXPECTED

    run = made.run
    target = EXPECTED[run.kind].target
    word = "regression" if made.regression else "ok" if not made.failed else f"below {target:.0%}"
    lines = [f"{run.suite}  {run.score:.1%} of {run.cases} cases ({run.kind}, target {target:.0%}): {word}"]
    if made.regression:
        lines.append(f"  {made.regression}")
    lines += [f"  {one.name}: {one.detail}" for one in run.results if not one.passed]
    if made.lesson:
        lines.append(f"  remembered: gateline recall --history {made.lesson.id}")
    return "".join(f"{terminal.harmless(line)}\n" for line in lines)


def _plain(made: Evaluated) -> dict[str, Any]:
    run, found = made.run, made.regression
    return {
        "suite": run.suite,
        "kind": str(run.kind),
        "score": run.score,
        "cases": run.cases,
        "failed": [{"name": one.name, "detail": one.detail} for one in run.results if not one.passed],
        "accepted": run.accepted,
        "regression": str(found) if found else "",
        "flipped": list(found.flipped) if found else [],
        "lesson": made.lesson.id if made.lesson else "",
    }
