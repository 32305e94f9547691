"""One server on a fresh copy of a project: what all measurements share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument
from gateline_dev.bench.plan import Plan
from gateline_dev.bench.probes import Site, sites, spread
from gateline_dev.bench.projects import Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import Server
from gateline_dev.bench.workspace import Workspace

_STILL = 0.02
"""Processor seconds a second; who uses less has done what was set off."""


@dataclass
class Trial:
    """A server's turn in one round, and where its numbers go."""

    copy: Workspace
    project: Project
    server: Server
    plan: Plan
    number: int
    """Of the round, from 0."""
    result: Result

    @property
    def target(self) -> Path:
        """The file that is edited."""
        return self.copy.root / self.project.target

    @asynccontextmanager
    async def started(self) -> AsyncIterator[Client]:
        """The server after its handshake, whose time is taken. Raises OSError and ServerFailedError."""
        client = await Client.start(self.copy)
        try:
            self.result.samples("start").add(await client.initialize())
            yield client
            if not client.alive:
                self.result.failures.append("the server ended by itself")
        finally:
            await client.close()

    async def opened(self, client: Client, path: str) -> OpenDocument:
        """A file of the copy, when all has been said of it."""
        file = self.copy.root / path
        document = client.open(file, file.read_text(encoding="utf-8"))
        await document.quiet(document.opened, self.plan.silence, self.plan.open_patience)
        return document

    async def at_rest(self, client: Client) -> float:
        """Until nothing is computed any more, or `open_patience` is over; the seconds that it took."""
        began, cpu = perf_counter(), client.tree.cpu_seconds()
        while perf_counter() - began < self.plan.open_patience:
            await asyncio.sleep(self.plan.silence)
            before, cpu = cpu, client.tree.cpu_seconds()
            if cpu - before < _STILL * self.plan.silence:
                break
        return perf_counter() - began

    def places(self, count: int) -> list[Site]:
        """Places in the target. Every round has its own, so that no text is seen twice."""
        found = spread(sites(self.target.read_text(encoding="utf-8")), count * self.plan.rounds)
        return found[self.number :: self.plan.rounds]

    @contextmanager
    def on_disk(self, path: Path, text: str) -> Iterator[None]:
        """The file holds this text for a while."""
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            if before is None:
                path.unlink()
            else:
                path.write_text(before, encoding="utf-8")
