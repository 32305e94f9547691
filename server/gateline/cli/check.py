"""`gateline check`: judge the change."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click
from click.core import ParameterSource

from gateline.cli import options, terminal
from gateline.cli.ending import USAGE, Mistake, Undecided, exit_code
from gateline.cli.output import FORMATS, renderer
from gateline.cli.output.unjudged import unjudged
from gateline.cli.verdict import judged_once, tell_problems
from gateline.model.level import Level, Progress
from gateline.session.check_result import CheckResult
from gateline.session.judge.verdict_cache.answers import Asking
from gateline.session.selection import Selection, Which
from gateline.session.tasks.decisions import record
from gateline.session.workspace.roots import find_root
from gateline.worklog.decided import Circumstances

_EXAMPLES = """\
\b
Examples:
  gateline check                             the whole change, as before a merge
  gateline check --level early src/app.py    one file, while you edit it
  gateline check --staged                    what a commit would hold
  gateline check --base origin/release-2     against another branch
  gateline check --output github --output sarif=gateline.sarif
  gateline check --accept GTL301:src/app.py:run "the command is a constant"
"""


@click.command(epilog=_EXAMPLES)
@options.paths
@options.base
@options.staged
@options.everything
@options.level(Level.FINAL)
@click.option(
    "--tests",
    "which",
    type=click.Choice([which.value for which in Which]),
    help="Which tests to run.  [default: affected ones; at final all, within tests.affordable]",
)
@options.python
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT[=FILE]",
    help=f"{', '.join(FORMATS)}. Can be repeated, with a file for each but one.  [default: full]",
)
@click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with 0 for every decision; usage and settings errors still exit with 2.",
)
@click.option(
    "--no-cache",
    "anew",
    is_flag=True,
    help="Judge again instead of using the cached verdict.",
)
@click.option(
    "--accept",
    "accepted",
    type=(str, str),
    multiple=True,
    metavar="CODE:PATH[:SYMBOL] REASON",
    help="Accept these findings in this verdict, which records the reason. Can be repeated.",
)
@options.colour
@options.overrides
def check(
    paths: tuple[str, ...],
    base: str | None,
    staged: bool,
    everything: bool,
    level: str,
    which: str | None,
    python: str | None,
    outputs: tuple[str, ...],
    exit_zero: bool,
    anew: bool,
    accepted: tuple[tuple[str, str], ...],
    colour: str,
    overrides: tuple[str, ...],
) -> None:
    """Judge the change: its findings, score and decision.

    The change is everything that differs from the base, whether committed, staged or just saved. PATHS
    are files or folders; only what changed in them is judged. The decision is recorded in the
    audit trail (gateline audit) and in the task in progress on this branch. A verdict on unchanged content
    comes from the cache, and standard error says so. The cache does not notice changes in ignored folders,
    on the network or of the clock: use --no-cache after those.
    """
    wanted = _outputs(outputs)
    if staged and everything:
        raise Mistake("--staged and --all are mutually exclusive: the index is a change, --all is every file")
    selection = Selection(base, staged, paths, everything, accepted)
    tests = Which(which) if which else None
    given = options.with_python(options.parse_overrides(overrides), python)
    asking = Asking(Path.cwd(), selection, Level(level), tests, given, os.environ, _progress())
    try:
        result = judged_once(asking, anew=anew)
    except Undecided as error:
        # The sentence on standard error is for people; who reads a document gets one that says the same.
        told = unjudged(find_root(asking.start), asking.level, asking.progress, error.message)
        _recorded(told, selection)
        for output in wanted:
            if output.is_document:
                output.write(told, colour)
        raise
    task = _recorded(result, selection)
    result = _with_before(result, task)
    for output in wanted:
        output.write(result, colour)
    tell_problems(result)
    if result.regression is not None:
        click.echo(f"regression: {result.regression}", err=True)
    _learn(result)
    _keep(result, task)
    sys.exit(_exit_code(result, exit_zero))


def _progress() -> Progress:
    """A checkpoint that was named is said; a plain check is the final one."""
    said = click.get_current_context().get_parameter_source("level") is ParameterSource.COMMANDLINE
    return Progress.SAID if said else Progress.INFERRED


def _recorded(result: CheckResult, selection: Selection) -> str:
    """Have the audit trail record a decision; the task that is in progress on the branch."""
    scope = "all" if selection.all else "staged" if selection.staged else "change"
    asked = Circumstances("check", scope, selection.paths, took=result.timings)
    done = record(result.root, result.evaluation, asked)
    if done.trouble:
        click.echo(f"gateline: {done.trouble}", err=True)
    return done.task


def _learn(result: CheckResult) -> None:
    """Remember what was accepted for this verdict, and what got worse. Most verdicts have neither."""
    if result.regression is None and not result.evaluation.accepted:
        return
    from gateline.session.memory.learning import learned, of_accepted, of_regression
    from gateline.session.workspace.branch import branch_at

    notes = list(of_accepted(result.evaluation))
    if result.regression is not None:
        notes.append(of_regression(result.regression, branch_at(result.root)))
    if notes and (trouble := learned(result.root, notes)):
        click.echo(f"gateline: {trouble}", err=True)


def _keep(result: CheckResult, task: str) -> None:
    """Keep the content that was judged.

    What is answered from the cache was kept when it was judged, though the task may not know of it.
    """
    if result.worklog is None or not (task or result.evaluation.changed):
        return
    from gateline.session.tasks.check_savepoint import is_wanted, keep

    if is_wanted(result.evaluation, result.worklog, os.environ):
        trouble = keep(result.root, result.evaluation, result.worklog, task)
        if trouble:
            click.echo(f"gateline: {trouble}", err=True)


def _with_before(result: CheckResult, task: str) -> CheckResult:
    """Have the task of the branch remember a verdict, and add what the work before tells of it."""
    if not task and result.evaluation.level is Level.FINAL:
        # Nothing that knows of tasks is imported.
        return result
    from gateline.session.tasks.current_task import remember

    found = remember(result.root, result.evaluation)
    return replace(
        result,
        regression=found.regression,
        trajectory=found.trajectory,
        savepoint=found.savepoint,
        worklog=found.worklog or result.worklog,
    )


def _exit_code(result: CheckResult, exit_zero: bool) -> int:
    """A verdict by settings that were only partly understood is never a pass."""
    if result.settings_problems:
        return USAGE
    return 0 if exit_zero else exit_code(result.evaluation)


@dataclass(frozen=True, slots=True)
class _Output:
    format: str
    file: str
    """Empty: standard output."""

    @property
    def is_document(self) -> bool:
        """Whether it is written for somebody who does not see standard error."""
        return bool(self.file) or self.format != "full"

    def write(self, result: CheckResult, colour: str) -> None:
        text = self._rendered(result, colour)
        if not self.file:
            terminal.emit(text, machine=self.format != "full")
            return
        try:
            Path(self.file).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        except OSError as error:
            raise Mistake(f"--output {self.format}={self.file}: {error.strerror}") from error

    def _rendered(self, result: CheckResult, colour: str) -> str:
        if self.format != "full":
            return renderer(self.format)(result)
        from gateline.cli.output import full

        in_colour = not self.file and terminal.wants_colour(colour, sys.stdout)
        return full.render(result, colour=in_colour, width=terminal.width())


def _outputs(given: tuple[str, ...]) -> list[_Output]:
    rows = [_output(text) for text in given or ("full",)]
    if sum(not row.file for row in rows) > 1:
        raise Mistake(
            "only one format can go to standard output; write the others "
            "to files, as in --output json=gate.json"
        )
    return rows


def _output(text: str) -> _Output:
    name, found, file = text.partition("=")
    if name not in FORMATS:
        raise Mistake(f"--output {name!r} is not a format; choose one of {', '.join(FORMATS)}")
    if found and not file:
        raise Mistake(f"--output {text!r} has no file after the `=`")
    return _Output(name, file)
