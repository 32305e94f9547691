"""What a measurement depends on beside its trees: gateline, and the project's interpreter with its packages.

Two machines measure the same only where both are the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_SECONDS = 30.0
"""So long an interpreter may take to say what is installed."""
_SHOWN = 3
_INSTALLED = """\
import json, platform
from importlib.metadata import distributions
found = {f"{one.metadata['Name']} {one.version}" for one in distributions()}
print(json.dumps([platform.python_version(), sorted(found)]))
"""


@dataclass(frozen=True, slots=True)
class Stamp:
    """One side, as it is compared with the other."""

    gateline: str
    """Its version."""
    content: str
    """The digest of its files."""
    own_python: str
    """That gateline runs in, as `3.12`."""
    python: str
    """Where the project's interpreter is."""
    version: str = ""
    """Of that; empty: it is not there, or does not answer."""
    packages: tuple[str, ...] = ()
    """Name and version of what is installed for it."""


@cache
def stamp(python: str) -> Stamp:
    """That of this process, and of the project's interpreter here. Runs it. Blocks."""
    own = "{}.{}".format(*sys.version_info)
    return Stamp(_version(), _content(), own, python, *_installed(python))


def differences(here: Stamp, there: Stamp) -> Iterator[str]:
    """Why what `there` measures cannot stand beside what `here` does, each with what to do; none: it can."""
    if there.own_python != here.own_python:
        yield f"runs Python {there.own_python}, here is {here.own_python}; start it with the same version"
    if (there.gateline, there.content) != (here.gateline, here.content):
        there_is, here_is = (f"{one.gateline} ({one.content[:8]})" for one in (there, here))
        yield f"has gateline {there_is}, here is {here_is}; install the same there"
    if not there.version:
        yield f"has no interpreter {here.python}; make the project's environment at the same path there"
    elif there.version != here.version:
        yield f"has Python {there.version} at {here.python}, here is {here.version}; make it the same"
    elif there.packages != here.packages:
        told = _told(set(here.packages) - set(there.packages), set(there.packages) - set(here.packages))
        yield f"has other packages for {here.python} ({told}); install the same there"


def _told(missing: set[str], more: set[str]) -> str:
    rows = [*(f"missing {one}" for one in sorted(missing)), *(f"has {one}" for one in sorted(more))]
    left = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return ", ".join(rows[:_SHOWN]) + left


def _version() -> str:
    try:
        return version("gateline")
    except PackageNotFoundError:
        return "of no package"


def _content() -> str:
    package = Path(__file__).parents[2]
    digest = blake2b(digest_size=16)
    for file in sorted(package.rglob("*.py")):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _installed(python: str) -> tuple[str, tuple[str, ...]]:
    try:
        command = (python, "-I", "-c", _INSTALLED)
        done = subprocess.run(
            command, capture_output=True, timeout=_SECONDS, check=True, cwd=Path(python).anchor
        )
        found, packages = json.loads(done.stdout)
        return str(found), tuple(map(str, packages))
    except (OSError, subprocess.SubprocessError, ValueError):
        return "", ()
