"""`gateline watch`: judge again whenever a file is written."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

import click

from gateline.cli import options, terminal
from gateline.cli.output import full
from gateline.cli.verdict import judged, tell_problems
from gateline.model import Evaluation, Level
from gateline.session.check import Selection
from gateline.session.tasks.decisions import record
from gateline.session.workspace.roots import find_root
from gateline.worklog.decided import Circumstances

_FAREWELL = 2.0
"""Seconds for the listener to end."""
_EXAMPLES = """\
\b
Examples:
  gateline watch                    at the early checkpoint: errors first
  gateline watch --level final      as `gateline check` would
"""


@click.command(epilog=_EXAMPLES)
@options.paths
@options.base
@options.level(Level.EARLY)
@options.colour
@options.overrides
def watch(
    paths: tuple[str, ...], base: str | None, level: str, colour: str, overrides: tuple[str, ...]
) -> None:
    """Judge the change again whenever a file is written.

    Watches Python files and settings. An unchanged verdict is not repeated. Press Ctrl+C to stop.
    """
    watcher = _Watcher(Selection(base, paths=paths), Level(level), options.parse_overrides(overrides), colour)
    try:
        watcher.watch()
    except KeyboardInterrupt:
        click.echo(err=True)


@contextmanager
def _written(root: Path) -> Iterator[SimpleQueue[object]]:
    """A queue with an item for each burst of writing from now on, also while a verdict is being made."""
    from watchfiles import PythonFilter
    from watchfiles import watch as changes

    found: SimpleQueue[object] = SimpleQueue()
    stop = Event()
    files = PythonFilter(extra_extensions=(".toml",))

    def listen() -> None:
        for burst in changes(root, watch_filter=files, stop_event=stop):
            found.put(burst)

    listener = Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield found
    finally:
        stop.set()
        # A thread that is still in native code when the interpreter ends can keep it from ending.
        listener.join(_FAREWELL)


class _Watcher:
    """Shows a verdict when it differs from the one that was shown last."""

    def __init__(
        self, selection: Selection, level: Level, overrides: Mapping[str, object], colour: str
    ) -> None:
        self.selection, self.level, self.overrides, self.colour = selection, level, overrides, colour
        self._shown: Evaluation | None = None

    def watch(self) -> None:
        """Until it is interrupted. Raises Mistake and Undecided when there is nothing to begin with."""
        root = find_root(Path.cwd())
        with _written(root) as written:
            self._show()
            click.echo(f"watching {root}", err=True)
            while True:
                written.get()
                self._try()

    def _try(self) -> None:
        """A mistake in a file that was just written is told; the next time it may be fixed."""
        try:
            self._show()
        except click.ClickException as error:
            self._shown = None
            error.show()

    def _show(self) -> None:
        result = judged(self.selection, self.level, self.overrides)
        if result.evaluation == self._shown:
            return
        self._shown = result.evaluation
        done = record(result.root, result.evaluation, Circumstances("watch", paths=self.selection.paths))
        if done.trouble:
            click.echo(f"gateline: {done.trouble}", err=True)
        in_colour = terminal.wants_colour(self.colour, sys.stdout)
        terminal.emit(f"── {time.strftime('%H:%M:%S')} ──\n")
        terminal.emit(full.render(result, colour=in_colour, width=terminal.width()) + "\n")
        tell_problems(result)
