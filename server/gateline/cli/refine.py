"""`gateline refine`: have an agent work in rounds, under supervision."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gateline.cli import options, terminal
from gateline.cli.ending import FAILED, PASSED, UNDECIDED, Mistake, Undecided, run
from gateline.cli.output import refinement as output
from gateline.refinement.feedback import told_of
from gateline.refinement.state import Kind, LoopState, Rules
from gateline.session.refinement.applying import Committed, apply, to_branch
from gateline.session.refinement.loop import Refined
from gateline.session.refinement.loop import refine as refined
from gateline.session.refinement.requests import Asked
from gateline.session.refinement.stored import loops_of
from gateline.session.workspace.roots import find_root
from gateline.store.candidates.applying import Applied
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError

_EXAMPLES = """\
\b
Examples:
  gateline refine "make the tests pass"                      gateline's own repairs, no model; shows a patch
  gateline refine "make the tests pass" --apply              also write the result to your files
  gateline refine "add --json" --agent "my-agent --fast"     any command: JSON on stdin and stdout
  gateline refine "add --json" --agent my-agent --agent autodebug --rounds 6 --budget-seconds 600
  gateline refine "add --json" --plan plan.md --agent code="my-agent" --agent docs="other-agent"
  gateline refine "..." --branch fixed                       commit the result to a new branch
  gateline refine --list                                     list the loops of this workspace
  gateline refine --resume 20261127T18                       continue an interrupted loop

\b
An agent is asked once for each round. It works in the folder that it is started in, and answers with
  {"agent_id": ..., "task_id": ..., "success": true, "reasoning": "...", "confidence": 0.8}
See schemas/agent-input.json, schemas/agent-output.json and docs/refine.md.
"""


@click.command(epilog=_EXAMPLES)
@click.argument("goal", default="")
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="AGENT",
    help="autodebug, review, a command, or acp:COMMAND for one that speaks ACP. Can be repeated: the next "
    "agent takes over where one makes no progress.  [default: autodebug]",
)
@click.option(
    "--rounds", type=click.IntRange(1, 100), default=20, show_default=True, help="Largest number of rounds."
)
@click.option(
    "--budget-seconds", type=click.FloatRange(min=1), help="End when the rounds took this many seconds."
)
@click.option("--budget-tokens", type=click.IntRange(min=1), help="End when agents report this many tokens.")
@click.option("--budget-cost", type=click.FloatRange(min=0), help="End when agents report this cost.")
@click.option("--apply", "applied", is_flag=True, help="Write the result to your files.")
@click.option("--branch", metavar="NAME", help="Commit the result to a new branch without checking it out.")
@click.option("--resume", metavar="ID", default="", help="Continue an interrupted loop.")
@click.option("--list", "listed", is_flag=True, help="List the loops of this workspace, newest first.")
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="LOG",
    help="Judge the recorded rounds of a log again, without running agents.",
)
@click.option(
    "--plan",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Follow the steps of a Markdown plan, with a gate after each; independent steps run in parallel.",
)
@click.option(
    "--specification",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="With --plan: the specification whose criteria the plan must cover.",
)
@options.python
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def refine(
    goal: str,
    agents: tuple[str, ...],
    rounds: int,
    budget_seconds: float | None,
    budget_tokens: int | None,
    budget_cost: float | None,
    applied: bool,
    branch: str | None,
    resume: str,
    listed: bool,
    replay: Path | None,
    plan: Path | None,
    specification: Path | None,
    python: str | None,
    form: str,
) -> None:
    """Have an agent work in rounds, each judged with all tests.

    The agent works on GOAL in a work tree of its own: your files, index and refs stay as they are. The
    findings of a round are given to the next one. The loop ends when a result is accepted, when nothing
    improves, or when the budget is used up; the best result is shown as a patch. A result that breaks a
    floor, games the checks or leaves tests failing is never accepted.

    Exits with 0 when the result was accepted, 1 when not, 2 for a usage error, and 3 when evidence that the
    decision needs could not be measured.
    """
    if listed:
        loops, troubles = _loops(find_root(Path.cwd()))
        terminal.emit(output.listed(loops, form), machine=form == "json")
        for trouble in troubles:
            click.echo(terminal.harmless(trouble), err=True)
        return
    if sum((bool(goal), bool(resume), replay is not None)) != 1:
        raise Mistake("give one of: a goal, --resume ID, --replay LOG (or --list)")
    given = options.with_python({}, python)
    rules = Rules(rounds=rounds, seconds=budget_seconds, tokens=budget_tokens, cost=budget_cost)
    if (plan is not None and not goal) or (specification is not None and plan is None):
        raise Mistake("--plan needs a goal, and --specification needs --plan")
    python_of = str(given.get("python", ""))
    asked = Asked(goal, agents or ("autodebug",), rules, resume, python_of, replay, plan, specification)
    with terminal.progress() as tell:
        found = run(refined(Path.cwd(), asked, None, tell, _told))
    written, committed = _offered(found, applied=applied, branch=branch)
    terminal.emit(output.FORMATS[form](found, written, committed), machine=form == "json")
    sys.exit(_exit_code(found, written))


def _told(state: LoopState) -> None:
    """Say what the newest round came to."""
    if state.rounds and state.ended is None:
        click.echo(told_of(state.rounds[-1], state), err=True)


def _exit_code(found: Refined, written: Applied | None) -> int:
    if found.state.ended is not None and found.state.ended.kind is Kind.UNDECIDED:
        return UNDECIDED
    return PASSED if found.accepted and not (written and written.conflicts) else FAILED


def _loops(root: Path) -> tuple[list[LoopState], list[str]]:
    try:
        return loops_of(root)
    except StoreError as error:
        raise Undecided(str(error)) from error


def _offered(found: Refined, *, applied: bool, branch: str | None) -> tuple[Applied | None, Committed | None]:
    """Write the result where the person wanted it."""
    if not found.changed:
        return None, None
    try:
        committed = to_branch(found, branch) if branch else None
        return apply(found) if applied else None, committed
    except SavepointError as error:
        again = f"gateline refine --resume {found.state.id}"
        raise Mistake(f"{error}; the result is kept: {again} --apply, or --branch NAME") from error
