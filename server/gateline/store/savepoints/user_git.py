"""The user's own git, as a savepoint asks it: with their settings, and without their hooks."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from gateline.git import GitError, answered, split, text
from gateline.store.savepoints.values import SavepointError

_SECONDS = 120.0
"""So long one command of git may take."""
_NO = ("false", "no", "off", "0")
_KEPT_OUT = "S"
"""How `git ls-files -t` marks what is not in the work tree on purpose (skip-worktree)."""
_PLACES = ("--absolute-git-dir", "--git-path", "objects", "--git-path", "info/exclude")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the user's repository keeps things."""

    git_dir: Path
    objects: Path
    excludes: Path
    kind: str
    """The object format."""


@dataclass(frozen=True, slots=True)
class UserIndex:
    """The files in the index of the user's repository, from the root; none without one."""

    tracked: frozenset[str] = frozenset()
    """Those that belong in the work tree."""
    kept_out: frozenset[str] = frozenset()
    """Those that do not: outside of a sparse checkout, or marked by hand (skip-worktree)."""


class UserGit:
    """git in the user's work tree. Methods block and raise SavepointError."""

    def __init__(self, root: Path, no_hooks: Path) -> None:
        """`no_hooks`: a folder that is not there."""
        self._root = root
        self.no_hooks = ("-c", f"core.hooksPath={no_hooks}")
        self.places = self._places()
        """None where there is no repository."""
        self._known: tuple[object, UserIndex] = (None, UserIndex())
        self.settings = self._settings()
        """Those that matter to which files there are, as options."""

    def ask(self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> bytes:
        """What git answers."""
        return asked(self._root, *self.no_hooks, *arguments, stdin=stdin, environment=environment)[0]

    @property
    def kind(self) -> str:
        """The object format."""
        return self.places.kind if self.places else "sha1"

    def head(self) -> str:
        """The commit that is checked out; empty when there is none."""
        found = self._lines("rev-parse", "--verify", "--quiet", "HEAD") if self.places else []
        return next(iter(found), "")

    def index(self) -> UserIndex:
        """What is tracked here; asked again when the index was written."""
        signature = self._signature()
        if signature is None or signature != self._known[0]:
            self._known = signature, self._asked()
        return self._known[1]

    def _asked(self) -> UserIndex:
        if self.places is None:
            return UserIndex()
        try:
            rows = split(self.ask("ls-files", "-z", "-t"))
        except SavepointError:
            return UserIndex()
        kept_out = frozenset(row[2:] for row in rows if row[0] == _KEPT_OUT)
        return UserIndex(frozenset(row[2:] for row in rows) - kept_out, kept_out)

    def _signature(self) -> object:
        """What changes with each write of the index, since git puts a new file in its place."""
        if self.places is None or "GIT_INDEX_FILE" in os.environ:
            return None
        try:
            found = (self.places.git_dir / "index").stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size

    def own_rules(self) -> Path:
        """The file with the person's own ignore rules, which need not be there."""
        chosen = self._setting("core.excludesfile")
        if chosen:
            return Path(chosen)
        home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(home, "git", "ignore")

    @property
    def keeps_permissions(self) -> bool:
        """Whether permissions mean something in the work tree."""
        return os.name == "posix" and self._setting("core.filemode").lower() not in _NO

    def _setting(self, name: str) -> str:
        found = [value for part in self.settings for key, _, value in (part.partition("="),) if key == name]
        return found[-1] if found else ""

    def _places(self) -> Places | None:
        found = self._lines("rev-parse", "--path-format=absolute", *_PLACES, "--show-object-format")
        if len(found) != len(fields(Places)):
            return None
        git_dir, objects, excludes, kind = found
        return Places(Path(git_dir), Path(objects), Path(excludes), kind)

    def _settings(self) -> tuple[str, ...]:
        wanted = ("--type=path", "-z", "--get-regexp", r"^core\.(excludesfile|filemode|ignorecase)$")
        try:
            rows = split(self.ask("config", *wanted))
        except SavepointError:
            return ()
        # A key without a value stays one: it means true.
        return tuple(part for row in rows for part in ("-c", row.replace("\n", "=", 1)))

    def _lines(self, *arguments: str) -> list[str]:
        try:
            return text(self.ask(*arguments)).split("\n")[:-1]
        except SavepointError:
            return []


def content_of(file: Path) -> bytes:
    """The bytes of a file; none where it cannot be read."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def asked(
    folder: Path,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    ends: Collection[int] = (0,),
) -> tuple[bytes, bytes]:
    """What git answers in a folder, and what it warns of. Blocks. Raises SavepointError."""
    try:
        return answered(folder, *arguments, stdin=stdin, environment=environment, seconds=_SECONDS, ends=ends)
    except GitError as error:
        raise SavepointError(str(error).removeprefix("fatal: ").removeprefix("error: ")) from None
