"""Where running sessions are found: a folder of the user's own, which no other user can enter."""

from __future__ import annotations

import os
import stat
import sys
from hashlib import sha256

_LONGEST = 60
"""Bytes of the folder's path: the name of a socket has about 100 in all, on some systems."""


class PlaceError(Exception):
    """There is no folder that is the user's alone; the text says why."""


def run_folder() -> str:
    """The folder of all running sessions of this user, made when it is not there. Raises PlaceError."""
    reasons = []
    for folder in _candidates():
        try:
            _own(folder)
        except OSError as error:
            reasons.append(f"{folder}: {error.strerror or error}")
        except PlaceError as error:
            reasons.append(str(error))
        else:
            return folder
    raise PlaceError("; ".join(reasons))


def workspace_folder(root: str) -> str:
    """The folder of the sessions that have this workspace open; it need not exist. Raises PlaceError."""
    name = sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
    return os.path.join(run_folder(), name)


def make_own(folder: str) -> None:
    """Make a folder that only this user can enter, or see that it is one. Raises OSError, PlaceError."""
    _own(folder)


def _candidates() -> list[str]:
    """The runtime folder of the user's login, then the state folder, then one beside temporary files."""
    if sys.platform == "win32":
        return [os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "gateline", "run")]
    found = []
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        found.append(os.path.join(runtime, "gateline"))
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    found.append(os.path.join(state, "gateline", "run"))
    found.append(os.path.join(os.environ.get("TMPDIR") or "/tmp", f"gateline-{os.getuid()}"))
    found.append(f"/tmp/gateline-{os.getuid()}")
    return [folder for folder in found if os.path.isabs(folder) and len(os.fsencode(folder)) <= _LONGEST]


def _own(folder: str) -> None:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if sys.platform == "win32":
        return
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PlaceError(f"{folder} must be a folder that only this user can access (chmod 700)")
