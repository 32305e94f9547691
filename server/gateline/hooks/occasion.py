"""What an agent told its hook, in one form for all agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

EDITING = "editing"
"""Before a tool writes files."""
EDITED = "edited"
"""After a tool wrote files."""
STOPPING = "stopping"
"""The agent says that it is done."""
PROMPTED = "prompted"
"""A person asks the agent for something."""
OTHER = "other"
"""An event that gateline has nothing to say to."""


class PayloadError(Exception):
    """What came is not what the agent's contract says; the text says why, for people."""


class Write(NamedTuple):
    """The whole text that a file is to have; None: the file is to go."""

    path: str
    text: str | None


class Replace(NamedTuple):
    """A text that is to stand in another one's place."""

    path: str
    old: str
    new: str
    everywhere: bool = False


class Patch(NamedTuple):
    """Hunks of an `apply_patch` call, for one file."""

    path: str
    hunks: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """For each: the lines that stand there, and those that are to."""
    moved_to: str = ""


Edit = Write | Replace | Patch


class Occasion(NamedTuple):
    """One call of a hook."""

    kind: str
    cwd: str
    session: str
    """The agent's own name of the conversation."""
    edits: tuple[Edit, ...] = ()
    is_looping: bool | None = None
    """At a stop: whether the agent goes on because a hook did not let it stop; None: it does not say."""
    loops: int = 0
    """At a stop: how often, as far as the agent counts."""
    prompt: str = ""
    """What the person asks for."""


class Said(NamedTuple):
    """What gateline has to say."""

    kind: str
    reason: str = ""
    """For the agent: what to fix. Empty: nothing stands against it."""
    notice: str = ""
    """For the person: what gateline could not do, or that it lets go."""


class Output(NamedTuple):
    """What a hook's process writes, and how it ends."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0


class Agent(NamedTuple):
    """One agent's contract."""

    name: str
    events: dict[str, str]
    """The names of its events that gateline answers, and what they are here."""
    read: Callable[[str, dict[str, Any]], Occasion]
    """From the event's kind and the payload. Raises PayloadError."""
    answer: Callable[[str, Said], Output]
    """From the event's name and what is to be said; nothing said is silence."""
    settings: tuple[str, str]
    """Where its hooks are written: in the project, and for the user."""


def text_of(payload: dict[str, Any], key: str, default: str | None = None) -> str:
    """A text of the payload. Raises PayloadError."""
    found = payload.get(key, default)
    if not isinstance(found, str):
        raise PayloadError(f"{key} must be a string, not {type(found).__name__}")
    return found


def object_of(payload: dict[str, Any], key: str) -> dict[str, Any]:
    """An object of the payload; empty where it has none. Raises PayloadError."""
    found = payload.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise PayloadError(f"{key} must be an object, not {type(found).__name__}")
    return found


def occasion_of(
    kind: str, payload: dict[str, Any], edits: Callable[[str, dict[str, Any]], tuple[Edit, ...]]
) -> Occasion:
    """The occasion as Claude Code tells it, whose keys others took over. Raises PayloadError.

    `edits` reads those of a tool, by its name and what it was given.
    """
    return Occasion(
        kind,
        text_of(payload, "cwd", "."),
        text_of(payload, "session_id", ""),
        edits(text_of(payload, "tool_name", ""), object_of(payload, "tool_input")),
        payload.get("stop_hook_active") is True,
        prompt=text_of(payload, "prompt", "") if kind == PROMPTED else "",
    )
