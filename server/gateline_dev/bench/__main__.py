"""Measure this server beside its peers on real projects, as an editor sees them, and print Markdown.

The full run measures all servers on httpx, rich and django in three interleaved rounds and takes about
three quarters of an hour; --quick takes about three minutes: one round, httpx alone, no long session.
Leave the machine alone meanwhile. Projects and peers are installed by pip into the user's cache.
Ends with 0 whatever was measured, with 2 when asked for what is not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import psutil

from gateline_dev.bench.environments import UnavailableError
from gateline_dev.bench.parts import PARTS, measure
from gateline_dev.bench.plan import FULL, QUICK, Plan
from gateline_dev.bench.projects import PROJECTS, Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import SERVERS, Server
from gateline_dev.bench.tables import report
from gateline_dev.bench.targets import Results
from gateline_dev.bench.trial import Trial
from gateline_dev.bench.workspace import prepared, workspace

_SWITCH = 0.0005
"""Seconds the thread that watches the memory may keep the interpreter; the times are taken by another."""
_MARK = "<!-- what follows was written by make bench -->\n"


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for. Raises SystemExit(2) for what there is not."""
    parser = argparse.ArgumentParser(
        prog="python -m gateline_dev.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {part.name:12}{part.meaning}" for part in PARTS),
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="about three minutes, and less to be trusted")
    _add_choice(parser, "--only", "parts to measure", [part.name for part in PARTS])
    _add_choice(parser, "--project", "projects to measure on", [project.name for project in PROJECTS])
    _add_choice(parser, "--server", "servers to measure", [server.name for server in SERVERS])
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    add("--update", type=Path, metavar="FILE", help="write the tables into a page, in place of its old ones")
    return parser.parse_args(given)


def _add_choice(parser: argparse.ArgumentParser, flag: str, what: str, names: list[str]) -> None:
    parser.add_argument(flag, nargs="+", choices=names, metavar="NAME", help=f"{what}: {', '.join(names)}")


class Progress:
    """Tells on standard error what is measured: one line that is written over, or a line each time."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.done = 0
        self.began = perf_counter()

    def turn(self) -> None:
        """The next server's turn begins."""
        self.done += 1

    def tell(self, what: str) -> None:
        """Something is measured from now on."""
        minutes, seconds = divmod(int(perf_counter() - self.began), 60)
        self._write(f"{minutes}:{seconds:02} turn {self.done} of {self.turns}, {what}")

    def end(self) -> None:
        """Leave the line."""
        if sys.stderr.isatty():
            self._write("")

    def _write(self, line: str) -> None:
        if sys.stderr.isatty():
            line = f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}"
        print(line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def run(turns: Sequence[tuple[Project, Server]], plan: Plan, parts: Sequence[str]) -> Results:
    """Every server on every project, in rounds, so that a busy minute of the machine hits all."""
    results = {(s.name, p.name): Result(s.name, p.name) for p, s in turns}
    ready = list(_installed(turns, results))
    progress = Progress(len(ready) * plan.rounds)
    for number in range(plan.rounds):
        for project, server in ready:
            progress.turn()
            with workspace(project, server) as copy:
                trial = Trial(copy, project, server, plan, number, results[server.name, project.name])
                asyncio.run(measure(trial, parts, progress.tell))
    progress.end()
    return results


def _installed(turns: Sequence[tuple[Project, Server]], results: Results) -> Iterator[tuple[Project, Server]]:
    """Install everything before anything is measured; what cannot be had is said and left out."""
    for project, server in turns:
        try:
            prepared(project, server)
        except UnavailableError as error:
            results[server.name, project.name].failures.append(str(error))
        else:
            yield project, server


def machine() -> str:
    """What the numbers were taken on, as far as it matters to them."""
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {system}, load {os.getloadavg()[0]:.1f} at the start"


def main() -> int:
    """Measure and print."""
    chosen = arguments()
    sys.setswitchinterval(_SWITCH)
    plan = QUICK if chosen.quick else FULL
    wanted = chosen.project or (["httpx"] if chosen.quick else [project.name for project in PROJECTS])
    projects = [project for project in PROJECTS if project.name in wanted]
    servers = [server for server in SERVERS if server.name in (chosen.server or [s.name for s in SERVERS])]
    turns = [(p, s) for p in projects for s in servers if p.name in s.projects]
    where = f"{datetime.now(UTC):%Y-%m-%d}, {machine()}; {plan.rounds} × {plan.sites} places."
    results = run(turns, plan, chosen.only or [part.name for part in PARTS])
    if chosen.json:
        content = {"machine": where, "results": [result.to_json() for result in results.values()]}
        chosen.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    said = f"Measured {where}\n\n{report(results, projects)}"
    if chosen.update:
        kept, _, _ = chosen.update.read_text(encoding="utf-8").partition(_MARK)
        chosen.update.write_text(f"{kept}{_MARK}\n{said}", encoding="utf-8")
    print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
