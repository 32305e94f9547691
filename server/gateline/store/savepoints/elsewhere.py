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

from gateline.git import joined, split, text
from gateline.store.savepoints.shadow import IDENTITY
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Savepoint, SavepointError


class Elsewhere:
    """Writes whole savepoints to other places. Methods block and raise SavepointError."""

    def __init__(self, savepoints: Savepoints) -> None:
        self._savepoints = savepoints
        self._shadow = savepoints.shadow

    def to_folder(self, target: Savepoint, folder: Path) -> None:
        """Into a folder that is empty or not there: it appears with all files, or not at all."""
        _refuse_taken(folder)
        with _filled_beside(folder) as fresh:
            self._check_out(target, fresh)

    def to_branch(self, target: Savepoint, name: str) -> str:
        """As one commit on a new branch, after the commit that was checked out then; its full name.

        The content passes the repository's filters and line ends, as with `git add`. What the savepoint does
        not cover is as in the commit before.
        """
        self._refuse_branch(name)
        before = self._commit_before(target)
        with tempfile.TemporaryDirectory(prefix="gateline-restore-") as scratch:
            files = Path(scratch) / "files"
            files.mkdir()
            self._check_out(target, files)
            tree = self._tree_of(target, before, files, Path(scratch) / "index")
        parents = ("-p", before) if before else ()
        message = f"{target.label}\n\nSavepoint {target.id}\n".encode()
        commit = self._line("commit-tree", tree, *parents, stdin=message, environment=self._author(target))
        self._ask("update-ref", "-m", f"gateline restore {target.id}", f"refs/heads/{name}", commit, "")
        return commit

    def to_worktree(self, target: Savepoint, folder: Path) -> str:
        """As a linked work tree with the commit that was checked out then, which is given.

        The savepoint's files lie in it as they were, not committed.
        """
        _refuse_taken(folder)
        before = self._commit_before(target)
        if not before:
            raise SavepointError("there is no commit that a work tree could stand on; use --to FOLDER")
        self._ask("worktree", "add", "--quiet", "--detach", "--no-checkout", str(folder.absolute()), before)
        try:
            self._fill(target, before, folder.absolute())
        except BaseException:
            with suppress(SavepointError):
                self._ask("worktree", "remove", "--force", str(folder.absolute()))
            raise
        return before

    def _fill(self, target: Savepoint, before: str, folder: Path) -> None:
        inside = ("-C", str(folder))
        self._ask(*inside, "read-tree", before)
        rest = [path for path in self._files(before) if _is_uncovered(target, path)]
        self._ask(*inside, "checkout-index", "-z", "--stdin", stdin=joined(rest))
        self._check_out(target, folder)

    def _check_out(self, target: Savepoint, folder: Path) -> None:
        """All files of a savepoint, byte for byte."""
        with tempfile.TemporaryDirectory(prefix="gateline-restore-") as scratch:
            index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            self._shadow.run("read-tree", target.tree, environment=index)
            prefix = f"--prefix={folder.absolute()}{os.sep}"
            self._shadow.run("checkout-index", "--all", "--force", prefix, environment=index)

    def _tree_of(self, target: Savepoint, before: str, files: Path, index: Path) -> str:
        """The tree that the user's git makes of some files, over a commit."""
        place = {"GIT_INDEX_FILE": str(index), "GIT_WORK_TREE": str(files), "GIT_DIR": str(self._git_dir())}
        given = self._shadow.names("ls-tree", "-r", "-z", "--name-only", target.tree)
        if before:
            self._ask("read-tree", before, environment=place)
        known = self._files(before) if before else []
        kept = frozenset(given)
        gone = [path for path in known if path not in kept and not _is_uncovered(target, path)]
        self._ask("update-index", "--force-remove", "-z", "--stdin", stdin=joined(gone), environment=place)
        how = ("-c", "core.safecrlf=false", "update-index", "--add", "--replace", "-z", "--stdin")
        self._ask(*how, stdin=joined(given), environment=place)
        return self._line("write-tree", environment=place)

    def _files(self, commit: str) -> list[str]:
        """The files and links of a commit, without repositories inside."""
        rows = (row.partition("\t") for row in split(self._ask("ls-tree", "-r", "-z", "--full-tree", commit)))
        return [path for head, _, path in rows if " blob " in head]

    def _commit_before(self, target: Savepoint) -> str:
        """What was checked out when the savepoint was taken; of an older one what is checked out now."""
        commit = target.head or self._shadow.head()
        if not commit:
            return ""
        try:
            return self._line("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
        except SavepointError:
            raise SavepointError(f"the commit {commit} of the savepoint is gone; use --to FOLDER") from None

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
            raise SavepointError(f"{name!r} is no name for a branch") from None
        if self._line("for-each-ref", f"refs/heads/{name}"):
            raise SavepointError(f"branch {name!r} is there already; name one that is not")

    def _git_dir(self) -> Path:
        if self._shadow.git_dir is None:
            raise SavepointError(f"{self._savepoints.root} is in no git repository; use --to FOLDER")
        return self._shadow.git_dir

    def _ask(
        self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> bytes:
        return self._shadow.ask_user(*arguments, stdin=stdin, environment=environment)

    def _line(self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
        return text(self._ask(*arguments, stdin=stdin, environment=environment)).split("\n")[0]


def _refuse_taken(folder: Path) -> None:
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise SavepointError(f"{folder} is not an empty folder; name one that is, or that is not there")


@contextmanager
def _filled_beside(folder: Path) -> Iterator[Path]:
    """A fresh folder that takes the place of an empty one when nothing went wrong."""
    whole = folder.absolute()
    fresh = whole.with_name(f".gateline-restoring-{secrets.token_hex(4)}")
    try:
        fresh.mkdir(parents=True)
        yield fresh
        if whole.is_dir():
            whole.rmdir()
        fresh.rename(whole)
    except OSError as error:
        raise SavepointError(f"{folder} cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _is_uncovered(target: Savepoint, path: str) -> bool:
    return any(path == row.path or path.startswith(f"{row.path}/") for row in target.uncovered)
