"""`gateline eval`: run suites, and compare with the runs that were accepted before."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateline.cli import ending, terminal
from gateline.cli.ending import FAILED, UNDECIDED, Mistake
from gateline.cli.memory.opened import memory_here, output
from gateline.session.workspace.roots import find_root

if TYPE_CHECKING:
    from gateline.evals.run import CaseResult, Run
    from gateline.session.evals.evaluated import Evaluated
    from gateline.session.evals.judge import Judge
    from gateline.session.evals.running import Answered
    from gateline.session.evals.suite import Suite
    from gateline.session.memory.memory import Memory
    from gateline.session.workspace.workspace import Workspace

_EXAMPLES = """\
\b
Examples:
  gateline eval              all suites of this workspace
  gateline eval slugs        one of them
  gateline eval --list       their names, kinds and cases
  gateline eval titles --record said.jsonl     record the model's answers
"""


@click.command("eval", epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[SUITE]...")
@click.option("--list", "listing", is_flag=True, help="List the suites without running them.")
@click.option(
    "--timeout",
    type=click.FloatRange(1),
    default=300.0,
    show_default=True,
    help="Time limit of a suite, in seconds.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Record the model's answers; the endpoint recorded:FILE replays them.",
)
@output
def evaluate(names: tuple[str, ...], listing: bool, timeout: float, record: Path | None, form: str) -> None:
    """Run suites of cases, and find regressions.

    Suites are files named `*.eval.yaml`. A suite's function runs in the project's own interpreter: running
    this command is consent. Suites of kind judge are scored by the model that your environment names. Exit
    code 1: a score is below its target, or a regression; 3: the model could not judge a case.
    """
    from gateline.session.errors import UsageError
    from gateline.session.evals.suite import suites_in
    from gateline.session.workspace.workspace import open_workspace

    workspace = open_workspace(find_root(Path.cwd()), os.environ)
    try:
        suites = suites_in(workspace.collector)
    except UsageError as error:
        raise Mistake(str(error)) from error
    chosen = _chosen(suites, names)
    if listing:
        terminal.emit("".join(map(_listed, chosen)))
        return
    judge = _judge(chosen, workspace)
    with memory_here(meaning=False) as memory:
        running = _Running(memory, workspace, timeout, judge, quiet=form == "json")
        found = ending.run(running.all(chosen))
    if record is not None:
        _record(record, judge)
    if form == "json":
        terminal.emit(json.dumps([_plain(one) for one in found], indent=2) + "\n", machine=True)
    elif not isinstance(judge, str):
        terminal.emit(f"{terminal.harmless(judge.place)}\n")
    _end(found)


def _chosen(suites: Mapping[str, Suite], names: tuple[str, ...]) -> list[Suite]:
    """The suites that were named, or all. Raises Mistake."""
    if unknown := [name for name in names if name not in suites]:
        raise Mistake(f"there is no suite {unknown[0]!r}; `gateline eval --list` lists all")
    if not suites:
        raise Mistake(
            "no evaluation suite was found: write one in a file named *.eval.yaml, see docs/evals.md"
        )
    return [suites[name] for name in names] or list(suites.values())


def _listed(suite: Suite) -> str:
    return f"{suite.suite}  {suite.kind}, {len(suite.cases)} cases of {suite.call or suite.judges}\n"


def _end(found: list[Evaluated]) -> None:
    if any(one.failed for one in found):
        raise SystemExit(FAILED)
    if any(one.undecided for one in found):
        raise SystemExit(UNDECIDED)


def _judge(chosen: list[Suite], workspace: Workspace) -> Judge | str:
    """The model that judges; why there is none. Raises Mistake where what names it is wrong."""
    if not any(suite.asked for suite in chosen):
        return ""
    # Late: nobody else imports any of it.
    from gateline.session.errors import UsageError
    from gateline.session.evals.judge import Judge
    from gateline.session.models.endpoint import NoModelError, endpoint_of

    try:
        return Judge(endpoint_of(workspace.loaded, os.environ, "a judge suite"))
    except NoModelError as error:
        return str(error)
    except UsageError as error:
        raise Mistake(str(error)) from error


def _record(file: Path, judge: Judge | str) -> None:
    if isinstance(judge, str):
        raise Mistake(judge or "--record needs a judge suite, and none was run")
    from gateline.atomic_file import replace_file
    from gateline.services.models.channel import recorded_row

    usable = [recorded_row(one.question, one.answer) for one in judge.told if not one.answer.problem]
    if not usable:
        raise Mistake(f"--record {file} was not written: no answer of the model was usable")
    try:
        replace_file(file, "".join(f"{row}\n" for row in usable).encode())
    except OSError as error:
        raise Mistake(f"--record {file} cannot be written: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class _Running:
    """Suites of one command, one after the other."""

    memory: Memory
    workspace: Workspace
    timeout: float
    judge: Judge | str
    """What judges, or why nothing does."""
    quiet: bool

    async def all(self, suites: list[Suite]) -> list[Evaluated]:
        """What came of each; told as soon as it is known."""
        try:
            return [await self._one(suite) for suite in suites]
        finally:
            if not isinstance(self.judge, str):
                await self.judge.stop()

    async def _one(self, suite: Suite) -> Evaluated:
        from gateline.session.evals.evaluated import evaluated, warnings_of
        from gateline.session.evals.suite import called

        if not self.quiet:
            for lesson in warnings_of(self.memory, suite.suite):
                terminal.emit(f"before: {terminal.harmless(lesson.note.text)}\n")
        anchor = called(suite, self.workspace.collector)
        made = evaluated(await self._run(suite), self.memory.database, self.memory, anchor)
        if not self.quiet:
            terminal.emit(_told(made))
        return made

    async def _run(self, suite: Suite) -> Run:
        from gateline.evals.run import run_of
        from gateline.session.evals.running import answers_of

        python = self.workspace.interpreter.path
        answers = answers_of(suite, self.workspace.root, python, self.timeout) if suite.call else None
        if not suite.asked:
            results = [one.result for one in answers or ()]
            return run_of(suite.suite, suite.kind, self.memory.clock(), results)
        from gateline.session.evals.judge import unjudged

        given: list[Answered | None] = [*answers] if answers else [None] * len(suite.cases)
        if isinstance(self.judge, str):
            return run_of(suite.suite, suite.kind, self.memory.clock(), unjudged(suite, given, self.judge))
        results = await self.judge.results(suite, given)
        self.judge.keep(suite, self.memory.database, self.memory.clock())
        name = self.judge.name_for(suite)
        return run_of(suite.suite, suite.kind, self.memory.clock(), results, name)


def _told(made: Evaluated) -> str:
    from gateline.evals.run import EXPECTED

    run = made.run
    target = EXPECTED[run.kind].target
    word = "regression" if made.regression else "ok" if not made.failed else f"below {target:.0%}"
    score = f"{run.score:.1%}"
    if made.undecided:
        word, score = "not measured", "–" if len(run.unmeasured) == run.cases else score
    lines = [f"{run.suite}  {score} of {run.cases} cases ({run.kind}, target {target:.0%}): {word}"]
    if run.judge:
        lines.append(f"  judged by {run.judge.rpartition(' ')[0]}")
    if made.regression:
        lines.append(f"  {made.regression}")
    lines += [f"  {one.name}: {one.detail}" for one in run.results if one.measured and not one.passed]
    for reason, count in Counter(one.detail for one in run.unmeasured).items():
        lines.append(f"  {count} of {run.cases} cases were not measured: {reason}")
    if made.lesson:
        lines.append(f"  remembered: gateline recall --history {made.lesson.id}")
    return "".join(f"{terminal.harmless(line)}\n" for line in lines)


def _plain(made: Evaluated) -> dict[str, Any]:
    run, found = made.run, made.regression
    return {
        "suite": run.suite,
        "kind": str(run.kind),
        "score": None if len(run.unmeasured) == run.cases else run.score,
        "cases": run.cases,
        "failed": [_case(one) for one in run.results if one.measured and not one.passed],
        "unmeasured": [_case(one) for one in run.unmeasured],
        "judge": run.judge,
        "accepted": run.accepted,
        "regression": str(found) if found else "",
        "flipped": list(found.flipped) if found else [],
        "lesson": made.lesson.id if made.lesson else "",
    }


def _case(one: CaseResult) -> dict[str, str]:
    return {"name": one.name, "detail": one.detail}
