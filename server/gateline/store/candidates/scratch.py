"""A work tree of gateline's own, in which an agent works: the user's files, index and refs stay as they are.

It lies in the user's cache, in one of a few places that loops of the workspace take in turn, so that what was
learned of a path can be used again. What is kept of it are trees, in gateline's own git directory.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateline.git import text
from gateline.store.candidates.checkouts import Checkout, Checkouts
from gateline.store.candidates.slots import slot
from gateline.store.candidates.trees import Base
from gateline.store.folders import state_of, user_cache
from gateline.store.savepoints.shadow import Shadow

REFS = "refs/refinement/"
_PLACES = 16
"""Loops of one workspace at a time, at most."""
_GENERATED = ("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")
"""Folders that tools write beside the code; unless they are held already, they are nobody's work."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """One work tree. Methods block and raise SavepointError."""

    place: Checkouts
    checkout: Checkout

    @property
    def files(self) -> Path:
        """The top of the work tree."""
        return self.checkout.files

    def take(self, start: str) -> str:
        """The tree of what is there now; `start` says which generated files are held."""
        shadow = self.place.shadow
        where = {**self._index, "GIT_WORK_TREE": str(self.files)}
        left_out = [f":(exclude,glob)**/{name}/**" for name in _GENERATED]
        shadow.run("read-tree", start, environment=where)
        shadow.run("add", "--all", "--", ".", *left_out, environment=where, at=self.files)
        return text(shadow.run("write-tree", environment=where, at=self.files)).strip()

    def reset(self, tree: str, start: str) -> tuple[str, ...]:
        """Make the work tree hold a tree; the paths that changed. `start` as for `take`."""
        shadow = self.place.shadow
        now = self.take(start)
        paths = changed_paths(shadow, now, tree)
        held = shadow.files_of(tree, paths) if paths else {}
        for path in paths:
            if path not in held:
                (self.files / path).unlink(missing_ok=True)
        shadow.check_out(tree, self.files, [path for path in paths if path in held])
        return paths

    @property
    def _index(self) -> dict[str, str]:
        return {"GIT_INDEX_FILE": str(self.checkout.folder / "index")}


def changed_paths(shadow: Shadow, before: str, after: str) -> tuple[str, ...]:
    """The paths that differ between two trees, from the top. Blocks. Raises SavepointError."""
    if before == after:
        return ()
    return tuple(shadow.names("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after))


def tree_with(shadow: Shadow, tree: str, files: Mapping[str, bytes | None]) -> str:
    """A tree with other contents of some files; None: without the file. Blocks. Raises SavepointError."""
    gone = "0" * len(tree)
    rows = []
    held = shadow.files_of(tree, list(files)) if files else {}
    for path, data in files.items():
        mode = held[path][0] if path in held else "100644"
        blob = gone if data is None else shadow.line("hash-object", "-w", "--stdin", stdin=data)
        rows.append(f"{'0' if data is None else mode} {blob}\t{path}\0")
    with tempfile.TemporaryDirectory(prefix="gateline-refine-") as place:
        index = {"GIT_INDEX_FILE": str(Path(place) / "index")}
        shadow.run("read-tree", tree, environment=index)
        given = os.fsencode("".join(rows))
        shadow.run("update-index", "-z", "--replace", "--index-info", stdin=given, environment=index)
        return text(shadow.run("write-tree", environment=index)).strip()


def keep(shadow: Shadow, name: str, tree: str) -> None:
    """Keep a tree under a name of a loop, so that nothing prunes it. Blocks. Raises SavepointError."""
    commit = shadow.line("commit-tree", tree, stdin=name.encode())
    shadow.run("update-ref", f"{REFS}{name}", commit)


def forget(shadow: Shadow, loop: str) -> None:
    """Keep the trees of a loop no longer. Blocks. Raises SavepointError."""
    names = text(shadow.run("for-each-ref", "--format=%(refname)", f"{REFS}{loop}/")).split()
    rows = "".join(f"delete {name}\n" for name in names)
    shadow.run("update-ref", "--stdin", stdin=rows.encode())


@contextmanager
def scratch(
    root: Path, shadow: Shadow, tree: str, base: Base, folder: Path | None = None
) -> Iterator[Scratch]:
    """A work tree for one loop, which holds `tree` over the commit of `base`. Blocks.

    Raises CandidateError where too many loops are under way, SavepointError and GitError.
    """
    above = folder or user_cache()
    full = f"{_PLACES} loops of {root} are under way; wait until one has ended"
    with slot(above / "refine" / state_of(root, above).name, _PLACES, full) as place:
        made = Checkouts(place, shadow)
        yield Scratch(made, made.make(0, tree, base))
