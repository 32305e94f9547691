"""What only shows with time and size: whole evaluations, a thousand edits, idling, a huge file."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from time import perf_counter

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument, Sent
from gateline_dev.bench.expectation import TYPE, anything, lacks, shows
from gateline_dev.bench.plan import Plan
from gateline_dev.bench.projects import Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import Server
from gateline_dev.bench.sites import Site, sites, spread
from gateline_dev.bench.workspace import Workspace

LEVELS = ("early", "middle", "final")
_EVALUATE = "gateline/checkpoint/evaluate"
_HUGE = 30_000
"""Lines."""
_KINDS = ("int", "str")
_STAY = 20
"""Edits at one place before moving on."""
_BETWEEN = 0.005
"""Seconds between two small requests."""


@dataclass
class LongSession:
    """One server process, from opening to a huge file."""

    copy: Workspace
    project: Project
    server: Server
    plan: Plan
    result: Result

    async def run(self) -> None:
        """All of it, in one process. Raises OSError and ServerFailedError."""
        client = await Client.start(self.copy)
        try:
            await client.initialize()
            if self.server.evaluates:
                await self._evaluate(client)
            document = await self._open(client, self.project.target)
            await self._edit(client, document)
            self.result.remember("long session", client.tree.memory())
            await self._idle(client)
            document.close()
            await self._huge(client)
            self.result.note("long session peak MB", client.tree.peak)
        finally:
            await client.close()

    async def _open(self, client: Client, path: str) -> OpenDocument:
        file = self.copy.root / path
        document = client.open(file, file.read_text(encoding="utf-8"))
        await document.quiet(document.opened, self.plan.silence, self.plan.open_patience)
        return document

    async def _evaluate(self, client: Client) -> None:
        """Judge the change right after an edit of a short file, and again when all is known."""
        assert self.project.short is not None
        document = await self._open(client, self.project.short)
        places = spread(sites(document.buffer.text), 5)
        warming = Result(self.result.server, self.result.project)
        for number in range(self.plan.evaluations * len(LEVELS) + 1):
            evaluating = _Evaluating(client, document, places[number % len(places)], self.plan)
            await evaluating.run(LEVELS[number % len(LEVELS)], number, self.result if number else warming)
        document.close()

    async def _edit(self, client: Client, document: OpenDocument) -> None:
        """One type error after another, each in a text that was never seen before."""
        places = spread(sites(document.buffer.text), 50)
        for number in range(0, self.plan.session_edits, _STAY):
            site = places[number // _STAY % len(places)]
            _insert(document, site, "pass")
            for count in range(number, min(number + _STAY, self.plan.session_edits)):
                await self._retype(document, site, count)
            document.change((site.line, 0), (site.line + 1, 0), "")
        await asyncio.sleep(self.plan.silence)

    async def _retype(self, document: OpenDocument, site: Site, count: int) -> None:
        # The message tells which edit it answers: an old one cannot be taken for it.
        kind, other = _KINDS[count % 2], _KINDS[(count + 1) % 2]
        line = f"{site.indent}x_{count}: {kind} = {other}()"
        sent = document.change((site.line, 0), (site.line, len(document.buffer.lines[site.line])), line)
        answer = re.compile(f"Incompatible types.*variable has type .{kind}")
        wanted = shows(answer, site.line) if self.server.analyses else anything
        self.result.samples("long session edit").add(await document.until(wanted, sent, self.plan.patience))

    async def _idle(self, client: Client) -> None:
        """Nothing is typed. What the last edit set off has ended before."""
        await asyncio.sleep(5)
        cpu, calls = client.tree.cpu_seconds(), self.copy.git_calls()
        await asyncio.sleep(self.plan.idle)
        self.result.note("idle CPU %", (client.tree.cpu_seconds() - cpu) / self.plan.idle * 100)
        self.result.note("idle git calls", self.copy.git_calls() - calls)

    async def _huge(self, client: Client) -> None:
        """While a huge file is analysed, small requests must be answered."""
        file = self.copy.root / "gateline_bench_huge.py"
        file.write_text(huge(_HUGE), encoding="utf-8")
        small = await self._open(client, self.project.short or self.project.target)
        document = client.open(file, file.read_text(encoding="utf-8"))
        await self._responses(client, small, document, document.opened, "stall: open")
        await self._responses(
            client, small, document, document.change((0, 0), (0, 0), "x = 1\n"), "stall: edit"
        )

    async def _responses(
        self, client: Client, small: OpenDocument, document: OpenDocument, sent: Sent, kind: str
    ) -> None:
        quiet = asyncio.create_task(document.quiet(sent, 3.0, self.plan.open_patience))
        samples = self.result.samples(kind)
        while not quiet.done():
            samples.add(await _round_trip(client, small))
            await asyncio.sleep(_BETWEEN)
        if quiet.result() is None:
            self.result.failures.append(f"{kind}: nothing was said of the huge file")


@dataclass
class _Evaluating:
    """One edit, and what the server thinks of the whole change then."""

    client: Client
    document: OpenDocument
    site: Site
    plan: Plan

    async def run(self, level: str, number: int, result: Result) -> None:
        """Type an error, ask at once, ask again when the types are known, take it out."""
        document, site = self.document, self.site
        sent = _insert(document, site, f'x_{number}: int = "s"')
        shown = document.until(shows(TYPE, site.line), sent, self.plan.patience)
        typed, asked = await asyncio.gather(shown, self._ask(level, sent.at))
        result.samples("evaluated file: type").add(typed)
        result.samples(f"{level}: with types").add(asked)
        if typed is not None:
            result.samples(f"{level}: beyond types").add(max(0.0, asked - typed))
        result.samples(f"{level}: all known").add(await self._ask(level, perf_counter()))
        sent = document.change((site.line, 0), (site.line + 1, 0), "")
        await document.until(lacks(TYPE, site.line), sent, self.plan.patience)
        await asyncio.sleep(self.plan.pause)

    async def _ask(self, level: str, since: float) -> float:
        params = {"scope": "change", "level": level, "uri": self.document.buffer.uri}
        return (await self.client.request(_EVALUATE, params, timeout=30)).at - since


async def _round_trip(client: Client, document: OpenDocument) -> float | None:
    """A hover where nothing is."""
    place = {"textDocument": {"uri": document.buffer.uri}, "position": {"line": 0, "character": 0}}
    began = perf_counter()
    _, answer = client.send_request("textDocument/hover", place)
    try:
        return (await asyncio.wait_for(answer, 20)).at - began
    except TimeoutError:
        return None


def _insert(document: OpenDocument, site: Site, line: str) -> Sent:
    return document.change((site.line, 0), (site.line, 0), f"{site.indent}{line}\n")


def huge(lines: int) -> str:
    """Valid code of that many lines, all functions different."""
    blocks = (_block(number) for number in range(lines // len(_block(0))))
    text = [line for block in blocks for line in block]
    return "\n".join(text + ["#"] * (lines - len(text) - 1)) + "\n"


def _block(number: int) -> list[str]:
    return [
        f"def step_{number}(value: int) -> int:",
        f'    """Step {number}."""',
        f"    if value > {number}:",
        f"        return value - {number}",
        f"    total = value * {number + 1}",
        "    for part in range(total):",
        f"        total += part % {number + 2}",
        "    return total",
        "",
        "",
    ]
