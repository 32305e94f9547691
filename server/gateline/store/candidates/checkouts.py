"""Folders of candidates, in the user's cache: made for one comparison, and removed with it.

Who is killed leaves them; the next comparison of the workspace removes them before it begins.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import portalocker

from gateline.git import run
from gateline.store.candidates.trees import Base, CandidateError
from gateline.store.folders import state_of, user_cache
from gateline.store.savepoints.shadow import Shadow

_LOCK = "compare.lock"
_WAIT = 5.0
APART = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
"""What keeps git from settings that are not the repository's."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """One tree in a folder of its own."""

    folder: Path
    """Holds all of it, and nothing of others."""

    @property
    def files(self) -> Path:
        """The content of the tree."""
        return self.folder / "tree"

    @property
    def home(self) -> Path:
        """What programs of the candidate have for a home folder."""
        return self.folder / "home"


@dataclass(frozen=True, slots=True)
class Checkouts:
    """The folders of one comparison."""

    folder: Path
    shadow: Shadow

    def make(self, place: int, tree: str, base: Base) -> Checkout:
        """Write a tree, as a work tree whose HEAD is the base. Blocks. Raises SavepointError and GitError.

        The place of a checkout names its folder, so that what was learned of its path can be used again.
        """
        made = self.at(place)
        made.files.mkdir(parents=True, mode=0o700)
        made.home.mkdir(mode=0o700)
        self.shadow.check_out(tree, made.files)
        self._as_work_tree(made, base)
        return made

    def at(self, place: int) -> Checkout:
        """Where the checkout of a place is, or will be."""
        return Checkout(self.folder / f"{place:02}")

    def remove(self, made: Checkout) -> None:
        """Remove a checkout before the comparison ends. Blocks."""
        shutil.rmtree(made.folder, ignore_errors=True)

    def _as_work_tree(self, made: Checkout, base: Base) -> None:
        git = made.folder / "git"
        kind = f"--object-format={self.shadow.user.kind}"
        run(made.folder, "init", "--quiet", "--bare", "--template=", kind, str(git), environment=APART)
        borrowed = git / "objects" / "info"
        borrowed.mkdir(exist_ok=True)
        (borrowed / "alternates").write_bytes(os.fsencode(self.shadow.folder / "objects") + b"\n")
        inside = {**APART, "GIT_DIR": str(git)}
        for command in (
            ("config", "core.bare", "false"),
            ("update-ref", "refs/heads/main", base.commit),
            ("update-ref", "refs/heads/candidate", base.commit),
            ("symbolic-ref", "HEAD", "refs/heads/candidate"),
            ("read-tree", base.commit),
        ):
            run(made.folder, *command, environment=inside)
        (made.files / ".git").write_text(f"gitdir: {git}\n", encoding="utf-8")


@contextmanager
def checkouts(root: Path, shadow: Shadow, folder: Path | None = None) -> Iterator[Checkouts]:
    """A place for the candidates of the workspace `root`; what is left of an earlier one is removed. Blocks.

    Raises CandidateError where another comparison of the workspace is under way.
    """
    base = folder or user_cache()
    place = base / "compare" / state_of(root, base).name
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = portalocker.Lock(place / _LOCK, "a+", timeout=_WAIT)
    try:
        lock.acquire()
    except portalocker.LockException:
        raise CandidateError(
            f"another comparison of {root} is under way; try again when it has ended"
        ) from None
    try:
        _clear(place)
        yield Checkouts(place, shadow)
    finally:
        _clear(place)
        lock.release()


def _clear(place: Path) -> None:
    for entry in place.iterdir():
        if entry.name != _LOCK:
            shutil.rmtree(entry, ignore_errors=True)
