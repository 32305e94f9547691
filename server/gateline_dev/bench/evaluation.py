"""How long a whole change takes to be judged, asked by the client or on the command line."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from time import perf_counter

from gateline_dev.bench.document import OpenDocument
from gateline_dev.bench.probes import Site, sites
from gateline_dev.bench.trial import Trial

LEVELS = ("early", "middle", "final")
COMMANDS = {
    "python": ("-c", "pass"),
    "gateline --version": ("-m", "gateline", "--version"),
    "gateline check": ("-m", "gateline", "check"),
}
"""What is started on the command line. The first is the floor of all that are written in Python."""
_EVALUATE = "gateline/checkpoint/evaluate"
_WARMING = 3
_REST = 0.7
"""Seconds after which what an edit sets off has ended."""
_WITHOUT = {"GATELINE_TYPES__ENABLED": "false"}


async def evaluation(trial: Trial) -> None:
    """Edit a short file and ask at once, with and without types: the latter is what is ours."""
    await _evaluate(trial, "with types")
    # Not by a file: the base's settings judge, so a new one would not switch anything off.
    copy = replace(trial.copy, environment={**trial.copy.environment, **_WITHOUT})
    await _evaluate(replace(trial, copy=copy), "without types")


async def _evaluate(trial: Trial, kind: str) -> None:
    assert trial.project.short is not None
    async with trial.started() as client:
        document = await trial.opened(client, trial.project.short)
        places = sites(document.buffer.text)
        for number in range(_WARMING + trial.plan.evaluations * len(LEVELS)):
            level = LEVELS[number % len(LEVELS)]
            seconds = await _judged(document, places[number % len(places)], level, number)
            if number >= _WARMING:
                trial.result.samples(f"{level} {kind}").add(seconds)
            await asyncio.sleep(_REST)


async def _judged(document: OpenDocument, site: Site, level: str, number: int) -> float:
    """Seconds from an edit that makes a text never seen before to the verdict; the edit is taken back."""
    sent = document.change((site.line, 0), (site.line, 0), f"{site.indent}x_{number} = {number}\n")
    params = {"scope": "change", "level": level, "uri": document.buffer.uri}
    reply = await document.client.request(_EVALUATE, params, timeout=30)
    document.change((site.line, 0), (site.line + 1, 0), "")
    return reply.at - sent.at


async def command(trial: Trial) -> None:
    """Start each command in a clean project; the first start of all warms what can be warmed."""
    for name, arguments in COMMANDS.items():
        for number in range(trial.plan.starts + 1):
            seconds = await _run(trial, arguments)
            if number:
                trial.result.samples(f"command {name}").add(seconds)


async def _run(trial: Trial, arguments: tuple[str, ...]) -> float | None:
    """Seconds to the end of a command; None when it failed."""
    quiet = asyncio.subprocess.DEVNULL
    began = perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=trial.copy.root,
        env={**os.environ, **trial.copy.environment},
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
    )
    return perf_counter() - began if await process.wait() == 0 else None
