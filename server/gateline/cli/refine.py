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
  gateline refine "make the tests pass" --apply              and write the result into the files here
  gateline refine "add --json" --agent "my-agent --fast"     any command: JSON on stdin and stdout
  gateline refine "add --json" --agent my-agent --agent autodebug --rounds 6 --budget-seconds 600
  gateline refine "add --json" --plan plan.md --agent code="my-agent" --agent docs="other-agent"
  gateline refine "..." --branch fixed                       as a commit on a new branch
  gateline refine --list                                     the loops of this workspace
  gateline refine --resume 20261127T18                       go on with one that was interrupted

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
    "one takes its turn where one gets nowhere.  [default: autodebug]",
)
@click.option("--rounds", type=click.IntRange(1, 100), default=20, show_default=True, help="At most so many.")
@click.option("--budget-seconds", type=click.FloatRange(min=1), help="End when rounds took so long.")
@click.option("--budget-tokens", type=click.IntRange(min=1), help="End when agents say they used so many.")
@click.option("--budget-cost", type=click.FloatRange(min=0), help="End when agents say it cost so much.")
@click.option("--apply", "applied", is_flag=True, help="Write the result into the files here.")
@click.option("--branch", metavar="NAME", help="Commit the result to a new branch, not checked out.")
@click.option("--resume", metavar="ID", default="", help="Go on with a loop that was interrupted.")
@click.option("--list", "listed", is_flag=True, help="List the loops of this workspace, newest first.")
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="LOG",
    help="Judge again what the agents of a log did, without asking them.",
)
@click.option(
    "--plan",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Follow the steps of a plan in Markdown, with a gate after each; independent ones at the same time.",
)
@click.option(
    "--specification",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="With --plan: what it is for; it must cover each criterion.",
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

    The agent works on GOAL in a work tree of its own: your files, index and refs stay as they are. What
    a round found is told to the next one. It ends when a round is good, when nothing gets better, or with the
    budget; the best result is shown as a patch. What breaks floors, games its checks or leaves tests failing
    is never accepted.

    Ends with 0 when the result was accepted, 1 when not, 2 for a mistake in the command, and 3 when something
    that the decision needs could not be measured.
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
