"""Somebody opens a file, types, and saves: how long until the right diagnostic is there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from gateline_dev.bench.document import OpenDocument, Sent
from gateline_dev.bench.expectation import SYNTAX, TYPE, Predicate, anything, lacks, shows
from gateline_dev.bench.plan import Plan
from gateline_dev.bench.results import Result
from gateline_dev.bench.samples import Samples
from gateline_dev.bench.sites import Site

_TICK = 0.02
"""Seconds between two keys of a burst."""
_KEYS = 50
_GIVE_UP = 3


@dataclass(frozen=True)
class Probe:
    """A line with one error, and what must be said of it."""

    kind: str
    line: str
    typed: str
    """The same kind of error as `_KEYS` keys, of which only the last makes it."""
    answer: re.Pattern[str]


SYNTAX_PROBE = Probe("syntax", "x_probe = 1 +", "x_probe_".ljust(_KEYS - 1, "a") + "(=", SYNTAX)
TYPE_PROBE = Probe("type", 'x_probe: int = "s"', "x_probe: int = ".ljust(_KEYS - 1, "1") + "j", TYPE)
PROBES = (SYNTAX_PROBE, TYPE_PROBE)


@dataclass
class TypingSession:
    """Edits one open document and takes the times."""

    document: OpenDocument
    result: Result
    plan: Plan
    finds: frozenset[str]
    analyses: bool = True

    @property
    def probes(self) -> list[Probe]:
        """Those whose errors the server looks for."""
        return [probe for probe in PROBES if probe.kind in self.finds]

    async def edit(self, sites: Sequence[Site]) -> None:
        """At each place each error comes and goes."""
        for site in sites:
            for probe in self.probes:
                await self._single(probe, site)

    async def burst(self, sites: Sequence[Site]) -> None:
        """At each place each error is typed key by key, faster than anybody types."""
        for site in sites:
            for probe in self.probes:
                await self._burst(probe, site)

    async def save(self, sites: Sequence[Site]) -> None:
        """At each place a type error is saved, and saved away again."""
        if TYPE_PROBE.kind in self.finds:
            for site in sites:
                await self._save(site)

    async def _single(self, probe: Probe, site: Site) -> None:
        if self.result.samples(probe.kind).hopeless(_GIVE_UP):
            return
        await self._arrives(probe.kind, probe, site, self.insert(site, probe.line))
        await self._leaves(f"{probe.kind} clears", probe, site)

    async def _burst(self, probe: Probe, site: Site) -> None:
        if self.result.samples(probe.kind).hopeless(_GIVE_UP):
            return
        sent, tick = self.insert(site, ""), perf_counter()
        for count, key in enumerate(probe.typed):
            tick += _TICK
            await asyncio.sleep(max(0.0, tick - perf_counter()))
            place = (site.line, len(site.indent) + count)
            sent = self.document.change(place, place, key)
        kind = f"burst {probe.kind}"
        if await self._arrives(kind, probe, site, sent) and probe is TYPE_PROBE:
            # An earlier key left the line unfinished; that must not be said of the finished one.
            self.result.samples(kind).leftovers += self._finds(SYNTAX, site)(self.document.shown)
        await self._leaves(f"{kind} clears", probe, site)

    async def _save(self, site: Site) -> None:
        self.insert(site, TYPE_PROBE.line)
        await self._arrives("save", TYPE_PROBE, site, self._saved())
        self._remove(site)
        gone = await self.document.until(self._gone(TYPE_PROBE, site), self._saved(), self.plan.open_patience)
        self.result.samples("save clears").add(gone)
        await asyncio.sleep(self.plan.pause)

    def _saved(self) -> Sent:
        """Saved; but what was drawn since the edit counts as its answer, too."""
        seen = len(self.document.drawn)
        return Sent(self.document.save().at, seen)

    async def _arrives(self, kind: str, probe: Probe, site: Site, sent: Sent) -> bool:
        samples, shown = self.result.samples(kind), self._shown(probe, site)
        seconds = await self.document.until(shown, sent, self.plan.patience)
        await self._count(samples, seconds, shown)
        return seconds is not None

    async def _leaves(self, kind: str, probe: Probe, site: Site) -> None:
        gone = self._gone(probe, site)
        seconds = await self.document.until(gone, self._remove(site), self.plan.patience)
        await self._count(self.result.samples(kind), seconds, gone)

    async def _count(self, samples: Samples, seconds: float | None, right: Predicate) -> None:
        samples.add(seconds)
        await asyncio.sleep(self.plan.pause)
        samples.relapses += seconds is not None and not right(self.document.shown)

    def insert(self, site: Site, line: str) -> Sent:
        """A new line at that place."""
        return self.document.change((site.line, 0), (site.line, 0), f"{site.indent}{line}\n")

    def _remove(self, site: Site) -> Sent:
        return self.document.change((site.line, 0), (site.line + 1, 0), "")

    def _shown(self, probe: Probe, site: Site) -> Predicate:
        return shows(probe.answer, site.line) if self.analyses else anything

    def _gone(self, probe: Probe, site: Site) -> Predicate:
        return lacks(probe.answer, site.line) if self.analyses else anything

    def _finds(self, kind: re.Pattern[str], site: Site) -> Predicate:
        return shows(kind, site.line) if self.analyses else (lambda _: False)
