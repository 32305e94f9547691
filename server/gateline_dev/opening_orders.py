"""Measure the first answers from cold caches, for every order of opening two files, and print Markdown.

Two documents are opened, and a second later a type error is typed in one of them, a module: how long until a
status, the error, and a verdict that knows it. mypy itself checks the same two files, cold, right before; on
a machine that is busy only the ratio tells anything. Projects come from pip into the user's cache.
Ends with 1 when a verdict took more than twice as long as mypy and more than 3 s.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

from gateline_dev.bench.client import Client
from gateline_dev.bench.editor import Json
from gateline_dev.bench.environments import UnavailableError, environment
from gateline_dev.bench.projects import DEPENDENCIES, PROJECTS, Project
from gateline_dev.bench.servers import SERVERS
from gateline_dev.bench.workspace import Workspace, workspace

ITSDANGEROUS = Project(
    "itsdangerous",
    "2.2.0",
    "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173",
    "src/itsdangerous/signer.py",
)
FILES = {
    "itsdangerous": ("src/itsdangerous/signer.py", "tests/test_itsdangerous/test_signer.py"),
    "httpx": ("httpx/_client.py", "httpx/_models.py", "tests/client/test_client.py"),
    "rich": ("rich/console.py", "rich/table.py"),
}
"""Modules, and a test that imports pytest where the distribution has one."""
_LARGE = "itsdangerous and 2,000 files"
_SHELF = """\
\"\"\"A shelf.\"\"\"

{before}
def room{n}(count: int) -> int:
    \"\"\"What fits.\"\"\"
    return {used} + {n}
"""
PROBE = "\n\ndef late_probe(x: int) -> int:\n    return x\n\n\nLATE: str = late_probe(1)\n"
_THINKING = 1.0
"""Seconds between opening and the first edit."""
_PATIENCE = 120.0
_SOON = 3.0


@dataclass
class Watching(Client):
    """Notes when which status came."""

    statuses: list[tuple[float, Json]] = field(default_factory=list)

    def _dispatch(self, message: Json, at: float) -> None:
        if message.get("method") == "gateline/status":
            self.statuses.append((at, message["params"]))
        super()._dispatch(message, at)


@dataclass(frozen=True)
class Times:
    """Of one order, in seconds."""

    status: float
    """From opening to the first status."""
    finding: float
    """From the edit to the type error."""
    verdict: float
    """From opening to the verdict that counts it."""
    mypy: float
    """A cold run of mypy over both files, processor time."""
    used: float
    """Processor time of the server and all below it until then."""

    @property
    def is_late(self) -> bool:
        """Whether it took longer than can be blamed on mypy."""
        return self.verdict > max(_SOON, 2 * self.mypy + _THINKING)


async def measure(place: Workspace, python: str, first: str, second: str, edited: str) -> Times:
    """Open two documents in a project with cold caches, and edit one of them. Raises TimeoutError."""
    alone = await asyncio.to_thread(_plain, place.root, python, (first, second))
    client = await Watching.start(place)
    assert isinstance(client, Watching)
    try:
        await client.initialize()
        before = client.tree.cpu_seconds()
        opened = perf_counter()
        for path in (first, second):
            client.open(place.root / path, (place.root / path).read_text(encoding="utf-8"))
        await asyncio.sleep(_THINKING)
        document = client.documents[(place.root / edited).as_uri()]
        line = len(document.buffer.lines) - 1
        sent = document.change((line, 0), (line, 0), PROBE)
        found = await document.until(shows_probe, sent, _PATIENCE)
        if found is None:
            raise TimeoutError(f"the type error in {edited} was not shown")
        verdict = await _verdict(client, sent.at + found)
        return Times(
            client.statuses[0][0] - opened, found, verdict - opened, alone, client.tree.cpu_seconds() - before
        )
    finally:
        await client.close()


def shows_probe(shown: Sequence[Json]) -> bool:
    """Whether the type error of PROBE is among the diagnostics."""
    return any("Incompatible types in assignment" in item["message"] for item in shown)


async def _verdict(client: Watching, since: float) -> float:
    async with asyncio.timeout(_PATIENCE):
        while True:
            told = [at for at, said in client.statuses if at >= since and said.get("decision")]
            if told:
                return told[0]
            await asyncio.sleep(0.01)


def _shelves(count: int) -> Iterator[tuple[str, str]]:
    """Modules of which fifty import each other in a row."""
    for n in range(count):
        part, is_first = f"part{n // 50}", n % 50 == 0
        before = "" if is_first else f"from stock.{part}.shelf{n - 1} import room{n - 1}\n"
        used = "count" if is_first else f"room{n - 1}(count)"
        yield f"stock/{part}/shelf{n}.py", _SHELF.format(before=before, n=n, used=used)


def _plain(root: Path, python: str, files: Sequence[str]) -> float:
    import resource

    with tempfile.TemporaryDirectory() as cache:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "mypy", "--cache-dir", cache, "--python-executable", python, *files]
        subprocess.run(command, cwd=root, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.opening_orders", description=__doc__)
    parser.add_argument("--project", nargs="+", choices=FILES, default=list(FILES))
    parser.add_argument("--large", action="store_true", help=f"{_LARGE} only")
    chosen = parser.parse_args()
    late = False
    print(
        "| project | opened first, then | first status | error after the edit | verdict | mypy, cold | CPU |"
    )
    print("|---|---|---|---|---|---|---|")
    named = {project.name: project for project in (ITSDANGEROUS, *PROJECTS)}
    named = {name: named[name] for name in chosen.project}
    if chosen.large:
        named = {_LARGE: replace(ITSDANGEROUS, files=dict(_shelves(2_000)))}
    for name, project in named.items():
        try:
            for order, at in _measured(project):
                late = late or at.is_late
                print(_row(name, order, at), flush=True)
        except (UnavailableError, TimeoutError) as error:
            print(f"| {name} | not measured: {error or 'no answer in time'} | | | | | |")
            late = True
    return int(late)


def _measured(project: Project) -> Iterator[tuple[tuple[str, str], Times]]:
    gateline = next(server for server in SERVERS if server.name == "gateline")
    packages = environment("orders", (*DEPENDENCIES, "pytest==8.4.2", "freezegun==1.5.5"))
    files = FILES[project.name]
    for order in itertools.permutations(files, 2):
        with workspace(project, gateline) as place:
            here = replace(place, environment={**place.environment, "VIRTUAL_ENV": str(packages)})
            edited = min(order, key=files.index)
            yield order, asyncio.run(measure(here, str(packages / "bin" / "python"), *order, edited))


def _row(project: str, order: tuple[str, str], at: Times) -> str:
    names = ", ".join(Path(path).name for path in order)
    times = (at.status, at.finding, at.verdict, at.mypy, at.used)
    return f"| {project} | {names} | " + " | ".join(f"{seconds:.2f} s" for seconds in times) + " |"


if __name__ == "__main__":
    sys.exit(main())
