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
  gateline metrics                        all figures beside their aims, and the newest tasks
  gateline metrics --task 20261127T18     one task or loop
  gateline metrics --record before        keep the completion of now as a baseline
  gateline metrics --record "one pass of gateline fix" --completed 3 --of 12
  gateline metrics --against before       how many times as many tasks are completed
  gateline metrics --prometheus /var/lib/node_exporter/gateline.prom     counters and histograms, as a file
  gateline metrics --serve 127.0.0.1:9464                               the same, served on this machine
"""


@click.command(epilog=_EXAMPLES)
@click.option("--task", default="", metavar="ID", help="Only this task or loop, also one that goes on.")
@click.option("--against", default="", metavar="NAME", help="A baseline.  [default: the newest]")
@click.option("--record", default="", metavar="NAME", help="Record a baseline: the figures of now.")
@click.option("--completed", type=click.IntRange(min=0), help="With --record: so many tasks were completed.")
@click.option("--of", "tasks", type=click.IntRange(min=1), help="With --record: of so many.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="List so many of the newest; 0 is all.",
)
@click.option(
    "--prometheus",
    "file",
    metavar="FILE",
    help="Write counters and histograms in Prometheus' text format; - is standard output.",
)
@click.option(
    "--serve", metavar="ADDRESS:PORT", help="Serve them until interrupted, on a loopback address alone."
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

    Completion, rounds, repairs, context and duration, beside their aims. Figures are taken from what was
    recorded, and stay when tasks are forgotten. A baseline says what another way of working came to on the
    same kind of tasks. `--prometheus` and `--serve` tell of gateline itself instead: decisions, scores, how
    long judging took, early warnings; they need `pip install "gateline[metrics]"`.
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
