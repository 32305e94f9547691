"""Somebody opens a file, types, and saves: how long until the right diagnostic is there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument, Sent
from gateline_dev.bench.plan import Plan
from gateline_dev.bench.probes import (
    PROBES,
    SYNTAX,
    TYPE,
    TYPE_PROBE,
    Predicate,
    Probe,
    Site,
    anything,
    lacks,
    shows,
)
from gateline_dev.bench.processes import machine_seconds
from gateline_dev.bench.results import Result, Samples
from gateline_dev.bench.servers import Server
from gateline_dev.bench.trial import Trial

_TICK = 0.02
"""Seconds between two keys of a burst."""
_GIVE_UP = 2


async def typing(trial: Trial) -> None:
    """Open a file with a type error from cold caches, edit it; open it again from warm caches."""
    first, *places = trial.places(trial.plan.sites + 1)
    lines = trial.target.read_text(encoding="utf-8").split("\n")
    trial.result.note("target bytes", len("\n".join(lines).encode()))
    lines.insert(first.line, f"{first.indent}{TYPE_PROBE.line}")
    # In the file, too: some servers read that when a document is opened.
    with trial.on_disk(trial.target, "\n".join(lines)):
        async with trial.started() as client:
            document = await _open(trial, client, first, "open cold")
            if trial.number == 0:
                await trial.at_rest(client)
                trial.result.memory["opened"] = client.tree.memory()
            await _type(trial, client, document, places)
            trial.result.memory["end"] = client.tree.memory()
            trial.result.note("peak MB", client.tree.peak)
        trial.target.write_text("\n".join(lines), encoding="utf-8")
        async with trial.started() as client:
            await _open(trial, client, first, "open warm")


async def _open(trial: Trial, client: Client, site: Site, kind: str) -> OpenDocument:
    """Open the file at once, as an editor that was started for it; take the error out when it was seen."""
    server, plan = trial.server, trial.plan
    document = client.open(trial.target, trial.target.read_text(encoding="utf-8"))
    if TYPE_PROBE.kind in server.finds:
        shown = _right(server, shows(TYPE, site.line))
        found = await document.until(shown, document.opened, plan.open_patience)
        trial.result.samples(kind).add(found)
    sent = document.change((site.line, 0), (site.line + 1, 0), "")
    await document.until(_right(server, lacks(TYPE, site.line)), sent, plan.open_patience)
    await document.quiet(sent, plan.silence, plan.open_patience)
    return document


async def _type(trial: Trial, client: Client, document: OpenDocument, places: Sequence[Site]) -> None:
    result, plan = trial.result, trial.plan
    taken = {item["range"]["start"]["line"] for item in document.shown}
    free = [site for site in places if not {site.line, site.line + 1} & taken]
    session = _Typing(document, result, plan, trial.server)
    used, everybody, began = client.tree.cpu_seconds(), machine_seconds(), perf_counter()
    await session.edit(free)
    used, took = client.tree.cpu_seconds() - used, perf_counter() - began
    result.note("CPU s per place", used / max(1, len(free)))
    result.note("cores used by others", max(0.0, machine_seconds() - everybody - used) / max(took, 1))
    await session.burst(free[: plan.bursts])
    await session.save(free[: plan.saves])


def _right(server: Server, wanted: Predicate) -> Predicate:
    """What counts as an answer of this server."""
    return wanted if server.analyses else anything


@dataclass
class _Typing:
    """Edits one open document and takes the times."""

    document: OpenDocument
    result: Result
    plan: Plan
    server: Server

    @property
    def probes(self) -> list[Probe]:
        """Those whose errors the server looks for, and was not found to pass over."""
        found = [probe for probe in PROBES if probe.kind in self.server.finds]
        return [probe for probe in found if not self.result.samples(probe.kind).hopeless(_GIVE_UP)]

    async def edit(self, sites: Sequence[Site]) -> None:
        """At each place each error comes and goes."""
        for site in sites:
            for probe in self.probes:
                sent = self._insert(site, probe.line)
                await self._comes_and_goes(probe.kind, probe, site, sent)

    async def burst(self, sites: Sequence[Site]) -> None:
        """At each place each error is typed key by key, faster than anybody types."""
        for site in sites:
            for probe in self.probes:
                sent = await self._keys(probe, site)
                await self._comes_and_goes(f"burst {probe.kind}", probe, site, sent)

    async def save(self, sites: Sequence[Site]) -> None:
        """At each place a type error is saved, and saved away again."""
        for site in sites if TYPE_PROBE in self.probes else ():
            seen = self._insert(site, TYPE_PROBE.line).seen
            # What was drawn since the edit counts as the answer to saving, too.
            await self._comes_and_goes("save", TYPE_PROBE, site, Sent(self.document.save().at, seen))
            await self.document.quiet(self.document.save(), self.plan.silence, self.plan.patience)

    async def _keys(self, probe: Probe, site: Site) -> Sent:
        sent, tick = self._insert(site, ""), perf_counter()
        for count, key in enumerate(probe.typed):
            tick += _TICK
            await asyncio.sleep(max(0.0, tick - perf_counter()))
            place = (site.line, len(site.indent) + count)
            sent = self.document.change(place, place, key)
        return sent

    async def _comes_and_goes(self, kind: str, probe: Probe, site: Site, sent: Sent) -> None:
        samples = self.result.samples(kind)
        right = _right(self.server, shows(probe.answer, site.line))
        if await self._count(samples, right, sent):
            samples.leftovers += self._is_old(probe, site)
        gone = _right(self.server, lacks(probe.answer, site.line))
        removed = self.document.change((site.line, 0), (site.line + 1, 0), "")
        await self._count(self.result.samples(f"{kind} clears"), gone, removed)

    async def _count(self, samples: Samples, right: Predicate, sent: Sent) -> bool:
        seconds = await self.document.until(right, sent, self.plan.patience)
        samples.add(seconds)
        await asyncio.sleep(self.plan.pause)
        samples.relapses += seconds is not None and not right(self.document.shown)
        return seconds is not None

    def _is_old(self, probe: Probe, site: Site) -> bool:
        """Whether what is shown speaks of an older text: its version, or its line when it was unfinished."""
        last = self.document.drawn[-1]
        unfinished = (
            probe is TYPE_PROBE and self.server.analyses and shows(SYNTAX, site.line)(last.diagnostics)
        )
        return unfinished or last.version not in (None, self.document.buffer.version)

    def _insert(self, site: Site, line: str) -> Sent:
        return self.document.change((site.line, 0), (site.line, 0), f"{site.indent}{line}\n")
