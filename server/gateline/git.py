"""How git is run: with a time limit, without questions, and without what a repository wants to have run.

`session` only asks the user's repository; `store` has a git directory of its own. Both go through here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

OFF = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "core.quotePath=false"),
)
"""A file monitor is a program that a repository names; the rest is for answers that are always the same."""
SECONDS = 60.0
"""So long one command may take."""
_REDIRECTING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_COMMON_DIR")
"""What would lead to another repository. A hook's index stays: it holds what is about to be committed."""
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
_PROBLEM = ("fatal:", "error:")
PARTIAL = "the clone is partial and lacks objects of the base; run `git fetch --refetch --no-filter`"


class GitError(Exception):
    """git refused, or is not there; the message is its own."""


def run(
    folder: Path,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> bytes:
    """What git answers in a folder. Blocks. Raises GitError."""
    return answered(folder, *arguments, stdin=stdin, environment=environment, seconds=seconds)[0]


def answered(
    folder: Path,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    ends: Collection[int] = (0,),
) -> tuple[bytes, bytes]:
    """What git answers in a folder, and what it warns of. Blocks. Raises GitError.

    `ends`: the exit statuses that come with an answer.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    try:
        done = subprocess.run(
            ("git", *OFF, *arguments),
            cwd=folder,
            input=stdin,
            capture_output=True,
            timeout=seconds,
            env=kept | _QUIET | dict(environment or {}),
            check=False,
        )
    except FileNotFoundError as error:
        missing = "git was not found on PATH" if error.filename == "git" else f"{folder} is not there"
        raise GitError(missing) from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git took longer than {seconds:g} s: {' '.join(arguments[:2])}") from None
    if done.returncode not in ends:
        raise GitError(_said(done))
    return done.stdout, done.stderr


def text(answer: bytes) -> str:
    """An answer as text; names that are no UTF-8 come through."""
    return answer.decode(errors="surrogateescape")


def split(answer: bytes) -> list[str]:
    """The parts of an answer that each end with NUL."""
    return [name for name in text(answer).split("\0") if name]


def joined(names: Iterable[str]) -> bytes:
    """Names for git's standard input, each ended by NUL."""
    return "".join(f"{name}\0" for name in names).encode(errors="surrogateescape")


def without_filters(folder: Path) -> dict[str, str]:
    """An environment that empties every content filter of the repository: they are programs. Blocks."""
    try:
        keys = split(
            run(folder, "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process)$")
        )
    except GitError:
        return {}
    known = sorted(set(keys))
    off = [(key, "") for key in known] + [(f"{key.rpartition('.')[0]}.required", "false") for key in known]
    pairs = (
        (f"GIT_CONFIG_{side}_{n}", value)
        for n, row in enumerate(off)
        for side, value in zip(("KEY", "VALUE"), row, strict=True)
    )
    return {"GIT_CONFIG_COUNT": str(len(off)), **dict(pairs)}


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """The first complaint; warnings may come before it."""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    problems = [line for line in lines if line.startswith(_PROBLEM)] or lines
    if problems and "from promisor remote" in problems[0]:
        return PARTIAL
    return problems[0] if problems else f"git ended with {done.returncode}"
