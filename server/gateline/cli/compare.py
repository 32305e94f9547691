"""`gateline compare`: rank candidate solutions."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import click

from gateline.cli import options, terminal
from gateline.cli.ending import FAILED, PASSED, UNDECIDED, Mistake, Undecided, run
from gateline.cli.output import comparison as output
from gateline.cli.output.applied import told
from gateline.ranking.values import Isolation, Strategy
from gateline.session.compare.accepting import accept
from gateline.session.compare.comparing import Asked, Comparison
from gateline.session.compare.comparing import compare as compared
from gateline.session.compare.recorded import record, record_rejection
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.workspace.roots import find_root

_EXAMPLES = """\
\b
Examples:
  gateline compare agent-1 agent-2               two branches
  gateline compare agent-1 fix.patch stash@{0}   a branch, a patch file, a stash entry
  gateline compare ../one ../two --base main     two folders, or work trees
  gateline compare A B C --output markdown=comparison.md
  gateline compare A B --assess "round half to even"          also ask the configured model
  gateline compare A B --apply                   also write the winner's changes to your files
"""


@click.command(epilog=_EXAMPLES)
@click.argument("candidates", nargs=-1)
@click.option(
    "--base",
    metavar="REF",
    help="Common base of the candidates.  [default: the best common ancestor with HEAD]",
)
@click.option(
    "--strategy",
    type=click.Choice([one.value for one in Strategy]),
    default=Strategy.EVIDENCE.value,
    show_default=True,
    help="How the candidates are ranked.",
)
@click.option(
    "--isolation",
    type=click.Choice([one.value for one in Isolation]),
    help="How the candidates' code is isolated.  [default: the strongest that works here]",
)
@click.option(
    "--tests",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="Which tests to run.",
)
@click.option(
    "--task",
    "recorded",
    metavar="ID",
    help="Recorded task that the candidates solve, or a prefix of its identifier; `none` for no task."
    "  [default: the task in progress on this branch]",
)
@click.option(
    "--assess",
    "task",
    metavar="TASK",
    default="",
    help="Have a model assess how well each solves the TASK; it never decides. See docs/models.md.",
)
@click.option(
    "--no-cache",
    "anew",
    is_flag=True,
    help="Compare again instead of using the cached result.",
)
@click.option("--whole", is_flag=True, help="Run all tests even after one has ruled a candidate out.")
@options.python
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT[=FILE]",
    help=f"{', '.join(output.FORMATS)}. Can be repeated, with a file for each but one.  [default: text]",
)
@click.option("--apply", "applied", is_flag=True, help="Write the winner's changes to your files.")
@click.option(
    "--choose", metavar="NAME", help="Write this candidate's changes, even if it is not the winner."
)
@click.option("--reject", is_flag=True, help="Record that you reject all candidates.")
@click.option(
    "--learn", is_flag=True, help="Show the settings that your earlier choices suggest; compares nothing."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    default="",
    help="Have the workers of a Dask scheduler measure the candidates, as in tls://HOST:8786.",
)
@options.overrides
def compare(
    candidates: tuple[str, ...],
    base: str | None,
    strategy: str,
    isolation: str | None,
    tests: str,
    recorded: str | None,
    task: str,
    anew: bool,
    whole: bool,
    python: str | None,
    outputs: tuple[str, ...],
    applied: bool,
    choose: str | None,
    reject: bool,
    learn: bool,
    cluster: str,
    overrides: tuple[str, ...],
) -> None:
    """Rank candidate solutions of the same task.

    Names the winner with a confidence and the reasons, or reports that there is no clear winner.

    2 to 16 CANDIDATES are branches, commits, stash entries, folders, patch files or savepoints. Each is
    checked out separately, judged by the gates, and its tests run in isolation. Your refs, index and files do
    not change. --apply or --choose writes one candidate's changes to your files: your own edits are kept, a
    file where both changed the same lines is skipped and reported, and a savepoint allows undoing it. Nothing
    is merged or committed.

    Exits with 0 when there is a winner, 1 when every candidate fails a blocking check, and 3 when there is
    no clear winner.
    """
    if learn:
        _learn(candidates)
        return
    wanted = [_output(text) for text in outputs or ("text",)]
    _refuse(wanted, candidates, applied=applied, choose=choose, reject=reject)
    given = options.with_python(options.parse_overrides(overrides), python)
    level = Isolation(isolation) if isolation else None
    asked = Asked(
        candidates, base, Strategy(strategy), level, tests == "all", task, recorded, anew, whole, cluster
    )
    with terminal.progress() as tell:
        found = run(compared(Path.cwd(), asked, given, None, tell))
    root = find_root(Path.cwd())
    _tell_known(found)
    trouble = record(root, found)
    for form, file in wanted:
        _write(output.FORMATS[form](found), form, file)
    for one in found.left_out:
        click.echo(f"gateline: not compared: {one.reason}", err=True)
    if trouble:
        click.echo(f"gateline: {trouble}", err=True)
    if reject and (failed := record_rejection(root, found)):
        click.echo(f"gateline: {failed}", err=True)
    if applied or choose:
        _apply(root, found, choose or "")
    sys.exit(_exit_code(found))


def _refuse(
    wanted: list[tuple[str, str]],
    candidates: tuple[str, ...],
    *,
    applied: bool,
    choose: str | None,
    reject: bool,
) -> None:
    """Refuse words that contradict each other, before anything is compared. Raises Mistake."""
    if sum(not file for _, file in wanted) > 1:
        raise Mistake(
            "only one format can go to standard output; write the others "
            "to files, as in --output json=it.json"
        )
    if applied + bool(choose) + reject > 1:
        raise Mistake(
            "--apply, --choose and --reject are mutually exclusive: --apply takes "
            "the winner, --choose a candidate by name, --reject none"
        )
    if choose and choose not in candidates:
        raise Mistake(
            f"--choose {choose!r} is not a candidate; the candidates are {', '.join(candidates) or 'missing'}"
        )


def _learn(candidates: tuple[str, ...]) -> None:
    from gateline.session.compare.learning import learned, told

    if candidates:
        raise Mistake(f"--learn takes no candidates; remove {', '.join(candidates)}")
    try:
        found = learned(find_root(Path.cwd()))
    except UndecidedError as error:
        raise Undecided(str(error)) from error
    terminal.emit("".join(f"{line}\n" for line in told(found)))


def _tell_known(found: Comparison) -> None:
    if found.known_since:
        at = datetime.fromisoformat(found.known_since).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        click.echo(f"gateline: these were compared before, at {at}; --no-cache compares again", err=True)


def _apply(root: Path, found: Comparison, name: str) -> None:
    """Write a candidate's changes; ends with 1 where a file is in conflict. What was done goes to stderr."""
    try:
        done = accept(root, found, name)
    except UsageError as error:
        raise Mistake(str(error)) from error
    except UndecidedError as error:
        raise Undecided(str(error)) from error
    for line in (*told(done.applied), *([f"gateline: {done.trouble}"] if done.trouble else [])):
        click.echo(terminal.harmless(line), err=True)
    sys.exit(FAILED if done.applied.conflicts else PASSED)


def _exit_code(found: Comparison) -> int:
    if found.ranking.winner:
        return PASSED
    return FAILED if all(row.blocked for row in found.ranking.rows) else UNDECIDED


def _output(text: str) -> tuple[str, str]:
    name, _, file = text.partition("=")
    if name not in output.FORMATS:
        raise Mistake(f"--output {name!r} is not a format; choose one of {', '.join(output.FORMATS)}")
    return name, file


def _write(text: str, form: str, file: str) -> None:
    if not file:
        terminal.emit(text, machine=form != "text")
        return
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Mistake(f"--output {form}={file}: {error.strerror}") from error
