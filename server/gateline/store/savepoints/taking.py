"""Takes savepoints, and lists them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import portalocker

from gateline.git import joined
from gateline.git import text as read
from gateline.store.savepoints.ground import Ground
from gateline.store.savepoints.shadow import Shadow
from gateline.store.savepoints.values import Savepoint, SavepointError, Uncovered

REFS = "refs/savepoints/"
LARGEST = 5_000_000
"""Bytes: larger files are not covered."""
_NULL = "0"
"""What git's name of nothing is made of."""
_PATIENCE = 30.0
"""Seconds to wait for another process's savepoint."""


class Savepoints:
    """The savepoints of one workspace. Methods block and raise SavepointError."""

    def __init__(self, root: Path, folder: Path, largest: int = LARGEST) -> None:
        """Of the work tree `root`, kept in `folder`, which is made. `largest`: bytes of a file at most."""
        folder.mkdir(parents=True, exist_ok=True)
        self.root = root
        self.shadow = Shadow(root, folder / "savepoints.git")
        self._largest = largest
        self._lock = folder / "savepoints.lock"

    def take(self, label: str, at: datetime, texts: Mapping[str, str] | None = None) -> Savepoint:
        """The content of now. `texts` are unsaved ones, which take the place of their files.

        When nothing differs from the newest savepoint, that one is given.
        """
        with self.locked():
            head = self.shadow.head()
            try:
                tree, uncovered = self._written(texts or {}, head)
            except SavepointError:
                # The user's repository may have given up objects that our index counts on.
                (self.shadow.folder / "index").unlink(missing_ok=True)
                tree, uncovered = self._written(texts or {}, head)
            newest = next(iter(self.all(newest=1)), None)
            if newest is not None and (newest.tree, newest.uncovered) == (tree, uncovered):
                return newest
            return self._commit(tree, label, at, uncovered, head)

    def all(self, *, newest: int | None = None) -> list[Savepoint]:
        """All savepoints, or the newest few; newest first."""
        form = "%(refname)%00%(tree)%00%(contents)%00"
        most = () if newest is None else (f"--count={newest}",)
        parts = self.shadow.run("for-each-ref", "--sort=-refname", *most, f"--format={form}", REFS)
        fields = read(parts).split("\0")[:-1]
        rows = zip(fields[::3], fields[1::3], fields[2::3], strict=True)
        return [_savepoint(name.strip().removeprefix(REFS), tree, text) for name, tree, text in rows]

    def find(self, name: str) -> Savepoint:
        """The savepoint whose identifier is or begins with `name`."""
        known = [savepoint for savepoint in self.all() if savepoint.id.startswith(name)]
        if len(known) != 1:
            what = f"{len(known)} savepoints begin" if known else "no savepoint begins"
            raise SavepointError(f"{what} with {name!r}; `gateline restore` lists all")
        return known[0]

    def drop(self, savepoints: Iterable[Savepoint]) -> None:
        """Forget savepoints, and give back what only they held."""
        with self.locked():
            for savepoint in savepoints:
                self.shadow.run("update-ref", "-d", f"{REFS}{savepoint.id}")
            self.shadow.run("prune", "--expire=now")

    def size(self) -> int:
        """Bytes on disk, without what is borrowed from the user's repository."""
        files = (file for file in self.shadow.folder.rglob("*") if file.is_file())
        return sum(file.stat().st_size for file in files)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """No other process takes or restores a savepoint of this workspace meanwhile."""
        try:
            with portalocker.Lock(self._lock, "a", timeout=_PATIENCE):
                yield
        except portalocker.LockException:
            raise SavepointError(
                f"another process has been busy with savepoints for {_PATIENCE:g} s"
            ) from None

    def _written(self, texts: Mapping[str, str], head: str) -> tuple[str, tuple[Uncovered, ...]]:
        """The tree of now, with all its objects, and what it does not hold."""
        uncovered = tuple(sorted(self._stage(texts), key=lambda row: row.path))
        # That all objects are there is seen to by `own`, and by the commit.
        tree = self.shadow.line("write-tree", "--missing-ok")
        self.shadow.own([tree, *self._not_committed(tree, head)])
        return tree, uncovered

    def _not_committed(self, tree: str, head: str) -> Iterator[str]:
        """The objects of a tree that the commit which is checked out does not hold."""
        if not head:
            rows = self.shadow.names("ls-tree", "-r", "-t", "-z", tree)
            return (row.partition("\t")[0].split(" ")[2] for row in rows)
        fields = self.shadow.names("diff-tree", "-r", "-t", "-z", "--raw", "--no-renames", head, tree)
        return (name for row in fields[::2] if (name := row.split(" ")[3]) != _NULL * len(name))

    def _stage(self, texts: Mapping[str, str]) -> list[Uncovered]:
        """Bring our index up to date with the work tree."""
        # A process that was killed may have left it; who holds the lock is alone.
        (self.shadow.folder / "index.lock").unlink(missing_ok=True)
        found = self.shadow.names("ls-files", "-z", "--others", "--modified", "--exclude-standard")
        ground = Ground(self.root, self._largest)
        looked = {path: ground.look(path) for path in dict.fromkeys(found)}
        self._index("--force-remove", paths=(path for path, look in looked.items() if not look.is_there))
        there = (path for path, look in looked.items() if look.is_there)
        self._index("--add", "--remove", "--replace", paths=there)
        self._index("--force-remove", paths=self._newly_ignored())
        self._lay(texts)
        reasons = ((path, look.reason) for path, look in looked.items() if look.reason)
        return [Uncovered(path.rstrip("/"), reason) for path, reason in reasons]

    def _newly_ignored(self) -> list[str]:
        """Files that we have and that are ignored now; what the user tracks is never ignored."""
        ignored = self.shadow.names("ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
        if not ignored:
            return []
        tracked = self.shadow.tracked_by_user()
        return [path for path in ignored if path not in tracked]

    def _index(self, *how: str, paths: Iterable[str]) -> None:
        given = joined(paths)
        if given:
            self.shadow.run("update-index", *how, "-z", "--stdin", stdin=given)

    def _lay(self, texts: Mapping[str, str]) -> None:
        for path, text in texts.items():
            data = text.encode("utf-8", "surrogatepass")
            blob = self.shadow.line("hash-object", "-w", "--no-filters", "--stdin", stdin=data)
            mode = "100755" if os.access(self.root / path, os.X_OK) else "100644"
            self.shadow.run("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")

    def _commit(
        self, tree: str, label: str, at: datetime, uncovered: tuple[Uncovered, ...], head: str
    ) -> Savepoint:
        rows = [[row.path, row.reason] for row in uncovered]
        said = {"label": label, "at": at.isoformat(), "uncovered": rows, "head": head}
        commit = self.shadow.line("commit-tree", tree, stdin=json.dumps(said).encode())
        name = f"{at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{tree[:8]}"
        self.shadow.run("update-ref", f"{REFS}{name}", commit)
        return Savepoint(name, at, tree, label, uncovered, head)


def _savepoint(name: str, tree: str, text: str) -> Savepoint:
    said = json.loads(text)
    uncovered = tuple(Uncovered(path, reason) for path, reason in said["uncovered"])
    at = datetime.fromisoformat(said["at"])
    # One of an earlier version does not say what was checked out.
    return Savepoint(name, at, tree, said["label"], uncovered, said.get("head", ""))
