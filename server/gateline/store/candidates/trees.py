"""Candidates by the names that a person gives them: commits, stash entries, folders, patches, savepoints.

Everything goes through gateline's own git directory: the user's refs, index and list of work trees stay as
they are.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.git import text
from gateline.store.savepoints.taking import GITLINK, Savepoints
from gateline.store.savepoints.values import SavepointError

_STASH = re.compile(r"stash(@\{\d+\})?")
_OF_HISTORY = ("commit", "stash entry")
_POINTER = b"version https://git-lfs.github.com/spec/"
_LONGEST_POINTER = 1024


class CandidateError(Exception):
    """A candidate cannot be used; the message names it, and says why."""


@dataclass(frozen=True, slots=True)
class Given:
    """A candidate that can be compared."""

    name: str
    kind: str
    """`commit`, `stash entry`, `folder`, `patch` or `savepoint`."""
    tree: str
    changed: tuple[str, ...]
    """Paths that differ from the base, from the top of the repository; what all share is left out."""
    origin: str = ""
    """The tree that its own changes are told against; empty: that of the base."""
    start: str = ""
    """The later commit that it is based on; empty: the base, or what all share."""
    ahead: int = 0
    """So many commits of others that one is after these."""


@dataclass(frozen=True, slots=True)
class Base:
    """What all candidates are compared with."""

    commit: str
    tree: str


@dataclass(frozen=True, slots=True)
class Shared:
    """Commits after the base that all candidates have: nobody's own."""

    commit: str = ""
    """The last one; empty: there are none."""
    count: int = 0


class Trees:
    """Finds the trees of candidates. Methods block and raise CandidateError."""

    def __init__(self, savepoints: Savepoints, folder: Path) -> None:
        """`folder` is where relative paths begin."""
        self._savepoints = savepoints
        self._shadow = savepoints.shadow
        self._folder = folder

    def base(self, ref: str | None, names: Sequence[str]) -> Base:
        """The commit that `ref` names; without it the best common ancestor of HEAD and all commits."""
        if ref:
            commit = self._commit(ref)
            if not commit:
                raise CandidateError(f"base {ref!r} names no commit here; see `git branch --all`")
            return Base(commit, self._tree_of(commit))
        commits = [found for found in (self._commit(one) for one in ("HEAD", *names)) if found]
        if not commits:
            raise CandidateError("there is no commit to compare with; name one with --base")
        shared = self._ancestor(*dict.fromkeys(commits))
        if not shared:
            raise CandidateError("the candidates have no history in common with HEAD; name one with --base")
        return Base(shared, self._tree_of(shared))

    def find(self, name: str, base: Base) -> Given:
        """What a person named, as a tree."""
        kind, tree = self._found(name, base)
        if tree == base.tree:
            raise CandidateError(f"{name} is equal to the base: there is nothing to compare")
        given = Given(name, kind, tree, self._changed(base.tree, tree))
        self._refuse(given, base)
        return given

    def told_apart(self, found: Sequence[Given], base: Base) -> tuple[Shared, tuple[Given, ...]]:
        """What all candidates share beyond the base, and each with what it is based on."""
        commits = {one.name: self._commit(one.name) for one in found if one.kind in _OF_HISTORY}
        shared = self._shared(list(commits.values()), base) if len(commits) == len(found) else Shared()
        start = shared.commit or base.commit
        heads = [*commits.values(), self._commit("HEAD")]
        return shared, tuple(
            self._with_start(self._own(one, shared), commits[one.name], heads, start)
            if one.name in commits
            else one
            for one in found
        )

    def _shared(self, commits: Sequence[str], base: Base) -> Shared:
        commit = self._ancestor(*commits)
        if not commit or commit in commits:
            return Shared()
        count = self._count(base.commit, commit)
        return Shared(commit, count) if count else Shared()

    def _own(self, given: Given, shared: Shared) -> Given:
        if not shared.commit:
            return given
        tree = self._tree_of(shared.commit)
        return replace(given, changed=self._changed(tree, given.tree), origin=tree)

    def _with_start(self, given: Given, commit: str, heads: Sequence[str], start: str) -> Given:
        """The furthest commit that it has in common with another head."""
        forks = {self._ancestor(commit, head) for head in heads if head and head != commit} - {"", commit}
        count, fork = max(((self._count(start, one), one) for one in sorted(forks)), default=(0, ""))
        return replace(given, start=fork, ahead=count) if count else given

    def _ancestor(self, *commits: str) -> str:
        try:
            return self._user("merge-base", "--octopus", *commits)
        except SavepointError:
            return ""

    def _count(self, before: str, after: str) -> int:
        return int(self._user("rev-list", "--count", f"{before}..{after}"))

    def contents(self, tree: str, paths: Sequence[str]) -> Mapping[str, bytes]:
        """The bytes of files of a tree, by path; links and what is not there are left out."""
        held = self._shadow.files_of(tree, paths)
        blobs = {path: held[path][1] for path in paths if path in held and held[path][0].startswith("100")}
        found = self._shadow.contents(list(dict.fromkeys(blobs.values())))
        return {path: found[blob] for path, blob in blobs.items() if blob in found}

    def blobs(self, tree: str, paths: Sequence[str]) -> Mapping[str, str]:
        """Git's names of the content of files, by path; what is not there is left out."""
        held = self._shadow.files_of(tree, paths) if paths else {}
        return {path: held[path][1] for path in paths if path in held}

    def with_files(self, tree: str, other: str, paths: Sequence[str]) -> str:
        """A tree with the files that another one has at `paths`; what it does not have is taken away."""
        if not paths:
            return tree
        held = self._shadow.files_of(other, paths)
        gone = "0" * len(tree)
        rows = (" ".join(held[path]) if path in held else f"0 {gone}" for path in paths)
        given = "".join(f"{row}\t{path}\0" for row, path in zip(rows, paths, strict=True))
        with tempfile.TemporaryDirectory(prefix="gateline-compare-") as scratch:
            place = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            self._shadow.run("read-tree", tree, environment=place)
            how = ("update-index", "-z", "--replace", "--index-info")
            self._shadow.run(*how, stdin=os.fsencode(given), environment=place)
            return text(self._shadow.run("write-tree", environment=place)).strip()

    def added(self, before: str, after: str) -> str:
        """The lines that a tree adds to Python files of another."""
        rows = text(self._shadow.run("diff-tree", "-p", "-U0", "--no-renames", before, after, "--", "*.py"))
        return "\n".join(row[1:] for row in rows.splitlines() if row[:1] == "+" and row[:3] != "+++")

    def diff(self, before: str, after: str) -> str:
        """The patch from one tree to another."""
        return text(self._shadow.run("diff-tree", "-p", "--no-renames", before, after))

    def _found(self, name: str, base: Base) -> tuple[str, str]:
        path = self._folder / Path(name).expanduser()
        commit = self._commit(name)
        if commit:
            return "stash entry" if _STASH.fullmatch(name) else "commit", self._tree_of(commit)
        if path.is_dir():
            return "folder", self._tree_of_folder(name, path)
        if path.is_file():
            return "patch", self._tree_of_patch(name, path, base)
        try:
            return "savepoint", self._savepoints.find(name).tree
        except SavepointError:
            raise CandidateError(
                f"{name} is not a branch, commit, stash entry, folder, patch file or savepoint here"
            ) from None

    def _commit(self, name: str) -> str:
        try:
            return self._user("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except SavepointError:
            return ""

    def _tree_of(self, commit: str) -> str:
        return self._user("rev-parse", "--verify", f"{commit}^{{tree}}")

    def _user(self, *arguments: str) -> str:
        return text(self._shadow.user.ask(*arguments)).split("\n")[0]

    def _tree_of_folder(self, name: str, folder: Path) -> str:
        with tempfile.TemporaryDirectory(prefix="gateline-compare-") as scratch:
            place = {"GIT_INDEX_FILE": str(Path(scratch) / "index"), "GIT_WORK_TREE": str(folder.resolve())}
            try:
                self._shadow.run("add", "--all", "--", ".", environment=place, at=folder)
                return text(self._shadow.run("write-tree", environment=place, at=folder)).strip()
            except SavepointError as error:
                raise CandidateError(f"{name} cannot be read: {error}") from None

    def _tree_of_patch(self, name: str, file: Path, base: Base) -> str:
        try:
            patch = file.read_bytes()
        except OSError as error:
            raise CandidateError(f"{name} cannot be read: {error.strerror}") from None
        with tempfile.TemporaryDirectory(prefix="gateline-compare-") as scratch:
            place = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            try:
                self._shadow.run("read-tree", base.tree, environment=place)
                how = ("apply", "--cached", "--whitespace=nowarn", "-")
                self._shadow.run(*how, stdin=patch, environment=place)
                return text(self._shadow.run("write-tree", environment=place)).strip()
            except SavepointError as error:
                raise CandidateError(f"{name} does not apply to the base: {error}") from None

    def _changed(self, before: str, after: str) -> tuple[str, ...]:
        return tuple(
            self._shadow.names("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after)
        )

    def _refuse(self, given: Given, base: Base) -> None:
        """Raises CandidateError where a changed file is not what lies in its tree."""
        held = self._shadow.files_of(given.tree, given.changed)
        before = self._shadow.files_of(base.tree, given.changed)
        for path in given.changed:
            if GITLINK in (held.get(path, ("",))[0], before.get(path, ("",))[0]):
                raise CandidateError(
                    f"{given.name} changes the submodule {path}, whose content is not available here"
                )
        sizes = self._shadow.sizes(blob for mode, blob in held.values() if mode.startswith("100"))
        small = [
            path
            for path in given.changed
            if sizes.get(held.get(path, ("", ""))[1], 2**40) <= _LONGEST_POINTER
        ]
        for path, content in self.contents(given.tree, small).items():
            if content.startswith(_POINTER):
                raise CandidateError(f"{given.name} has a Git LFS pointer instead of the content of {path}")
