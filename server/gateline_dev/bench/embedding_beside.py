"""What embedding costs somebody who types: the same findings while it works, and while it is held still.

In pairs at the same place, now this first and now that: a machine whose speed changes meanwhile says nothing.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

import psutil

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument
from gateline_dev.bench.probes import PROBES, Probe, Site, lacks, shows
from gateline_dev.bench.trial import Trial

WORKING, STILL = "beside embedding", "embedding held still"
_PAIRS = 16
"""Places; each is edited four times."""
_BEGINNING = 300.0
"""Seconds in which all files are read and the model is made of its weights."""
_SETTLED = 0.4
"""Seconds after which a process that was held still works again, or no longer does."""
_CONTEXT = "gateline/context"


async def embedding_beside(trial: Trial) -> None:
    """Raises OSError where the transformer cannot take part: then there is nothing to measure."""
    places = trial.places(_PAIRS)
    with tempfile.TemporaryDirectory(prefix="gateline-context-") as cache:
        copy = replace(trial.copy, environment={**trial.copy.environment, "XDG_CACHE_HOME": cache})
        async with replace(trial, copy=copy).started() as client:
            document = await trial.opened(client, trial.project.target)
            await _embedding(client)
            for number, site in enumerate(places):
                for probe in PROBES:
                    await _pair(trial, document, probe, site, number)
            if (state := await _state(client)) != "working":
                raise OSError(f"the transformer did not work until the end: {state}")


async def _pair(trial: Trial, document: OpenDocument, probe: Probe, site: Site, number: int) -> None:
    for kind in (WORKING, STILL) if number % 2 else (STILL, WORKING):
        with _held(document.client, kind == STILL):
            await asyncio.sleep(_SETTLED)
            # Under a name of its own: what was seen before is known.
            line = probe.line.replace("x_", f"x{number}_{int(kind == STILL)}_", 1)
            seconds = await _seconds(document, replace(probe, line=line), site, trial.plan.patience)
        trial.result.samples(f"{probe.kind} {kind}").add(seconds)


async def _seconds(document: OpenDocument, probe: Probe, site: Site, patience: float) -> float | None:
    """From an edit to its finding; the edit is taken back."""
    sent = document.change((site.line, 0), (site.line, 0), f"{site.indent}{probe.line}\n")
    found = await document.until(shows(probe.answer, site.line), sent, patience)
    sent = document.change((site.line, 0), (site.line + 1, 0), "")
    await document.until(lacks(probe.answer, site.line), sent, patience)
    return found


async def _embedding(client: Client) -> None:
    """Until the first vectors were made. Raises OSError."""
    end = perf_counter() + _BEGINNING
    await client.request(f"{_CONTEXT}/search", {"query": "escape a value"}, timeout=60)
    while (state := await _state(client)) != "working":
        if state in ("missing", "off", "failed", "ready") or perf_counter() > end:
            raise OSError(f"the transformer does not work: {state}")
        await asyncio.sleep(1.0)


async def _state(client: Client) -> str:
    reply = await client.request(f"{_CONTEXT}/status", {}, timeout=60)
    states = [tier["state"] for tier in reply.result["tiers"] if tier["name"] == "semantic"]
    return states[0] if states else "missing"


@contextmanager
def _held(client: Client, is_held: bool) -> Iterator[None]:
    """The embedder does nothing, if it is to be held still."""
    those = [
        p for p in client.tree.processes() if is_held and "gateline.services.embedding.far" in _command(p)
    ]
    for process in those:
        process.suspend()
    try:
        yield
    finally:
        for process in those:
            process.resume()


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
