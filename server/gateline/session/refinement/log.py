"""Hand-overs as JSON lines: what agents were asked and answered, and what came of it; to be replayed."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateline.session.errors import UsageError

VERSION = 1
Files = Mapping[str, bytes | None]
"""Contents by path from the top of the repository; None: there is no such file."""


class Log:
    """Appends lines; each is on disk before the next step is taken."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)

    def add(self, kind: str, **said: Any) -> None:
        """Append a line. Blocks. Raises OSError."""
        line = json.dumps({"kind": kind, "version": VERSION, **said}, sort_keys=True) + "\n"
        # One write: two processes, or a kill, leave no half line in the middle.
        descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a log holds: how the loop began, and what each round left."""

    begun: Mapping[str, Any]
    files: Files
    """What the loop began with, beside the base."""
    rounds: Mapping[int, tuple[Mapping[str, Any], Files]]
    """The answer of each round's agent, and the files that it changed, by the round's number."""


def read_log(file: Path) -> Replayed:
    """Read a log. Blocks. Raises UsageError for what is none."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    except OSError as error:
        raise UsageError(f"log {file} cannot be read: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"log {file} is not JSON lines; give a log that `gateline refine` wrote") from None
    begun = [row for row in rows if isinstance(row, dict) and row.get("kind") == "begin"]
    if not begun:
        raise UsageError(
            f"log {file} does not begin with the start of a loop; give a log that `gateline refine` wrote"
        )
    if begun[0].get("version", 0) > VERSION:
        raise UsageError(f"log {file} was written by a newer gateline; update this one to replay it")
    # A round that was cut short was run anew: its last hand-over counts.
    done = {row["round"]: (row, decoded(row["files"])) for row in rows if row["kind"] == "output"}
    return Replayed(begun[0], decoded(begun[0]["files"]), done)


def encoded(files: Files) -> dict[str, Any]:
    """Contents as JSON has them: text where they are UTF-8, else base 64."""
    return {path: _encoded(data) for path, data in sorted(files.items())}


def decoded(files: Mapping[str, Any]) -> Files:
    """The contents of what `encoded` made."""
    return {path: _decoded(data) for path, data in files.items()}


def _encoded(data: bytes | None) -> Any:
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _decoded(data: Any) -> bytes | None:
    if data is None or isinstance(data, str):
        return None if data is None else data.encode()
    return base64.b64decode(data["base64"])
