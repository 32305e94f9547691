"""Measure the first type finding after a document is opened, for edits at random moments, and print Markdown.

The type checker's engine is built once a session, and an edit before that waits for it. When it is there is
seen from outside: a session that opens a text with a type error shows it then. Beside each such one another
opens the intact text and gets the error by an edit; the delay of its finding runs from the edit, or from that
moment where it is later. Caches are warm but for the first session, which is not counted. Leave the machine
alone meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median, quantiles

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument, Sent
from gateline_dev.bench.environments import UnavailableError, environment
from gateline_dev.bench.projects import BLACK, BLACK_DEPENDENCIES, DEPENDENCIES, PROJECTS, Project
from gateline_dev.bench.servers import SERVERS
from gateline_dev.bench.workspace import Workspace, workspace
from gateline_dev.opening_orders import ITSDANGEROUS, PROBE, shows_probe

_PATIENCE = 120.0
_AT_REST = 1.0
"""Seconds between a finding and the end of its session."""
_FILLED = 30.0
"""The same of the first session, in which the type checker's cache is filled."""


@dataclass(frozen=True)
class Delay:
    """Of one edit, in seconds."""

    edited: float
    """From opening to the edit."""
    found: float
    """From opening to the finding."""
    built: float
    """From opening to the finding of a text with the error, mean of the sessions before and after."""

    @property
    def after_edit(self) -> float:
        """What the person waited."""
        return self.found - self.edited

    @property
    def counted(self) -> float:
        """What they waited beyond the engine's construction."""
        return max(0.0, self.found - max(self.edited, self.built))


async def first_finding(place: Workspace, target: str, edited: float | None, rest: float = _AT_REST) -> float:
    """Seconds from opening to the error, which is typed `edited` seconds after it; None: it is there already.

    `rest`: seconds until the session ends after that. Raises TimeoutError.
    """
    client = await Client.start(place)
    try:
        await client.initialize()
        text = (place.root / target).read_text(encoding="utf-8")
        client.open(place.root / target, text if edited is not None else text + PROBE)
        document = client.documents[(place.root / target).as_uri()]
        sent, waited = document.opened, 0.0
        if edited is not None:
            await asyncio.sleep(edited)
            sent = _type(document)
            waited = sent.at - document.opened.at
        found = await document.until(shows_probe, sent, _PATIENCE)
        if found is None:
            raise TimeoutError(f"the type error in {target} was not shown")
        await asyncio.sleep(rest)
        return waited + found
    finally:
        await client.close()


def _type(document: OpenDocument) -> Sent:
    line = len(document.buffer.lines) - 1
    return document.change((line, 0), (line, 0), PROBE)


def measured(project: Project, count: int, seed: int) -> Iterator[Delay]:
    """One row for each edit. Raises UnavailableError and TimeoutError."""
    moments = random.Random(seed)
    gateline = next(server for server in SERVERS if server.name == "gateline")
    packages = environment("agreement", (*DEPENDENCIES, *BLACK_DEPENDENCIES))
    with workspace(project, gateline) as made:
        place = replace(made, environment={**made.environment, "VIRTUAL_ENV": str(packages)})
        asyncio.run(first_finding(place, project.target, None, _FILLED))
        before = asyncio.run(first_finding(place, project.target, None))
        for _ in range(count):
            edited = moments.uniform(0.0, 1.5 * before)
            found = asyncio.run(first_finding(place, project.target, edited))
            after = asyncio.run(first_finding(place, project.target, None))
            delay = Delay(edited, found, (before + after) / 2)
            print(f"{project.name}: {delay}", file=sys.stderr, flush=True)
            yield delay
            before = after


def _row(name: str, rows: Sequence[Delay]) -> str:
    values = [
        median(row.built for row in rows),
        median(row.after_edit for row in rows),
        _high(row.after_edit for row in rows),
        median(row.counted for row in rows),
        _high(row.counted for row in rows),
    ]
    return f"| {name} | {len(rows)} | " + " | ".join(f"{1000 * value:,.0f}" for value in values) + " |"


def _high(values: Iterator[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]


def main() -> int:
    """Measure and print; each edit goes to standard error."""
    known = {project.name: project for project in (ITSDANGEROUS, *PROJECTS, BLACK)}
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.first_findings", description=__doc__)
    parser.add_argument("--project", nargs="+", choices=known, default=["itsdangerous", "httpx", "black"])
    parser.add_argument("--count", type=int, default=20, help="edits in each project")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print("Milliseconds: from the edit; and from the edit or the engine, whichever is later.\n")
    print("| project | edits | engine, p50 | edit, p50 | edit, p95 | later, p50 | later, p95 |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    failed = False
    for name in chosen.project:
        try:
            print(_row(name, list(measured(known[name], chosen.count, chosen.seed))), flush=True)
        except (UnavailableError, TimeoutError) as error:
            print(f"| {name} | not measured: {error} | | | | | |")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
