"""What embedding costs somebody who types: the same findings while it works, and while it is held still.

In pairs at the same place, now this first and now that: a machine whose speed changes meanwhile says nothing.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from time import perf_counter
from typing import TypeVar

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
_RESUMED = 0.9
"""Seconds after an edit after which the embedder, which rests while somebody types, is at work again."""
_CONTEXT = "gateline/context"
_FAR = "gateline.services.embedding.far"
_T = TypeVar("_T")


async def embedding_beside(trial: Trial) -> None:
    """Raises OSError where the transformer cannot take part: then there is nothing to measure."""
    places = trial.places(_PAIRS)
    with tempfile.TemporaryDirectory(prefix="gateline-context-") as cache:
        copy = replace(trial.copy, environment={**trial.copy.environment, "XDG_CACHE_HOME": cache})
        async with replace(trial, copy=copy).started() as client:
            document = await trial.opened(client, trial.project.target)
            before = await _embedding(client)
            for number, site in enumerate(places):
                for probe in PROBES:
                    await _pair(trial, document, probe, site, number)
            state, done = await _state(client)
            if state != "working" or done <= before:
                raise OSError(f"the transformer did not work until the end: {state}, {done - before} texts")


async def _pair(trial: Trial, document: OpenDocument, probe: Probe, site: Site, number: int) -> None:
    for kind in (WORKING, STILL) if number % 2 else (STILL, WORKING):
        with _held(document.client, kind == STILL):
            await asyncio.sleep(_RESUMED)
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


async def _embedding(client: Client) -> int:
    """Until the first vectors were made; how many. Raises OSError."""
    end = perf_counter() + _BEGINNING
    await client.request(f"{_CONTEXT}/search", {"query": "escape a value"}, timeout=60)
    while True:
        state, done = await _state(client)
        if state == "working":
            return done
        if state in ("missing", "off", "failed", "ready") or perf_counter() > end:
            raise OSError(f"the transformer does not work: {state}")
        await asyncio.sleep(1.0)


async def _state(client: Client) -> tuple[str, int]:
    reply = await client.request(f"{_CONTEXT}/status", {}, timeout=60)
    tiers = {tier["name"]: (tier["state"], tier["done"]) for tier in reply.result["tiers"]}
    return tiers.get("semantic", ("missing", 0))


@contextmanager
def _held(client: Client, is_held: bool) -> Iterator[None]:
    """The embedder does nothing, if it is to be held still. One that ends meanwhile needs not be."""
    those = [p for p in client.tree.processes() if is_held and _FAR in _command(p)]
    with ExitStack() as stack:
        for process in those:
            stack.callback(_unless_gone, process.resume)
            _unless_gone(process.suspend)
        yield


def _command(process: psutil.Process) -> list[str]:
    return _unless_gone(process.cmdline) or []


def _unless_gone(do: Callable[[], _T]) -> _T | None:
    with suppress(psutil.Error):
        return do()
    return None
