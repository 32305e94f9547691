"""Takes savepoints, and lists them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import portalocker

from gateline.git import joined, split
from gateline.git import text as read
from gateline.store.savepoints.claim import WAIT, alone
from gateline.store.savepoints.coverage import Coverage, collapsed, written
from gateline.store.savepoints.coverage import read as read_coverage
from gateline.store.savepoints.ground import UNREADABLE, Ground
from gateline.store.savepoints.permissions import permissions_in
from gateline.store.savepoints.shadow import Shadow
from gateline.store.savepoints.user_git import UserIndex
from gateline.store.savepoints.values import (
    Savepoint,
    SavepointError,
    SavepointUsageError,
    Uncovered,
    files_told,
)

REFS = "refs/savepoints/"
COVERAGE = "refs/coverage/"
GITLINK = "160000"
"""git's mode of a repository inside."""
LARGEST = 5_000_000
"""Bytes: larger files are not covered."""
_NULL = "0"
"""What git's name of nothing is made of."""
PATIENCE = 30.0
"""Seconds to wait for another process's savepoint."""


def journal_in(folder: Path) -> Path:
    """The journal of a restore that is under way or was killed, in the folder of the savepoints."""
    return folder / "savepoints.git" / "restoring.json"


@dataclass(frozen=True, slots=True)
class _Held:
    """What is there now, as far as a savepoint holds it."""

    tree: str
    uncovered: tuple[Uncovered, ...]
    coverage: Coverage


class Savepoints:
    """The savepoints of one workspace. Methods block and raise SavepointError."""

    def __init__(self, root: Path, folder: Path, largest: int = LARGEST, patience: float = PATIENCE) -> None:
        """Of the work tree `root`, kept in `folder`, which is made. `largest`: bytes of a file at most.

        `patience`: seconds to wait for another process that takes or restores one.
        """
        self.root = root
        with files_told():
            folder.mkdir(parents=True, exist_ok=True)
            self.shadow = Shadow(root, folder / "savepoints.git")
        self.largest = largest
        self._patience = patience
        self._lock = folder / "savepoints.lock"
        self._claim = folder / "restoring.lock"

    def take(self, label: str, at: datetime, texts: Mapping[str, str] | None = None) -> Savepoint:
        """The content of now. `texts` are unsaved ones, which take the place of their files.

        When nothing differs from the newest savepoint, that one is given; it learns what it does not hold.
        """
        with self.locked():
            head = self.shadow.user.head()
            self.shadow.take_rules()
            try:
                held = self._written(texts or {}, head)
            except SavepointError:
                # The user's repository may have given up objects that our index counts on.
                (self.shadow.folder / "index").unlink(missing_ok=True)
                held = self._written_anew(texts or {}, head)
            newest = next(iter(self.all(newest=1)), None)
            if newest is not None and self._is_known(newest, held, head):
                return newest
            return self._commit(held, label, at, head)

    def content(self) -> str:
        """The tree that a savepoint of now would hold; none is taken."""
        with self.locked():
            self.shadow.take_rules()
            return self._written({}, self.shadow.user.head()).tree

    def keep(self, tree: str, label: str, at: datetime, like: str) -> Savepoint:
        """A savepoint of another tree; it covers what the newest savepoint of the tree `like` covers."""
        with self.locked():
            first = next((one for one in self.all() if one.tree == like), None)
            if first is None:
                raise SavepointError(f"the savepoint of {like} was deleted meanwhile; run the command again")
            coverage = self.coverage(first) or Coverage()
            return self._commit(_Held(tree, first.uncovered, coverage), label, at, first.head)

    def coverage(self, savepoint: Savepoint) -> Coverage | None:
        """What a savepoint knows of what it does not hold; None: one of an earlier version knows nothing."""
        try:
            return read_coverage(self.shadow.run("cat-file", "blob", f"{COVERAGE}{savepoint.id}"))
        except (SavepointError, ValueError, KeyError, TypeError):
            return None

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
            raise SavepointUsageError(f"{what} with {name!r}; `gateline restore` lists all")
        return known[0]

    def drop(self, savepoints: Iterable[Savepoint]) -> None:
        """Forget savepoints, and give back what only they held."""
        with self.locked():
            names = [f"{refs}{savepoint.id}" for savepoint in savepoints for refs in (REFS, COVERAGE)]
            self._refer(f"delete {name}" for name in names)
            self.shadow.run("prune", "--expire=now")

    def size(self) -> int:
        """Bytes on disk, without what is borrowed from the user's repository."""
        files = (file for file in self.shadow.folder.rglob("*") if file.is_file())
        return sum(file.stat().st_size for file in files)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """No other process takes or restores a savepoint of this workspace meanwhile."""
        try:
            with files_told(), portalocker.Lock(self._lock, "a", timeout=self._patience):
                yield
        except portalocker.LockException:
            raise SavepointError(f"another process kept savepoints locked for {self._patience:g} s") from None

    def restoring(self, wait: float | None = None) -> AbstractContextManager[None]:
        """Nobody else restores meanwhile, from the plan on; `wait`: seconds until that is an error.

        Savepoints are taken all the same.
        """
        return alone(self._claim, self.root, WAIT if wait is None else wait)

    def _written(self, texts: Mapping[str, str], head: str) -> _Held:
        """The tree of now, with all its objects, and what it does not hold."""
        uncovered, coverage = self._stage(texts)
        # That all objects are there is seen to by `own`, and by the commit.
        tree = self.shadow.line("write-tree", "--missing-ok")
        self.shadow.own([tree, *self._not_committed(tree, head)])
        return _Held(tree, tuple(sorted(uncovered, key=lambda row: row.path)), coverage)

    def _written_anew(self, texts: Mapping[str, str], head: str) -> _Held:
        try:
            return self._written(texts, head)
        except SavepointError as error:
            raise SavepointError(f"no savepoint can be kept in {self.shadow.folder}: {error}") from None

    def _is_known(self, newest: Savepoint, held: _Held, head: str) -> bool:
        """Whether a savepoint holds what is there now; then it takes over what is not held now."""
        if (newest.tree, newest.uncovered) != (held.tree, held.uncovered):
            return False
        now = held.coverage
        if newest.head != head and now.sparse:
            # What is kept out of the work tree is as in the commit.
            return False
        if self.shadow.blob_name(written(now)) == self.shadow.ref(f"{COVERAGE}{newest.id}"):
            return True
        known = self.coverage(newest)
        if known is None or known.permissions != now.permissions or known.sparse != now.sparse:
            return False
        both = known.joined(now)
        if both != known:
            self._refer([f"update {COVERAGE}{newest.id} {self._kept(both)}"])
        return True

    def _not_committed(self, tree: str, head: str) -> Iterator[str]:
        """The objects of a tree that the commit which is checked out does not hold."""
        if not head:
            rows = self.shadow.names("ls-tree", "-r", "-t", "-z", tree)
            return (row.partition("\t")[0].split(" ")[2] for row in rows)
        fields = self.shadow.names("diff-tree", "-r", "-t", "-z", "--raw", "--no-renames", head, tree)
        return (name for row in fields[::2] if (name := row.split(" ")[3]) != _NULL * len(name))

    def _stage(self, texts: Mapping[str, str]) -> tuple[list[Uncovered], Coverage]:
        """Bring our index up to date with the work tree."""
        # A process that was killed may have left it; who holds the lock is alone.
        (self.shadow.folder / "index.lock").unlink(missing_ok=True)
        listing, users = self.shadow.listing(), self.shadow.user.index()
        ground = Ground(self.root, self.largest)
        # What the user tracks is never ignored.
        forced = sorted(users.tracked.difference(listing.held, listing.found))
        looked = {path: ground.look(path) for path in (*listing.found, *forced)}
        there = [path for path, look in looked.items() if look.is_there]
        gone = [path for path, look in looked.items() if not look.is_there and path in listing.held]
        self._index("--force-remove", paths=gone)
        self._index("--add", "--remove", "--replace", paths=there)
        held = listing.held.difference(gone).union(there)
        ours, rest = self.shadow.ignored()
        ignored = ours.intersection(held - users.tracked)
        self._index("--force-remove", paths=ignored)
        self._lay(texts)
        links = [path for path in forced if ground.is_folder(path)]
        coverage = Coverage(
            rest | ignored,
            _kept_out(users, ground),
            frozenset(self._submodules(links)),
            self.shadow.rules(),
            permissions_in(str(self.root), held - ignored) if self.shadow.user.keeps_permissions else None,
        )
        reasons = {path.rstrip("/"): look.reason for path, look in looked.items() if look.reason}
        reasons |= dict.fromkeys(listing.unread, UNREADABLE)
        return [Uncovered(path, reason) for path, reason in reasons.items()], coverage

    def _submodules(self, folders: list[str]) -> list[str]:
        """Those of some folders for which the user's git tracks a repository."""
        if not folders:
            return []
        only = [f":(literal){path}" for path in folders]
        rows = split(self.shadow.user.ask("ls-files", "-z", "--stage", "--", *only))
        return [row.partition("\t")[2] for row in rows if row.startswith(GITLINK)]

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

    def _commit(self, held: _Held, label: str, at: datetime, head: str) -> Savepoint:
        rows = [[row.path, row.reason] for row in held.uncovered]
        said = {"label": label, "at": at.isoformat(), "uncovered": rows, "head": head}
        commit = self.shadow.line("commit-tree", held.tree, stdin=json.dumps(said).encode())
        name = f"{at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{held.tree[:8]}"
        # Both or neither: a savepoint without its coverage would count as one of an earlier version.
        self._refer([f"update {COVERAGE}{name} {self._kept(held.coverage)}", f"update {REFS}{name} {commit}"])
        return Savepoint(name, at, held.tree, label, held.uncovered, head)

    def _kept(self, coverage: Coverage) -> str:
        data = written(coverage)
        name = self.shadow.blob_name(data)
        return name if self.shadow.has(name) else self.shadow.line("hash-object", "-w", "--stdin", stdin=data)

    def _refer(self, changes: Iterable[str]) -> None:
        """Change refs, all or none."""
        self.shadow.run("update-ref", "--stdin", stdin="".join(f"{row}\n" for row in changes).encode())


def _kept_out(users: UserIndex, ground: Ground) -> frozenset[str]:
    """What git keeps out of the work tree, and is not there; a folder stands for all in it."""
    found: set[str] = set()
    if not users.kept_out:
        return frozenset()
    for path, files in collapsed(users.kept_out, users.tracked).items():
        if ground.is_there(path):
            found.update(file for file in files if not ground.is_there(file))
        else:
            found.add(path)
    return frozenset(found)


def _savepoint(name: str, tree: str, text: str) -> Savepoint:
    said = json.loads(text)
    uncovered = tuple(Uncovered(path, reason) for path, reason in said["uncovered"])
    at = datetime.fromisoformat(said["at"])
    # One of an earlier version does not say what was checked out.
    return Savepoint(name, at, tree, said["label"], uncovered, said.get("head", ""))
