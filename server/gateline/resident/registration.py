"""How a running session is found: a file beside its socket, for its user alone."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from gateline.atomic_file import replace_file
from gateline.resident import edition as editions
from gateline.resident.places import workspace_folder
from gateline.resident.transport import transport

EDITOR = "editor"
ENGINE = "engine"


class Registration(NamedTuple):
    """One running session."""

    kind: str
    """`editor`: unsaved texts count; `engine`: the disk alone."""
    pid: int
    root: str
    address: str
    """Of the platform's transport: the path of a socket, or the name of a pipe."""
    token: str
    """Who cannot read this file is not answered."""
    settings: str
    edition: str

    @property
    def is_ours(self) -> bool:
        """Whether it answers as a session of this process would.

        An editor brings its own installation; of the same version, its unsaved texts count more.
        """
        if self.kind == EDITOR:
            return self.settings == editions.settings_edition()
        return self.edition == editions.edition()


def registrations(root: str) -> list[Registration]:
    """The sessions that were registered for a workspace, editors first, the newest first.

    Those that died are among them. Raises PlaceError.
    """
    folder = workspace_folder(root)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    found = [(_written(file), read) for name in names if (read := _read(file := os.path.join(folder, name)))]
    found.sort(key=lambda pair: (pair[1].kind != EDITOR, -pair[0]))
    return [read for _, read in found]


def register(folder: str, registration: Registration) -> str:
    """Write a session down; the file. Raises OSError."""
    file = file_of(folder, registration.kind, registration.pid)
    replace_file(file, json.dumps(registration._asdict()).encode())
    return file


def file_of(folder: str, kind: str, pid: int) -> str:
    """Where a session is written down: of engines there is one, of editors any number."""
    return os.path.join(folder, f"{kind}.json" if kind == ENGINE else f"{kind}-{pid}.json")


def forget(root: str, registration: Registration) -> None:
    """Remove what a session left that is not there any more; nothing of a newer one."""
    file = file_of(workspace_folder(root), registration.kind, registration.pid)
    if _read(file) == registration:
        _remove(file)
        transport().remove(registration.address)


def _remove(file: str) -> None:
    try:
        os.unlink(file)
    except OSError:
        pass


def _written(file: str) -> float:
    try:
        return os.stat(file).st_mtime
    except OSError:
        return 0.0


def _read(file: str) -> Registration | None:
    try:
        with open(file, encoding="utf-8") as stream:
            content: dict[str, Any] = json.load(stream)
        return Registration(**content)
    except (OSError, ValueError, TypeError):
        return None
