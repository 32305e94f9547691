"""Runs an agent that is a command: one JSON text on its standard input, and one on its standard output."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateline.services.process_group import end_group

_CHUNK = 1 << 16
_TAIL = 2000
"""Characters of the end of what it wrote to standard error that are told."""


class AgentError(Exception):
    """An agent gave no answer; the message says what it did instead."""


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """What one call may take."""

    seconds: float = 600.0
    output: int = 10_000_000
    """Bytes of standard output, and of standard error."""


async def ask(
    command: Sequence[str],
    question: Mapping[str, Any],
    folder: Path,
    limits: AgentLimits,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Run the command in a folder, in a process group that is gone when this returns. Raises AgentError."""
    process = await started(command, folder, environment or {})
    given = json.dumps(question).encode() + b"\n"
    try:
        async with asyncio.timeout(limits.seconds):
            out, err, _ = await asyncio.gather(
                _read(process.stdout, limits.output),
                _read(process.stderr, limits.output),
                _give(process, given),
            )
            code = await process.wait()
    except TimeoutError:
        raise AgentError(f"{command[0]} did not answer in {limits.seconds:g} s, and was stopped") from None
    finally:
        await end_group(process)
    if code:
        raise AgentError(f"{command[0]} exited with {code}{_said(err)}")
    return _answer(command[0], out)


async def started(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Process:
    """The process of an agent, in a group of its own. Raises AgentError."""
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=folder,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except OSError as error:
        raise AgentError(f"{command[0]} cannot be started: {error.strerror}") from None


async def _read(stream: asyncio.StreamReader | None, most: int) -> bytes:
    assert stream is not None
    parts, size = [], 0
    while part := await stream.read(_CHUNK):
        size += len(part)
        if size > most:
            raise AgentError(f"the agent wrote more than {most} bytes, and was stopped")
        parts.append(part)
    return b"".join(parts)


async def _give(process: Process, question: bytes) -> None:
    assert process.stdin is not None
    # An agent may answer without reading.
    with contextlib.suppress(ConnectionError):
        process.stdin.write(question)
        await process.stdin.drain()
    with contextlib.suppress(ConnectionError):
        process.stdin.close()


def _answer(name: str, out: bytes) -> dict[str, Any]:
    """The whole output as JSON, else its last line that is an object: agents print more than they should."""
    text = out.decode(errors="replace").strip()
    for part in (text, *reversed(text.splitlines())):
        with contextlib.suppress(ValueError):
            found = json.loads(part)
            if isinstance(found, dict):
                return found
    shown = repr(text[:100]) if text else "nothing"
    raise AgentError(f"{name} wrote no JSON object to its standard output, but {shown}")


def _said(err: bytes) -> str:
    text = err.decode(errors="replace").strip()[-_TAIL:]
    return f": {text.splitlines()[-1]}" if text else ""
