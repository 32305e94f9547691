"""Command line of the benchmark. Ends with 0 whatever was measured, with 2 when asked for what is not."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from gateline_dev.bench.client import ServerFailedError
from gateline_dev.bench.plan import FULL, QUICK, Plan
from gateline_dev.bench.projects import PROJECTS, Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.rounds import measure
from gateline_dev.bench.servers import SERVERS, Server
from gateline_dev.bench.tables import report
from gateline_dev.bench.targets import Results

_SWITCH = 0.0005
"""Seconds the thread that watches the memory may keep the interpreter; the times are taken by another."""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for. Raises SystemExit(2) for what there is not."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.bench", description=__doc__)
    add = parser.add_argument
    names = [project.name for project in PROJECTS]
    add("--quick", action="store_true", help="one short round: minutes, and less to be trusted")
    add("--project", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    names = [server.name for server in SERVERS]
    add("--server", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    return parser.parse_args(given)


def run(projects: Sequence[Project], servers: Sequence[Server], plan: Plan) -> Results:
    """Every server on every project, in turns, so that a busy minute of the machine hits all."""
    results = {(s.name, p.name): Result(s.name, p.name) for p in projects for s in servers}
    for number in range(plan.rounds):
        for project in projects:
            for server in servers:
                _measure(project, server, plan, number, results[server.name, project.name])
    return results


def _measure(project: Project, server: Server, plan: Plan, number: int, result: Result) -> None:
    began = perf_counter()
    try:
        asyncio.run(measure(project, server, plan, number, result))
    except (ServerFailedError, OSError, subprocess.CalledProcessError) as error:
        result.failures.append(f"round {number + 1}: {error}")
    said = f"round {number + 1}/{plan.rounds} {project.name} {server.name}: {perf_counter() - began:.0f} s"
    print("; ".join([said, *result.failures]), file=sys.stderr, flush=True)


def machine() -> str:
    """What the numbers were taken on, as far as it matters to them."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, load {load:.1f}"


def main() -> int:
    """Measure and print."""
    chosen = arguments()
    sys.setswitchinterval(_SWITCH)
    projects = [project for project in PROJECTS if project.name in chosen.project]
    servers = [server for server in SERVERS if server.name in chosen.server]
    where = machine()
    results = run(projects, servers, QUICK if chosen.quick else FULL)
    if chosen.json:
        content = {"machine": where, "results": [result.to_json() for result in results.values()]}
        chosen.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"Measured with {where} at the start.\n\n{report(results, projects)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
