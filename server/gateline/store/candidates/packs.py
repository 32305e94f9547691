"""Trees that travel: packed here, and checked out where gateline has nothing but the pack.

git names an object by its content, and finds the names anew when it unpacks: a tree whose name is there is
the tree that was packed. No commit travels; on the other side the base is a commit without a history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateline.git import GitError, run, text
from gateline.store.candidates.checkouts import APART, Checkouts
from gateline.store.candidates.slots import slot
from gateline.store.candidates.trees import Base, CandidateError
from gateline.store.folders import user_cache
from gateline.store.savepoints.shadow import IDENTITY, Shadow

_PLACES = 64
"""Packs of one user that are unpacked at a time, at most."""
_DATES = {"GIT_AUTHOR_DATE": "@0 +0000", "GIT_COMMITTER_DATE": "@0 +0000"}


@dataclass(frozen=True, slots=True)
class Pack:
    """Trees with all that they hold."""

    kind: str
    """The object format: `sha1` or `sha256`."""
    trees: tuple[str, ...]
    content: bytes


def packed(shadow: Shadow, trees: Sequence[str]) -> Pack:
    """The pack of some trees. Blocks. Raises SavepointError."""
    names = tuple(dict.fromkeys(trees))
    how = ("pack-objects", "--quiet", "--revs", "--stdout", "--threads=1")
    content = shadow.run(*how, stdin="".join(f"{name}\n" for name in names).encode())
    return Pack(shadow.user.kind, names, content)


@contextmanager
def unpacked(pack: Pack, base: str, folder: Path | None = None) -> Iterator[tuple[Checkouts, Base]]:
    """A place for checkouts of the trees, and a commit of the tree `base`; nothing is left of them. Blocks.

    Raises CandidateError where the pack does not hold what it says, and SavepointError and GitError.
    """
    full = f"{_PLACES} parts of comparisons are under way for this user; start fewer workers"
    with slot((folder or user_cache()) / "cluster", _PLACES, full) as place:
        repository = place / "repository"
        repository.mkdir()
        run(repository, "init", "--quiet", "--template=", f"--object-format={pack.kind}", environment=APART)
        _unpack(repository, pack)
        dated = {**APART, **IDENTITY, **_DATES}
        commit = text(run(repository, "commit-tree", "-m", "base", base, environment=dated)).strip()
        yield Checkouts(place, Shadow(repository, place / "savepoints.git")), Base(commit, base)


def _unpack(repository: Path, pack: Pack) -> None:
    try:
        run(repository, "index-pack", "--stdin", stdin=pack.content, environment=APART)
        # Each tree, and all that it names, must be there by the name that its content has.
        run(repository, "rev-list", "--objects", "--quiet", *pack.trees, environment=APART)
    except GitError as error:
        raise CandidateError(f"the pack does not hold {', '.join(pack.trees)}: {error}") from error
