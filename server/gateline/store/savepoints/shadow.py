"""A git directory of our own over the user's work tree.

It borrows the objects of the user's repository and has its own index, refs and settings, so that neither the
user's are written nor their hooks and filters run. Attributes are off: content is kept byte for byte.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from gateline.store.savepoints.values import SavepointError

_TIMEOUT = 120
"""Seconds for one command of git."""
_OFF = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "core.autocrlf=false"),
    *("-c", "core.safecrlf=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "gc.auto=0"),
)
_REDIRECTING = frozenset(
    f"GIT_{name}"
    for name in ("DIR", "WORK_TREE", "INDEX_FILE", "PREFIX", "OBJECT_DIRECTORY", "NAMESPACE", "COMMON_DIR")
)
_IDENTITY = {
    f"GIT_{who}_{what}": text
    for who in ("AUTHOR", "COMMITTER")
    for what, text in (("NAME", "gateline"), ("EMAIL", "gateline@localhost"))
}
_APART = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}
_ATTRIBUTES = "* -text -filter -ident -eol -working-tree-encoding\n"


class Shadow:
    """git, with a directory of ours and the user's work tree. Methods block and raise SavepointError."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Over the work tree `root`; the git directory is `folder`, and is made when it is not there."""
        self.root = root
        self.folder = folder
        self._settings: tuple[str, ...] = ()
        self._prepare()

    def run(self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> bytes:
        """What git answers."""
        ours = {"GIT_DIR": str(self.folder), "GIT_WORK_TREE": str(self.root), **_IDENTITY}
        hooks = ("-c", f"core.hooksPath={self.folder / 'no-hooks'}")
        command = ("git", *_OFF, *hooks, *self._settings, *arguments)
        return _run(command, self.root, stdin, ours | dict(environment or {}))

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """The first line of an answer."""
        return self.run(*arguments, stdin=stdin).decode(errors="surrogateescape").split("\n")[0]

    def names(self, *arguments: str) -> list[str]:
        """An answer that is a list ended by NUL."""
        return split(self.run(*arguments))

    def tracked_by_user(self) -> frozenset[str]:
        """The files in the index of the user's own repository, from the root; none without one."""
        try:
            return frozenset(split(self._ask_user("ls-files", "-z")))
        except SavepointError:
            return frozenset()

    def _prepare(self) -> None:
        objects = self._user_path("objects")
        if not (self.folder / "HEAD").exists():
            self._make(objects)
        info = self.folder / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_ATTRIBUTES, encoding="utf-8")
        (info / "exclude").write_bytes(_content(self._user_path("info/exclude")))
        if objects is not None:
            (self.folder / "objects" / "info").mkdir(exist_ok=True)
            (self.folder / "objects" / "info" / "alternates").write_bytes(os.fsencode(objects) + b"\n")
        excludes = self._user_line("config", "--type=path", "--get", "core.excludesFile")
        modes = self._user_line("config", "--type=bool", "--get", "core.fileMode")
        self._settings = (
            *(("-c", f"core.excludesFile={excludes}") if excludes else ()),
            *(("-c", f"core.fileMode={modes}") if modes else ()),
        )

    def _make(self, objects: Path | None) -> None:
        kind = self._user_line("rev-parse", "--show-object-format") if objects else ""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        made = ("git", "init", "--quiet", "--bare", "--template=", f"--object-format={kind or 'sha1'}")
        _run((*made, str(self.folder)), self.root, b"", {})
        _run(("git", "config", "core.bare", "false"), self.folder, b"", {"GIT_DIR": str(self.folder)})

    def _ask_user(self, *arguments: str) -> bytes:
        """A read-only question to the user's own git, with their settings."""
        kept = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        return _run(("git", "-c", "core.fsmonitor=false", *arguments), self.root, b"", kept, apart=False)

    def _user_line(self, *arguments: str) -> str:
        try:
            return self._ask_user(*arguments).decode(errors="surrogateescape").split("\n")[0]
        except SavepointError:
            return ""

    def _user_path(self, name: str) -> Path | None:
        found = self._user_line("rev-parse", "--path-format=absolute", "--git-path", name)
        return Path(found) if found else None


def work_tree_of(root: Path) -> Path:
    """The top of the repository around a folder, whose rules say what is ignored; the folder without one."""
    try:
        answer = _run(("git", "rev-parse", "--show-toplevel"), root, b"", {"LC_ALL": "C"}, apart=False)
    except SavepointError:
        return root
    return Path(answer.decode(errors="surrogateescape").rstrip("\n"))


def split(answer: bytes) -> list[str]:
    """The parts of an answer that each end with NUL."""
    return [name for name in answer.decode(errors="surrogateescape").split("\0") if name]


def joined(names: Iterable[str]) -> bytes:
    """Names for git's standard input, each ended by NUL."""
    return "".join(f"{name}\0" for name in names).encode(errors="surrogateescape")


def _content(file: Path | None) -> bytes:
    try:
        return file.read_bytes() if file is not None else b""
    except OSError:
        return b""


def _run(
    command: tuple[str, ...], folder: Path, stdin: bytes, ours: Mapping[str, str], *, apart: bool = True
) -> bytes:
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    environment = kept | (_APART if apart else {}) | dict(ours)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            input=stdin,
            capture_output=True,
            timeout=_TIMEOUT,
            env=environment,
            check=False,
        )
    except FileNotFoundError:
        raise SavepointError("git was not found on PATH; savepoints need it") from None
    except subprocess.TimeoutExpired:
        raise SavepointError(f"git took longer than {_TIMEOUT} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise SavepointError(said[-1] if said else f"git ended with {done.returncode}")
    return done.stdout
