"""A git directory of our own over the user's work tree.

It borrows the objects of the user's repository and has its own index, refs and settings, so that neither the
user's are written nor their hooks and filters run. Attributes are off: content is kept byte for byte.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from gateline.git import GitError, run, split, text
from gateline.store.savepoints.values import SavepointError

_SECONDS = 120.0
"""So long one command of git may take."""
_OURS = (
    *("-c", "core.autocrlf=false"),
    *("-c", "core.safecrlf=false"),
    *("-c", "gc.auto=0"),
    # Most of a savepoint's time goes into small files; they are few kilobytes either way.
    *("-c", "core.looseCompression=1"),
)
IDENTITY = {
    f"GIT_{who}_{what}": name
    for who in ("AUTHOR", "COMMITTER")
    for what, name in (("NAME", "gateline"), ("EMAIL", "gateline@localhost"))
}
"""Who commits where nobody said who they are."""
_APART = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
_ATTRIBUTES = "* -text -filter -ident -eol -working-tree-encoding\n"
_PLACES = ("--absolute-git-dir", "--git-path", "objects", "--git-path", "info/exclude")


@dataclass(frozen=True, slots=True)
class _Users:
    """What the user's own git says."""

    git_dir: Path
    objects: Path
    excludes: Path
    kind: str
    """The object format."""


class Shadow:
    """git, with a directory of ours and the user's work tree. Methods block and raise SavepointError."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Over the work tree `root`; the git directory is `folder`, and is made when it is not there."""
        self.root = root
        self.folder = folder
        self._users = self._asked()
        self._settings = self._chosen()
        self._prepare()

    def run(self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> bytes:
        """What git answers."""
        ours = {
            "GIT_DIR": str(self.folder),
            "GIT_WORK_TREE": str(self.root),
            "GIT_INDEX_FILE": str(self.folder / "index"),
            "GIT_OBJECT_DIRECTORY": str(self.folder / "objects"),
        }
        given = (*_OURS, *self._no_hooks, *self._settings, *arguments)
        named = _APART | IDENTITY | ours | dict(environment or {})
        return _run(self.root, *given, stdin=stdin, environment=named)

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """The first line of an answer."""
        return text(self.run(*arguments, stdin=stdin)).split("\n")[0]

    def names(self, *arguments: str) -> list[str]:
        """An answer that is a list ended by NUL."""
        return split(self.run(*arguments))

    def own(self, names: Iterable[str]) -> None:
        """Keep these objects ourselves, also where they are borrowed: what no commit holds may be pruned."""
        objects = self.folder / "objects"
        missing = [name for name in names if not (objects / name[:2] / name[2:]).exists()]
        if not missing:
            return
        packed = self.run("pack-objects", "--quiet", "--stdout", stdin="\n".join(missing).encode())
        with tempfile.TemporaryDirectory(dir=self.folder) as fresh:
            # A folder that borrows nothing: else git would find that it has them.
            self.run("unpack-objects", "-q", stdin=packed, environment={"GIT_OBJECT_DIRECTORY": fresh})
            for file in Path(fresh).glob("??/*"):
                place = objects / file.parent.name
                place.mkdir(exist_ok=True)
                file.replace(place / file.name)

    @property
    def git_dir(self) -> Path | None:
        """The user's own git directory; None without one."""
        return self._users.git_dir if self._users else None

    def ask_user(
        self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> bytes:
        """What the user's own git answers, with their settings and without their hooks."""
        return _run(self.root, *self._no_hooks, *arguments, stdin=stdin, environment=environment)

    def head(self) -> str:
        """The commit that is checked out in the user's repository; empty when there is none."""
        return self._user_line("rev-parse", "--verify", "--quiet", "HEAD") if self._users else ""

    def tracked_by_user(self) -> frozenset[str]:
        """The files in the index of the user's own repository, from the root; none without one."""
        try:
            return frozenset(split(self.ask_user("ls-files", "-z")))
        except SavepointError:
            return frozenset()

    @property
    def _no_hooks(self) -> tuple[str, str]:
        return "-c", f"core.hooksPath={self.folder / 'no-hooks'}"

    def _asked(self) -> _Users | None:
        found = self._user_lines("rev-parse", "--path-format=absolute", *_PLACES, "--show-object-format")
        if len(found) != len(fields(_Users)):
            return None
        git_dir, objects, excludes, kind = found
        return _Users(Path(git_dir), Path(objects), Path(excludes), kind)

    def _chosen(self) -> tuple[str, ...]:
        """The user's settings that matter to which files there are, as options."""
        wanted = ("--type=path", "-z", "--get-regexp", r"^core\.(excludesfile|filemode)$")
        try:
            rows = split(self.ask_user("config", *wanted))
        except SavepointError:
            return ()
        # A key without a value stays one: it means true.
        return tuple(part for row in rows for part in ("-c", row.replace("\n", "=", 1)))

    def _prepare(self) -> None:
        if not (self.folder / "HEAD").exists():
            self._make()
        info = self.folder / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_ATTRIBUTES, encoding="utf-8")
        (info / "exclude").write_bytes(_content(self._users.excludes) if self._users else b"")
        if self._users:
            (self.folder / "objects" / "info").mkdir(exist_ok=True)
            borrowed = os.fsencode(self._users.objects) + b"\n"
            (self.folder / "objects" / "info" / "alternates").write_bytes(borrowed)

    def _make(self) -> None:
        kind = self._users.kind if self._users else "sha1"
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        made = ("init", "--quiet", "--bare", "--template=", f"--object-format={kind}", str(self.folder))
        _run(self.root, *made, environment=_APART)
        ours = {**_APART, "GIT_DIR": str(self.folder)}
        _run(self.folder, "config", "core.bare", "false", environment=ours)

    def _user_lines(self, *arguments: str) -> list[str]:
        try:
            return text(self.ask_user(*arguments)).split("\n")[:-1]
        except SavepointError:
            return []

    def _user_line(self, *arguments: str) -> str:
        return next(iter(self._user_lines(*arguments)), "")


def work_tree_of(root: Path) -> Path:
    """The top of the repository around a folder, whose rules say what is ignored; the folder without one."""
    try:
        return Path(text(_run(root, "rev-parse", "--show-toplevel")).rstrip("\n"))
    except SavepointError:
        return root


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _run(
    folder: Path, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> bytes:
    try:
        return run(folder, *arguments, stdin=stdin, environment=environment, seconds=_SECONDS)
    except GitError as error:
        raise SavepointError(str(error)) from None
