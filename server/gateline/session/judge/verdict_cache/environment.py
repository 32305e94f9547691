"""What else a verdict depends on: gateline itself, interpreters with their packages, and variables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path

_SECONDS = 10.0
"""So long an interpreter may take to say where its packages are."""
_PATHS = "import json, sys; print(json.dumps([sys.executable, *filter(None, sys.path[1:])]))"
_NEUTRAL = frozenset(
    {
        *("_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR"),
        *("WINDOWID", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "STY", "TMUX", "TMUX_PANE"),
        *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "SSH_TTY", "SSH_CLIENT", "SSH_CONNECTION"),
        *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_TTY", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS"),
        *("XDG_SESSION_ID", "XDG_VTNR", "XDG_SEAT", "XDG_SESSION_PATH", "XDG_ACTIVATION_TOKEN"),
        *(
            "INVOCATION_ID",
            "JOURNAL_STREAM",
            "MANAGERPID",
            "SYSTEMD_EXEC_PID",
            "LS_COLORS",
            "PAGER",
            "EDITOR",
        ),
    }
)
"""Variables that name a terminal or a desktop's session: they differ without meaning anything to tests."""


def variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The environment without what only names a terminal. Tests may look at any of the rest."""
    return tuple(f"{name}={value}" for name, value in sorted(environ.items()) if name not in _NEUTRAL)


@cache
def own_state() -> str:
    """Changes with gateline's own files, its interpreter, and the packages beside it. Blocks."""
    package = Path(__file__).parents[3]
    return digest_of([*_sources(package), *_state_of((sys.executable, *filter(None, sys.path)))])


@cache
def places_of(python: str) -> tuple[str, ...]:
    """An interpreter's file, and the folders that it imports from. Runs it; empty when it does not answer."""
    try:
        said = subprocess.run(
            (python, "-c", _PATHS), capture_output=True, timeout=_SECONDS, check=True, cwd=Path(python).anchor
        )
        return tuple(map(str, json.loads(said.stdout)))
    except (OSError, subprocess.SubprocessError, ValueError):
        return ()


def state_of(places: Iterable[str], top: Path) -> str:
    """Changes when a file or folder of packages does: what is installed, and in which version. Blocks.

    Of a folder in `top` that modules are imported from, as of an editable project, the content is told by
    other means: any file that a tool leaves there would be another state.
    """
    own = os.path.realpath(top)
    return digest_of(_state_of(places, lambda place: _is_of_project(os.path.realpath(place), own)))


def editable_elsewhere(places: Iterable[str], top: Path) -> bool:
    """Whether packages are imported from folders that are neither in `top` nor installed. Blocks."""
    installed = tuple(os.path.realpath(place) for place in places)
    own = os.path.realpath(top)
    return any(
        not _is_within(folder, own) and folder not in installed
        for place in installed
        for folder in _linked(place)
    )


def _linked(folder: str) -> Iterator[str]:
    """The folders that a folder of packages adds, or that editable packages of it lie in."""
    for name in _names(folder):
        if name.endswith(".pth"):
            lines = _text(folder, name).splitlines()
            yield from (os.path.realpath(line) for line in lines if Path(line).is_dir())
        elif name.endswith(".dist-info"):
            yield from _editable(_text(folder, name, "direct_url.json"))


def _editable(direct_url: str) -> Iterator[str]:
    try:
        said = json.loads(direct_url or "{}")
        url = str(said.get("url", ""))
        if said.get("dir_info", {}).get("editable") and url.startswith("file://"):
            yield os.path.realpath(url.removeprefix("file://"))
    except (ValueError, AttributeError):
        return


def _is_of_project(folder: str, top: str) -> bool:
    """Whether a folder has modules of the project, and not an environment that lies in it."""
    return _is_within(folder, top) and not any(
        (above / mark).exists() for above in _between(folder, top) for mark in ("pyvenv.cfg", "conda-meta")
    )


def _between(folder: str, top: str) -> Iterator[Path]:
    """A folder and those above it, up to `top`."""
    return (above for above in (Path(folder), *Path(folder).parents) if _is_within(str(above), top))


def _is_within(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(top + os.sep)


def _state_of(places: Iterable[str], by_content: Callable[[str], bool] = lambda _: False) -> Iterator[str]:
    for place in places:
        yield place if by_content(place) else f"{place} {_stamp(place)}"
        for name in _names(place):
            if name.endswith((".dist-info", ".egg-info", ".egg-link", ".pth")):
                yield f"{name} {_stamp(place, name)}"


def _sources(package: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            yield f"{folder}/{name} {_stamp(folder, name)}"


def _stamp(*parts: str) -> str:
    try:
        status = Path(*parts).stat()
    except OSError:
        return "absent"
    return f"{status.st_mtime_ns} {status.st_size}"


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone, and many of them
    except OSError:
        return []


def _text(*parts: str) -> str:
    try:
        return Path(*parts).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def digest_of(rows: Iterable[str]) -> str:
    """Names some rows."""
    digest = blake2b(digest_size=20)
    for row in rows:
        digest.update(row.encode("utf-8", "surrogateescape") + b"\0")
    return digest.hexdigest()
