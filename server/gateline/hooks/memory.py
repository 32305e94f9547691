"""What one hook leaves for the next of the same conversation: how often it blocked, and what it owes."""

from __future__ import annotations

import json
import os
import time
from hashlib import sha256
from typing import NamedTuple

from gateline.atomic_file import replace_file
from gateline.resident.places import PlaceError, make_own, workspace_folder

_KEPT = 7 * 86_400.0
"""Seconds for which a conversation is remembered."""
_PREFIX = "hook-"


class Memory(NamedTuple):
    """Of one conversation with an agent."""

    blocks: int = 0
    """How often the stop that is under way was blocked."""
    owed: tuple[str, ...] = ()
    """Files whose edits were not judged in time."""


class Memories:
    """Those of one workspace, each in a file of its own."""

    def __init__(self, root: str, conversation: str) -> None:
        name = sha256(conversation.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._root = root
        self._name = f"{_PREFIX}{name}.json"

    def read(self) -> Memory | None:
        """What is remembered; None where nothing is, or nothing that can be read."""
        try:
            with open(os.path.join(workspace_folder(self._root), self._name), encoding="utf-8") as stream:
                found = json.load(stream)
            return Memory(int(found["blocks"]), tuple(map(str, found["owed"])))
        except (OSError, PlaceError, ValueError, TypeError, LookupError):
            return None

    def write(self, memory: Memory) -> bool:
        """Remember; whether that could be done."""
        try:
            folder = workspace_folder(self._root)
            make_own(folder)
            replace_file(os.path.join(folder, self._name), json.dumps(memory._asdict()).encode())
        except (OSError, PlaceError):
            return False
        return True

    def forget(self) -> None:
        """Remove what is remembered of this conversation, and of those long over."""
        try:
            folder = workspace_folder(self._root)
            for entry in os.scandir(folder):
                is_old = entry.name.startswith(_PREFIX) and time.time() - entry.stat().st_mtime > _KEPT
                if is_old or entry.name == self._name:
                    os.unlink(entry.path)
        except (OSError, PlaceError):
            pass
