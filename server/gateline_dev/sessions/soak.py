"""Hours of work with one server: typing, saving, branches and questions, and what it takes of the machine."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression, mean
from tempfile import TemporaryDirectory

import psutil

from gateline_dev.bench.tables import table
from gateline_dev.sessions import texts
from gateline_dev.sessions.client import Client, NoAnswerError
from gateline_dev.sessions.desk import Desk
from gateline_dev.sessions.far import FarLine
from gateline_dev.sessions.operations import Op, stream
from gateline_dev.sessions.trying import surroundings, workspace

WARM = 600.0
"""Seconds in which memory may still grow."""
TOLERANCE = 0.10
"""So much of it may memory be off afterwards."""
_EVERY = 10.0
_WINDOW = 300.0
"""Seconds at the start and the end of what is compared, at most."""
_PACE = 0.4
"""Seconds between two operations."""
_LONG = 4_000
"""Characters of a document that is begun anew."""


@dataclass(frozen=True)
class Look:
    """What one role used at one moment: the server, or those of its children that run the same module."""

    at: float
    """Seconds since the start."""
    memory: float
    """Megabytes (10⁶ bytes), resident."""
    handles: int
    processes: int


@dataclass
class Soak:
    """What was seen."""

    looks: dict[str, list[Look]] = field(default_factory=lambda: defaultdict(list))
    operations: int = 0
    left: Sequence[str] = ()
    """Processes that outlived the server."""
    complaints: Sequence[str] = ()
    unanswered: int = 0
    seconds: float = 0.0

    def settled(self, role: str) -> Sequence[Look]:
        """Those after the time in which memory may grow; all of a short run's second half."""
        since = min(WARM, self.seconds / 2)
        return [look for look in self.looks[role] if look.at >= since]

    def faults(self) -> Iterator[str]:
        """What must not be, in words."""
        for role in self.looks:
            settled = self.settled(role)
            if len(settled) < 2 * _few(settled):
                continue
            first, last = ends(settled)
            change = mean(look.memory for look in last) / max(mean(look.memory for look in first), 0.1) - 1
            if change > TOLERANCE:
                yield f"{role}: memory grew by {change:.0%}"
            if min(look.handles for look in last) > max(look.handles for look in first):
                yield f"{role}: handles grew"
        yield from (f"left: {name}" for name in self.left)
        yield from (f"logged: {line}" for line in self.complaints)
        if self.unanswered:
            yield f"{self.unanswered} questions were not answered"


def _few(looks: Sequence[Look]) -> int:
    return max(2, min(len(looks) // 4, int(_WINDOW / _EVERY)))


def ends(looks: Sequence[Look]) -> tuple[Sequence[Look], Sequence[Look]]:
    """The first and the last of them."""
    few = _few(looks)
    return looks[:few], looks[-few:]


def main(minutes: float, seed: int) -> int:
    """Work, and print what was seen; 1 where something grows or is left."""
    with TemporaryDirectory(prefix="gateline-soak-") as folder:
        soak = asyncio.run(worked(Path(folder), minutes * 60, seed))
    print(page(soak))
    return 1 if list(soak.faults()) else 0


async def worked(folder: Path, seconds: float, seed: int) -> Soak:
    """Work for so long in a project below a folder."""
    root, soak = workspace(folder), Soak(seconds=seconds)
    line = await FarLine.start(root, surroundings(folder))
    client = Client(line, root)
    await client.begin()
    watching = asyncio.ensure_future(_watched(line, soak))
    try:
        await _work(Desk(root, client), client, soak, seed)
        await line.rest()
    finally:
        watching.cancel()
        await client.end()
    soak.left, soak.complaints = tuple(line.left), tuple(line.complaints())
    return soak


async def _work(desk: Desk, client: Client, soak: Soak, seed: int) -> None:
    began = time.monotonic()
    for op in stream(seed):
        if time.monotonic() - began > soak.seconds:
            break
        soak.operations += 1
        try:
            await desk.do(op)
            if soak.operations % 10 == 0:
                await _ask(desk, client, op)
        except NoAnswerError as error:
            soak.unanswered += 1
            print(error, file=sys.stderr)
        if soak.operations % 50 == 0:
            _begin_anew(desk)
        await asyncio.sleep(_PACE)


async def _ask(desk: Desk, client: Client, op: Op) -> None:
    """What editors ask for while one looks at a document, and what agents do."""
    for buffer in list(desk.buffers.values())[:1]:
        place = {"line": op.seed % 20, "character": 0}
        document = {"uri": buffer.uri}
        await client.ask("textDocument/hover", {"textDocument": document, "position": place})
        shown = client.drawn.get(buffer.uri, [])[:1]
        where = shown[0]["range"] if shown else {"start": place, "end": place}
        asked = {"textDocument": document, "range": where, "context": {"diagnostics": shown}}
        await client.ask("textDocument/codeAction", asked)
    await client.ask("gateline/context/search", {"query": "price of a cart", "budget": 1000})


def _begin_anew(desk: Desk) -> None:
    """Documents that became long are as in the first commit again, and what was never saved is closed.

    A day's files do not grow for ever, nor do the documents of a window: memory would follow the work.
    """
    desk.close_untitled()
    for path, buffer in desk.buffers.items():
        buffer.before.clear()
        if len(buffer.text) > _LONG:
            desk.put(path, texts.PROJECT.get(path, texts.module(1)))


async def _watched(line: FarLine, soak: Soak) -> None:
    began = time.monotonic()
    while True:
        for role, of in _roles(line).items():
            soak.looks[role].append(_look(time.monotonic() - began, of))
        await asyncio.sleep(_EVERY)


def _look(at: float, processes: Sequence[psutil.Process]) -> Look:
    memory, handles = 0, 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            memory += process.memory_info().rss
            handles += process.num_fds()
    return Look(at, memory / 1e6, handles, len(processes))


def _roles(line: FarLine) -> Mapping[str, list[psutil.Process]]:
    """Living processes by the module that they run."""
    found: dict[str, list[psutil.Process]] = defaultdict(list)
    for process in line.processes():
        with contextlib.suppress(psutil.Error):
            # One that just ended, or is only beginning, has no command.
            if process.is_running() and (command := process.cmdline()):
                found[_module(command)].append(process)
    return found


def _module(command: Sequence[str]) -> str:
    named = [command[at + 1] for at, word in enumerate(command[:-1]) if word == "-m"]
    ours = [word for word in command if "gateline" in word and "/" not in word]
    return next(iter((*named, *ours)), Path(command[0]).name)


def page(soak: Soak) -> str:
    """The table of roles, and what is wrong, as Markdown."""
    rows = [_row(role, soak.settled(role)) for role in sorted(soak.looks)]
    heads = [
        "process",
        "looks",
        "MB at first",
        "MB at last",
        "MB/h",
        "handles at first",
        "at last",
        "processes",
    ]
    faults = list(soak.faults())
    told = "\n".join(f"- {fault}" for fault in faults) or "Nothing grows, and nothing is left."
    head = f"{soak.seconds / 60:g} minutes, {soak.operations} operations"
    return "\n\n".join((head, table(heads, [row for row in rows if row]), told))


def _row(role: str, looks: Sequence[Look]) -> list[str]:
    """Of the time after the first ten minutes."""
    if len(looks) < 2:
        return []
    first, last = ends(looks)
    slope = linear_regression([look.at / 3600 for look in looks], [look.memory for look in looks]).slope
    ends_of = [
        f"{mean(look.memory for look in first):.1f}",
        f"{mean(look.memory for look in last):.1f}",
        f"{slope:+.1f}",
        f"{max(look.handles for look in first)}",
        f"{max(look.handles for look in last)}",
    ]
    return [role, str(len(looks)), *ends_of, str(max(look.processes for look in looks))]
