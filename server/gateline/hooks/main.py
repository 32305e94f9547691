"""`gateline hook`: one process for one event of an agent. It never ends with 2, which would block."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from gateline.hooks.agents import NAMES, agent
from gateline.hooks.occasion import OTHER, Agent, Occasion, Output, PayloadError, Said
from gateline.hooks.responding import Limits, Responder
from gateline.resident.connection import LateError, connect

USAGE = """\
gateline hook --agent AGENT [--event EVENT] [--blocks N] [--patience SECONDS]

Answers one event of a coding agent: its JSON on standard input, its contract's answer on standard output.
`gateline hooks install AGENT` writes the calls into the agent's settings.

  --agent     {agents}
  --event     the event's name, as the agent has it; without it, the payload's
  --blocks    how often one stop is blocked, at most (2)
  --patience  seconds for the final gate at a stop (100)
"""
_FAILED = 1
"""The exit status of a mistake in the call: agents tell of it, and go on."""
_LARGEST = 64_000_000
"""Bytes of a payload."""
_COUNTING = 1.0
"""Seconds that counting what is said may take."""
_MARGIN = 0.3
"""Seconds that an answer takes to arrive beyond what the session was given."""


def main(argv: list[str]) -> int:
    """Answer one event; the exit status."""
    if {"-h", "--help"} & {*argv}:
        sys.stdout.write(USAGE.format(agents=", ".join(NAMES)))
        return 0
    output = respond(argv, sys.stdin.buffer.read(_LARGEST + 1))
    sys.stdout.write(output.stdout)
    sys.stderr.write(output.stderr)
    return output.status


def respond(argv: list[str], data: bytes) -> Output:
    """What is answered to an event."""
    try:
        given = _options(argv)
        contract = _agent(given.get("agent", ""))
        payload = _payload(data)
        event = given.get("event") or payload.get("hook_event_name")
        kind = contract.events.get(event, OTHER) if isinstance(event, str) else OTHER
        if not isinstance(event, str) or (given.get("event") and kind == OTHER):
            raise PayloadError(f"unknown --event {event!r}; choose one of {', '.join(contract.events)}")
        limits = Limits(int(given.get("blocks", 2)), float(given.get("patience", 100)))
        occasion = contract.read(kind, payload)
    except (PayloadError, ValueError) as error:
        return Output(stderr=f"gateline hook: {error}\n", status=_FAILED)
    return contract.answer(event, _said(contract, limits, occasion))


def _said(contract: Agent, limits: Limits, occasion: Occasion) -> Said:
    """A bug of ours is told as every other failure: it stops nobody."""
    try:
        return Responder(contract, _check, _hand, _remind, limits).respond(occasion)
    except Exception as error:  # noqa: BLE001 - nothing of ours may stop an agent
        return Said(occasion.kind, notice=f"gateline did not check this: {type(error).__name__}: {error}")


def _check(root: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
    until = time.monotonic() + seconds
    with connect(root, seconds=seconds) as session:
        left = _left(until)
        patience = min(params["patience"], int((left - _MARGIN) * 1000))
        return session.ask("gateline/check", {**params, "patience": patience}, left)


def _hand(root: str, tokens: int, operation: str) -> str:
    given = {"tokens": tokens, "operation": operation}
    with connect(root, start=False, seconds=_COUNTING) as session:
        return str(session.ask("gateline/task/handed", given, _COUNTING)["warning"])


def _remind(root: str, params: dict[str, Any], seconds: float) -> list[str]:
    until = time.monotonic() + seconds
    with connect(root, seconds=seconds) as session:
        left = _left(until)
        return list(map(str, session.ask("gateline/memory/remind", params, left)["lessons"]))


def _left(until: float) -> float:
    """Seconds that a session has for an answer. Raises LateError where it could not arrive in time."""
    left = until - time.monotonic()
    if left <= _MARGIN:
        raise LateError("the engine is still starting; ask again")
    return left


def _agent(name: str) -> Agent:
    if name not in NAMES:
        raise PayloadError(f"unknown --agent {name!r}; choose one of {', '.join(NAMES)}")
    return agent(name)


def _payload(data: bytes) -> dict[str, Any]:
    if len(data) > _LARGEST:
        raise PayloadError(f"the payload is larger than {_LARGEST // 1_000_000} MB")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"the payload is not valid JSON: {error}") from None
    if not isinstance(found, dict):
        raise PayloadError("the payload must be a JSON object")
    return found


def _options(argv: list[str]) -> dict[str, str]:
    """The options by name. Raises PayloadError. Without a parser's import, which would be waited for."""
    found: dict[str, str] = {}
    rest = list(argv)
    while rest:
        name, glue, value = rest.pop(0).partition("=")
        if name not in ("--agent", "--event", "--blocks", "--patience"):
            raise PayloadError(f"unknown option {name!r}; see `gateline hook --help`")
        if not glue:
            if not rest:
                raise PayloadError(f"{name} needs a value")
            value = rest.pop(0)
        found[name[2:]] = value
    return found
