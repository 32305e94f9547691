"""`gateline metrics`: how tasks and refinement loops went, in numbers."""

from __future__ import annotations

from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake, Undecided
from gateline.session.errors import UsageError
from gateline.session.workspace.roots import find_root
from gateline.store.database import StoreError

_EXAMPLES = """\
\b
Examples:
  gateline metrics                        all figures with their targets, and the newest tasks
  gateline metrics --task 20261127T18     one task or loop
  gateline metrics --record before        record the present completion as a baseline
  gateline metrics --record "one pass of gateline fix" --completed 3 --of 12
  gateline metrics --against before       completion as a factor of that baseline
  gateline metrics --prometheus /var/lib/node_exporter/gateline.prom     counters and histograms, as a file
  gateline metrics --serve 127.0.0.1:9464                               the same, served on this machine
"""


@click.command(epilog=_EXAMPLES)
@click.option("--task", default="", metavar="ID", help="Show only this task or loop, finished or not.")
@click.option(
    "--against", default="", metavar="NAME", help="Baseline to compare with.  [default: the newest]"
)
@click.option("--record", default="", metavar="NAME", help="Record the present figures as a baseline.")
@click.option("--completed", type=click.IntRange(min=0), help="With --record: number of completed tasks.")
@click.option("--of", "tasks", type=click.IntRange(min=1), help="With --record: number of all tasks.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="List the newest N; 0 lists all.",
)
@click.option(
    "--prometheus",
    "file",
    metavar="FILE",
    help="Write counters and histograms in Prometheus' text format; - is standard output.",
)
@click.option(
    "--serve",
    metavar="ADDRESS:PORT",
    help="Serve these metrics until interrupted, on a loopback address only.",
)
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def metrics(
    task: str,
    against: str,
    record: str,
    completed: int | None,
    tasks: int | None,
    limit: int,
    file: str | None,
    serve: str | None,
    form: str,
) -> None:
    """Show how tasks and refinement loops went.

    Completion, rounds, repairs, context and duration, with their targets. Figures come from recorded tasks
    and are kept when those are deleted. A baseline holds the results of another way of working on the same
    kind of tasks. `--prometheus` and `--serve` export metrics of gateline itself instead: decisions, scores,
    durations and early warnings; they need `pip install "gateline[metrics]"`.
    """
    if (completed is None) != (tasks is None) or (completed is not None and not record):
        raise Mistake("--completed and --of must be given together, with --record NAME")
    if file is not None or serve is not None:
        if file is not None and serve is not None:
            raise Mistake("--prometheus and --serve are mutually exclusive")
        from gateline.cli.supervision import scraping

        root = find_root(Path.cwd())
        if serve is not None:
            scraping.serve(root, serve)
        else:
            scraping.write(root, file or "-")
        return
    # rich and pydantic are for this command's output alone.
    from gateline.cli.output.metrics import as_json, as_text
    from gateline.session.tasks.metrics import metrics_of

    try:
        with metrics_of(find_root(Path.cwd())) as known:
            if record:
                made = known.record(record, completed, tasks)
                click.echo(f"recorded {made.name}: {made.completed} of {made.tasks} completed", err=True)
            found = known.measured(task, against or record)
    except UsageError as error:
        raise Mistake(str(error)) from error
    except StoreError as error:
        raise Undecided(str(error)) from error
    text = as_json(found) if form == "json" else as_text(found, listed=limit or len(found.tasks))
    terminal.emit(text, machine=form == "json")
