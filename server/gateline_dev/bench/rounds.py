"""One round: a server is started on a fresh copy of a project and measured."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument
from gateline_dev.bench.expectation import TYPE, Predicate, anything, lacks, shows
from gateline_dev.bench.long_session import LongSession
from gateline_dev.bench.plan import Plan
from gateline_dev.bench.processes import machine_seconds
from gateline_dev.bench.projects import Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import Server
from gateline_dev.bench.sites import sites, spread
from gateline_dev.bench.typing_session import TYPE_PROBE, TypingSession
from gateline_dev.bench.workspace import Workspace, workspace

_SETTLED = 1.0
"""Seconds between the handshake and the first document, as when a person opens a file."""


async def measure(project: Project, server: Server, plan: Plan, number: int, result: Result) -> None:
    """Add what round `number` shows to `result`. Raises OSError and ServerFailedError."""
    with workspace(project, server) as copy:
        round_ = Round(copy, copy.root / project.target, server, plan, number, result)
        await round_.first_session()
        await round_.reopen("open again to type", _SETTLED)
        await round_.reopen("restart to type", 0)
        await round_.starts()
        if server.loads and number == 0 and project.short is not None:
            await LongSession(copy, project, server, plan, result).run()


@dataclass
class Round:
    """The parts of one round, in the same copy."""

    copy: Workspace
    target: Path
    server: Server
    plan: Plan
    number: int
    result: Result

    def __post_init__(self) -> None:
        self.text = self.target.read_text(encoding="utf-8")
        self.result.note("target bytes", len(self.text.encode()))
        # Every round has places of its own, so that no text is seen twice.
        places = spread(sites(self.text), (self.plan.sites + 1) * self.plan.rounds)
        self.first, *self.places = places[self.number :: self.plan.rounds]

    async def first_session(self) -> None:
        """Open with cold caches, edit, burst, save."""
        async with self._started() as client:
            await asyncio.sleep(_SETTLED)
            document = await self._open(client, "open to type")
            self.result.remember("opened", client.tree.memory())
            await self._type(client, document)
            self.result.remember("end", client.tree.memory())
            self.result.note("peak MB", client.tree.peak)

    async def reopen(self, kind: str, pause: float) -> None:
        """Start again where the caches are warm. Without a pause the time counts from the start."""
        async with self._started() as client:
            await asyncio.sleep(pause)
            document = await self._open(client, kind)
            if not pause and self.result.samples(kind).seconds:
                self.result.samples(kind).seconds[-1] += document.opened.at - client.spawned

    async def starts(self) -> None:
        """Only the handshake."""
        for _ in range(self.plan.starts):
            async with self._started() as client:
                await asyncio.sleep(_SETTLED)
                self.result.remember("initialized", client.tree.memory())

    def _plant(self) -> None:
        """Put a type error into the file on disk: some servers read that when a document is opened."""
        lines = self.text.split("\n")
        lines.insert(self.first.line, f"{self.first.indent}{TYPE_PROBE.line}")
        self.target.write_text("\n".join(lines), encoding="utf-8")

    @asynccontextmanager
    async def _started(self) -> AsyncIterator[Client]:
        self._plant()
        client = await Client.start(self.copy)
        try:
            self.result.samples("start").add(await client.initialize())
            yield client
            if not client.alive:
                self.result.failures.append("the server ended by itself")
        finally:
            await client.close()
            self.target.write_text(self.text, encoding="utf-8")

    async def _open(self, client: Client, kind: str) -> OpenDocument:
        """Open the file with its type error; take the error out and wait until all is quiet."""
        document = client.open(self.target, self.target.read_text(encoding="utf-8"))
        plan, result, patience = self.plan, self.result, self.plan.open_patience
        result.samples(f"{kind}: anything").add(await document.until(anything, document.opened, patience))
        if TYPE_PROBE.kind in self.server.finds:
            shown = self._expect(shows(TYPE, self.first.line))
            result.samples(kind).add(await document.until(shown, document.opened, patience))
        sent = document.change((self.first.line, 0), (self.first.line + 1, 0), "")
        await document.until(self._expect(lacks(TYPE, self.first.line)), sent, patience)
        await document.quiet(sent, plan.silence, patience)
        result.version, result.pull = client.version, client.pull_options is not None
        return document

    async def _type(self, client: Client, document: OpenDocument) -> None:
        plan, taken = self.plan, {item["range"]["start"]["line"] for item in document.shown}
        places = [site for site in self.places if not {site.line, site.line + 1} & taken]
        session = TypingSession(document, self.result, plan, self.server.finds, self.server.analyses)
        before, others, began = client.tree.cpu_seconds(), machine_seconds(), perf_counter()
        await session.edit(places)
        used, took = client.tree.cpu_seconds() - before, perf_counter() - began
        self.result.note("CPU s per place", used / max(1, len(places)))
        self.result.note("cores used by others", max(0.0, machine_seconds() - others - used) / max(took, 1))
        await session.burst(places[: plan.bursts])
        await session.save(places[: plan.saves])

    def _expect(self, wanted: Predicate) -> Predicate:
        return wanted if self.server.analyses else anything
