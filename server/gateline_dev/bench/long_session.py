"""What only shows with time and size: a thousand edits, a minute without any, a huge file."""

from __future__ import annotations

import asyncio
import re
from time import perf_counter

from gateline_dev.bench.client import Client
from gateline_dev.bench.document import OpenDocument, Sent
from gateline_dev.bench.probes import Site, shows, sites, spread
from gateline_dev.bench.trial import Trial

_HUGE = 30_000
"""Lines."""
_KINDS = ("int", "str")
_STAY = 20
"""Edits at one place before moving on."""
_BETWEEN = 0.005
"""Seconds between two small requests."""


async def session(trial: Trial) -> None:
    """One type error after another, each in a text that was never seen before; the memory at the end."""
    async with trial.started() as client:
        document = await trial.opened(client, trial.project.target)
        places = spread(sites(document.buffer.text), 50)
        for number in range(trial.plan.session_edits):
            site = places[number // _STAY % len(places)]
            if number % _STAY == 0:
                document.change((site.line, 0), (site.line, 0), f"{site.indent}pass\n")
            await _retype(trial, document, site, number)
            if number % _STAY == _STAY - 1:
                document.change((site.line, 0), (site.line + 1, 0), "")
        await trial.at_rest(client)
        trial.result.memory["session"] = client.tree.memory()
        trial.result.note("session peak MB", client.tree.peak)


async def _retype(trial: Trial, document: OpenDocument, site: Site, count: int) -> None:
    # The message tells which edit it answers: an old one cannot be taken for it.
    kind, other = _KINDS[count % 2], _KINDS[(count + 1) % 2]
    line = f"{site.indent}x_{count}: {kind} = {other}()"
    sent = document.change((site.line, 0), (site.line, len(document.buffer.lines[site.line])), line)
    wanted = shows(re.compile(f"Incompatible types.*variable has type .{kind}"), site.line)
    trial.result.samples("session edit").add(await document.until(wanted, sent, trial.plan.patience))


async def idle(trial: Trial) -> None:
    """Open a file, edit it, wait until what that set off has ended; then nothing is typed."""
    async with trial.started() as client:
        document = await trial.opened(client, trial.project.target)
        document.change((0, 0), (0, 0), "x = 1\n")
        trial.result.note("at rest s", await trial.at_rest(client))
        cpu, calls = client.tree.cpu_seconds(), trial.copy.git_calls()
        await asyncio.sleep(trial.plan.idle)
        trial.result.note("idle CPU %", (client.tree.cpu_seconds() - cpu) / trial.plan.idle * 100)
        if calls:  # Otherwise the server has another git than the one that is counted.
            trial.result.note("idle git calls", trial.copy.git_calls() - calls)


async def huge(trial: Trial) -> None:
    """While a huge file is analysed, small requests must be answered."""
    file = trial.copy.root / "gateline_bench_huge.py"
    with trial.on_disk(file, text := huge_text(_HUGE)):
        async with trial.started() as client:
            small = await trial.opened(client, trial.project.target)
            document = client.open(file, text)
            await _responses(trial, client, small, document.opened, document, "stall: open")
            sent = document.change((0, 0), (0, 0), "x = 1\n")
            await _responses(trial, client, small, sent, document, "stall: edit")


async def _responses(
    trial: Trial, client: Client, small: OpenDocument, sent: Sent, document: OpenDocument, kind: str
) -> None:
    """Times of small requests until nothing more is said of the huge document."""
    quiet = asyncio.create_task(document.quiet(sent, 2 * trial.plan.silence, trial.plan.open_patience))
    while not quiet.done():
        trial.result.samples(kind).add(await _round_trip(client, small))
        await asyncio.sleep(_BETWEEN)
    if quiet.result() is None:
        trial.result.failures.append(f"{kind}: nothing was said of the huge file")


async def _round_trip(client: Client, document: OpenDocument) -> float | None:
    """A hover where nothing is."""
    place = {"textDocument": {"uri": document.buffer.uri}, "position": {"line": 0, "character": 0}}
    began = perf_counter()
    _, answer = client.send_request("textDocument/hover", place)
    try:
        return (await asyncio.wait_for(answer, 20)).at - began
    except TimeoutError:
        return None


def huge_text(lines: int) -> str:
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
