"""Starts the processes of children, one of them perhaps before anybody knows who will ask it.

What the far side of the type checker imports takes about as long as what the server imports: when both begin
together, the first answer comes that much sooner.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline.services import priority
from gateline.services.far import Told, framed

UNWANTED = 10.0
"""Seconds after which a process that was begun early and that nobody took is ended."""


@dataclass(eq=False, slots=True)
class Early:
    """A process that was begun before anybody asked it."""

    process: Process
    nice: int = 0
    told: object = None
    """What it was told last, without an answer."""


_begun: dict[str, Early] = {}
"""By module. Of the whole process, as a session takes it that was not there yet."""


def command_of(module: str) -> list[str]:
    """How a module of ours is run in this interpreter."""
    # -P: a module of the user's workspace must never shadow one of ours.
    return [sys.executable, "-P", "-m", module]


async def spawn(command: Sequence[str], cwd: Path | None, env: Mapping[str, str]) -> Process:
    """A new process, the first of its own group. Raises OSError."""
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=cwd,
        env={**_environment(), **env},
        start_new_session=True,
        limit=1 << 20,
    )


async def begin(module: str, nice: int = 0) -> None:
    """Start a far side for whoever asks such a one first; after `UNWANTED` seconds it is given up."""
    try:
        _begun[module] = Early(await spawn(command_of(module), None, {}), nice)
        priority.lower(_begun[module].process.pid, nice)
    except OSError:
        return  # Who needs it starts it again, and says why that fails.
    asyncio.get_running_loop().call_later(UNWANTED, give_up, module)


def tell(module: str, message: object) -> None:
    """Say something without an answer to the process that was begun for a module, if nobody has it yet."""
    early = _begun.get(module)
    if early is not None and early.process.stdin is not None:
        early.process.stdin.write(framed(Told(message)))
        early.told = message


def taken(module: str, nice: int | None = None) -> Early | None:
    """The process that was begun for a module, if it lives; from now on it belongs to the caller.

    One with another priority than `nice` is for somebody else; None: of any.
    """
    if nice is not None and module in _begun and _begun[module].nice != nice:
        return None
    early = _begun.pop(module, None)
    return early if early is not None and early.process.returncode is None else None


def give_up(module: str) -> Process | None:
    """End the process that was begun for a module and that nobody took; which one that was."""
    early = taken(module)
    if early is None:
        return None
    # With what it started: what it builds before it is asked may run an interpreter.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(early.process.pid, signal.SIGKILL)
    return early.process


async def end() -> None:
    """End all that nobody took, and wait until they are gone."""
    for process in filter(None, [give_up(module) for module in list(_begun)]):
        await process.wait()


def _environment() -> dict[str, str]:
    """Ours, without what would change the meaning of the user's code (an empty PYTHONPATH silences mypy)."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH" or v}
