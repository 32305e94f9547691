"""Restores a savepoint beside the work tree: into a folder, as a branch, or as a work tree of its own.

What is checked out stays as it is: HEAD, the index and the files of now. A branch and a work tree are made in
the user's repository because they were asked for; hooks do not run.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from gateline.git import joined, text, without_filters
from gateline.store.savepoints.gaps import Gaps
from gateline.store.savepoints.permissions import FOLDER, LINK, guarded, umask
from gateline.store.savepoints.shadow import IDENTITY, Entry
from gateline.store.savepoints.taking import GITLINK, Savepoints
from gateline.store.savepoints.values import Savepoint, SavepointError, SavepointUsageError

_BITS = 0o777
_OWNER = 0o700
_NO_FETCHING = {"GIT_LFS_SKIP_SMUDGE": "1"}


class Elsewhere:
    """Writes whole savepoints to other places. Methods block and raise SavepointError."""

    def __init__(self, savepoints: Savepoints) -> None:
        self._savepoints = savepoints
        self._shadow = savepoints.shadow

    def to_folder(self, target: Savepoint, folder: Path) -> None:
        """Into a folder that is empty or not there: it appears with all files, or not at all."""
        _refuse_taken(folder)
        with _filled_beside(folder, self._bits_of_top(target, folder)) as fresh:
            self._check_out(target, fresh)

    def to_branch(self, target: Savepoint, name: str) -> str:
        """As one commit on a new branch, after the commit that was checked out then; its full name.

        The content passes the repository's filters and line ends, as with `git add`. What the savepoint does
        not cover is as in the commit before, and `private` files are left out.
        """
        self._refuse_branch(name)
        before = self._commit_before(target)
        with tempfile.TemporaryDirectory(prefix="gateline-restore-") as scratch:
            files = Path(scratch) / "files"
            files.mkdir()
            tree = self._tree_of(target, before, files, Path(scratch) / "index")
        parents = ("-p", before) if before else ()
        message = f"{target.label}\n\nSavepoint {target.id}\n".encode()
        commit = self._line("commit-tree", tree, *parents, stdin=message, environment=self._author(target))
        self._ask("update-ref", "-m", f"gateline restore {target.id}", f"refs/heads/{name}", commit, "")
        return commit

    def private(self, target: Savepoint) -> list[str]:
        """Files that only their owner could read and git did not track: whoever has a branch can read it."""
        coverage = self._savepoints.coverage(target)
        bits = coverage.permissions if coverage else None
        if bits is None:
            return []
        known = self._shadow.files_of(self._commit_before(target))
        held = self._shadow.files_of(target.tree)
        return [path for path, (mode, _) in held.items() if path not in known and bits.is_private(path, mode)]

    def to_worktree(self, target: Savepoint, folder: Path) -> str:
        """As a linked work tree with the commit that was checked out then, which is given.

        The savepoint's files lie in it as they were, not committed; what was kept out of the work tree then
        is kept out of this one.
        """
        _refuse_taken(folder)
        before = self._commit_before(target)
        if not before:
            raise SavepointUsageError("there is no commit to base a work tree on; use --to FOLDER")
        bits = self._bits_of_top(target, folder)
        self._ask("worktree", "add", "--quiet", "--detach", "--no-checkout", str(folder.absolute()), before)
        try:
            # Until all is there with its permissions nobody else may look.
            folder.chmod(_OWNER)
            self._fill(target, before, folder.absolute())
            folder.chmod(bits)
        except BaseException as error:
            with suppress(SavepointError):
                self._ask("worktree", "remove", "--force", str(folder.absolute()))
            if isinstance(error, OSError):
                raise _unwritten(folder, error) from None
            raise
        return before

    def _fill(self, target: Savepoint, before: str, folder: Path) -> None:
        inside = ("-C", str(folder))
        self._ask(*inside, "read-tree", before)
        known, held = self._shadow.entries_of(before), self._shadow.files_of(target.tree)
        gaps = Gaps(self._savepoints, target)
        rest = [
            path for path, (mode, _) in known.items() if mode not in (FOLDER, GITLINK) and path not in held
        ]
        kept_out = gaps.committed(rest)
        skip = ("update-index", "--skip-worktree", "-z", "--stdin")
        self._ask(*inside, *skip, stdin=joined(kept_out))
        self._as_committed(folder, [path for path in rest if path not in kept_out and gaps.reason(path)])
        self._check_out(target, folder)
        for path in (path for path, (mode, _) in known.items() if mode == GITLINK and gaps.reason(path)):
            # Empty, as git leaves those that nobody asked it to fetch.
            with suppress(OSError):
                (folder / path).mkdir(parents=True, exist_ok=True)

    def _as_committed(self, folder: Path, paths: list[str]) -> None:
        """Files of the commit, through the repository's filters; unfiltered where one of those fails.

        Nothing is fetched: pointers of Git LFS stay pointers.
        """
        inside = ("-C", str(folder), "checkout-index", "--force", "-z", "--stdin")
        try:
            self._ask(*inside, stdin=joined(paths), environment=_NO_FETCHING)
        except SavepointError:
            self._ask(*inside, stdin=joined(paths), environment=without_filters(folder))

    def _check_out(self, target: Savepoint, folder: Path) -> None:
        """All files of a savepoint, byte for byte, and nobody can read more than then."""
        self._shadow.check_out(target.tree, folder)
        for path, bits in self._bits(target):
            (folder / path).chmod(bits)

    def _bits(self, target: Savepoint) -> Iterator[tuple[str, int]]:
        """The permissions of files and folders; what lies in a folder comes before it."""
        coverage = self._savepoints.coverage(target)
        if coverage is None:
            tracked = self._shadow.files_of(target.head)
            rest = {path: mode for path, (mode, _) in self._shadow.files_of(target.tree).items()}
            yield from (
                (path, guarded(mode)) for path, mode in rest.items() if path not in tracked and mode != LINK
            )
        elif coverage.permissions is not None:
            entries = self._shadow.entries_of(target.tree)
            for path, (mode, _) in sorted(entries.items(), reverse=True):
                if mode != LINK:
                    yield path, coverage.permissions.of(path, mode)

    def _bits_of_top(self, target: Savepoint, folder: Path) -> int:
        """The permissions of a folder that takes all files: its own, and none that the work tree had not."""
        usual = folder.stat().st_mode & _BITS if folder.is_dir() else _BITS & ~umask()
        coverage = self._savepoints.coverage(target)
        bits = coverage.permissions if coverage else None
        return usual & bits.of("", FOLDER) | _OWNER if bits else usual

    def _tree_of(self, target: Savepoint, before: str, files: Path, index: Path) -> str:
        """The tree that the user's git makes of the files of a savepoint, over a commit."""
        place = {"GIT_INDEX_FILE": str(index), "GIT_WORK_TREE": str(files), "GIT_DIR": str(self._git_dir())}
        held, known = self._shadow.files_of(target.tree), self._files(before)
        gaps, private = Gaps(self._savepoints, target), frozenset(self.private(target))
        absent = [path for path in known if path not in held]
        kept_out = gaps.committed(absent)
        gone = [path for path in absent if path not in kept_out and not gaps.reason(path)]
        # What is as in the commit passes no filter: it may be a pointer whose program is not here.
        given = [path for path, entry in held.items() if known.get(path) != entry and path not in private]
        attributes = [path for path in held if path.rpartition("/")[2] == ".gitattributes"]
        self._shadow.check_out(target.tree, files, dict.fromkeys((*given, *attributes)))
        if before:
            self._ask("read-tree", before, environment=place)
        self._ask("update-index", "--force-remove", "-z", "--stdin", stdin=joined(gone), environment=place)
        how = ("-c", "core.safecrlf=false", "update-index", "--add", "--replace", "-z", "--stdin")
        self._ask(*how, stdin=joined(given), environment=place)
        # What a partial clone has not fetched is missing, and is not asked for.
        return self._line("write-tree", "--missing-ok", environment=place)

    def _files(self, commit: str) -> dict[str, Entry]:
        """The files and links of a commit, without repositories inside."""
        return {path: entry for path, entry in self._shadow.files_of(commit).items() if entry[0] != GITLINK}

    def _commit_before(self, target: Savepoint) -> str:
        """What was checked out when the savepoint was taken; of an older one what is checked out now."""
        commit = target.head or self._shadow.user.head()
        if not commit:
            return ""
        try:
            return self._line("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
        except SavepointError:
            raise SavepointError(
                f"the commit {commit} of the savepoint no longer exists; use --to FOLDER"
            ) from None

    def _author(self, target: Savepoint) -> dict[str, str]:
        """Who commits, and when; gateline where nobody said who they are."""
        when = {"GIT_AUTHOR_DATE": target.at.isoformat()}
        try:
            for role in ("AUTHOR", "COMMITTER"):
                self._ask("var", f"GIT_{role}_IDENT")
        except SavepointError:
            return IDENTITY | when
        return when

    def _refuse_branch(self, name: str) -> None:
        self._git_dir()
        try:
            self._ask("check-ref-format", "--branch", name)
        except SavepointError:
            raise SavepointUsageError(f"{name!r} is not a valid branch name") from None
        if self._line("for-each-ref", f"refs/heads/{name}"):
            raise SavepointUsageError(f"branch {name!r} already exists; choose another name")

    def _git_dir(self) -> Path:
        places = self._shadow.user.places
        if places is None:
            raise SavepointUsageError(f"{self._savepoints.root} is not in a git repository; use --to FOLDER")
        return places.git_dir

    def _ask(
        self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> bytes:
        return self._shadow.user.ask(*arguments, stdin=stdin, environment=environment)

    def _line(self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
        return text(self._ask(*arguments, stdin=stdin, environment=environment)).split("\n")[0]


def _refuse_taken(folder: Path) -> None:
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise SavepointUsageError(f"{folder} is not empty; give an empty folder or a new one")


@contextmanager
def _filled_beside(folder: Path, bits: int) -> Iterator[Path]:
    """A fresh folder that takes the place of an empty one when nothing went wrong, with permissions."""
    whole = folder.absolute()
    fresh = whole.with_name(f".gateline-restoring-{secrets.token_hex(4)}")
    try:
        fresh.parent.mkdir(parents=True, exist_ok=True)
        # Until all is there with its permissions nobody else may look.
        fresh.mkdir(mode=_OWNER)
        yield fresh
        fresh.chmod(bits)
        if whole.is_dir():
            whole.rmdir()
        fresh.rename(whole)
    except OSError as error:
        raise _unwritten(folder, error) from None
    except SavepointError as error:
        said = str(error).replace(str(fresh), str(folder))
        raise SavepointError(f"{said}; nothing was restored") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _unwritten(folder: Path, error: OSError) -> SavepointError:
    return SavepointError(f"{folder} cannot be written: {error.strerror or error}")
