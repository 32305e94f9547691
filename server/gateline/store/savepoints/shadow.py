"""A git directory of our own over the user's work tree.

It borrows the objects of the user's repository and has its own index, refs and settings, so that neither the
user's are written nor their hooks and filters run. Attributes are off: content is kept byte for byte.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import portalocker

from gateline.atomic_file import replace_file
from gateline.git import joined, split, text
from gateline.store.savepoints.permissions import FOLDER
from gateline.store.savepoints.user_git import UserGit, asked, content_of
from gateline.store.savepoints.values import SavepointError

Entry = tuple[str, str]
"""Mode and content, as git names them."""
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
_ATTRIBUTES = b"* -text -filter -ident -eol -working-tree-encoding\n"
_UNREAD = re.compile(rb"^warning: could not open directory '(.*)/': ", re.MULTILINE)
_WAIT = 30.0
"""Seconds to wait for another process that makes the git directory."""
_MOST = 500
"""So many paths one command line takes; for more, all are looked at."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What our git finds in the work tree."""

    held: frozenset[str]
    """Paths in our index."""
    found: tuple[str, ...]
    """Files that are new to it, or other than in it; folders, with a slash, are repositories inside."""
    unread: tuple[str, ...]
    """Folders that it may not look into."""


class Shadow:
    """git, with a directory of ours and the user's work tree. Methods block and raise SavepointError."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Over the work tree `root`; the git directory is `folder`, and is made when it is not there."""
        self.root = root
        self.folder = folder
        self.user = UserGit(root, folder / "no-hooks")
        self._prepare()

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        at: Path | None = None,
        ends: Collection[int] = (0,),
    ) -> bytes:
        """What git answers, in the work tree or in the folder `at`; `ends`: exit statuses of answers."""
        return self._answered(*arguments, stdin=stdin, environment=environment, at=at, ends=ends)[0]

    def _answered(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        at: Path | None = None,
        ends: Collection[int] = (0,),
    ) -> tuple[bytes, bytes]:
        ours = {
            "GIT_DIR": str(self.folder),
            "GIT_WORK_TREE": str(self.root),
            "GIT_INDEX_FILE": str(self.folder / "index"),
            "GIT_OBJECT_DIRECTORY": str(self.folder / "objects"),
        }
        given = (*_OURS, *self.user.no_hooks, *self.user.settings, *arguments)
        named = _APART | IDENTITY | ours | dict(environment or {})
        return asked(at or self.root, *given, stdin=stdin, environment=named, ends=ends)

    def check_out(self, tree: str, folder: Path, paths: Iterable[str] | None = None) -> None:
        """Write files of a tree into a folder, byte for byte: all, or those at `paths`."""
        wanted = ("--all",) if paths is None else ("-z", "--stdin")
        given = b"" if paths is None else joined(paths)
        with tempfile.TemporaryDirectory(prefix="gateline-restore-") as scratch:
            index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            self.run("read-tree", tree, environment=index)
            prefix = f"--prefix={folder.absolute()}{os.sep}"
            self.run("checkout-index", *wanted, "--force", prefix, stdin=given, environment=index)

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """The first line of an answer."""
        return text(self.run(*arguments, stdin=stdin)).split("\n")[0]

    def names(self, *arguments: str) -> list[str]:
        """An answer that is a list ended by NUL."""
        return split(self.run(*arguments))

    def difference(self, before: str, after: str, paths: Sequence[str]) -> str:
        """What differs at these paths between two trees, as `git diff` shows it."""
        how = ("-r", "-p", "--no-ext-diff", "--no-textconv", "--no-renames")
        only = [f":(literal){path}" for path in paths]
        diff = self.run("diff-tree", *how, before, after, "--", *only) if paths else b""
        return diff.decode(errors="replace")

    def contents(self, blobs: Collection[str]) -> dict[str, bytes]:
        """The bytes of blobs; those that are gone are left out."""
        names = "".join(f"{blob}\n" for blob in blobs).encode()
        answer = self.run("cat-file", "--batch", stdin=names) if names else b""
        found, at = {}, 0
        for blob in blobs:
            end = answer.index(b"\n", at)
            _, *rest = answer[at:end].split(b" ")
            at = end + 1
            if len(rest) == len(("kind", "size")):
                size = int(rest[1])
                found[blob] = answer[at : at + size]
                at += size + 1
        return found

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """The bytes that blobs have; those that are gone are left out."""
        names = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs)).encode()
        answer = (
            self.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=names) if names else b""
        )
        rows = (row.split(" ") for row in text(answer).splitlines())
        return {name: int(size) for name, size in rows if size.isdigit()}

    def blob_name(self, data: bytes) -> str:
        """Git's name of a content."""
        digest = hashlib.new(self.user.kind, b"blob %d\0" % len(data), usedforsecurity=False)
        digest.update(data)
        return digest.hexdigest()

    def has(self, name: str) -> bool:
        """Whether an object lies here by itself, and is not borrowed."""
        return (self.folder / "objects" / name[:2] / name[2:]).exists()

    def ref(self, name: str) -> str:
        """What a ref of ours names, without asking git; empty when it is not there."""
        return os.fsdecode(content_of(self.folder / name)).strip()

    def own(self, names: Iterable[str]) -> None:
        """Keep these objects ourselves, also where they are borrowed: what no commit holds may be pruned."""
        objects = self.folder / "objects"
        missing = [name for name in names if not self.has(name)]
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

    def listing(self) -> Listing:
        """What is in the work tree, beside what our index has."""
        wanted = ("--cached", "--others", "--modified", "--exclude-standard")
        answer, warnings = self._answered("ls-files", "-z", "-t", *wanted)
        held: set[str] = set()
        found: dict[str, None] = {}
        for row in split(answer):
            if row[0] == "H":
                held.add(row[2:])
            else:
                found[row[2:]] = None
        unread = (os.fsdecode(name) for name in _UNREAD.findall(warnings))
        return Listing(frozenset(held), tuple(found), tuple(unread))

    def ignored(self) -> tuple[frozenset[str], frozenset[str]]:
        """What the ignore rules leave out: of our index, and of the rest.

        In the rest a folder, with a slash, stands for all in it.
        """
        wanted = ("--cached", "--others", "--ignored", "--directory", "--exclude-standard")
        rows = self.names("ls-files", "-z", "-t", *wanted)
        ours = frozenset(row[2:] for row in rows if row[0] == "H")
        return ours, frozenset(row[2:] for row in rows if row[0] == "?")

    def rules(self) -> tuple[str, ...]:
        """The ignore rules that no file of the work tree holds: `info/exclude` and the person's own."""
        known = (content_of(file) for file in (self.folder / "info" / "exclude", self.user.own_rules()))
        return tuple(os.fsdecode(rules) for rules in known if rules.strip())

    def files_of(self, tree: str, under: Collection[str] = ()) -> dict[str, Entry]:
        """The files of a commit or a tree: all, or what lies at or below some paths; none without a name."""
        return {path: entry for path, entry in self.entries_of(tree, under).items() if entry[0] != FOLDER}

    def entries_of(self, tree: str, under: Collection[str] = ()) -> dict[str, Entry]:
        """The same, with the folders."""
        if not tree:
            return {}
        some = [f":(literal){path.rstrip('/')}" for path in under] if len(under) < _MOST else []
        rows = self.names("ls-tree", "-r", "-t", "-z", "--full-tree", tree, *(["--", *some] if some else []))
        parts = (row.partition("\t") for row in rows)
        return {path: _entry(head) for head, _, path in parts}

    def _prepare(self) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        # Two `git init` of one folder fail at the lock of its configuration.
        with _alone(self.folder.with_name(f"{self.folder.name}.lock")):
            if not (self.folder / "HEAD").exists():
                self._make()
            # Private files of the work tree are kept here, too.
            self.folder.chmod(0o700)
            _written(self.folder / "info" / "attributes", _ATTRIBUTES)
            self.take_rules()
            if self.user.places:
                borrowed = os.fsencode(self.user.places.objects) + b"\n"
                _written(self.folder / "objects" / "info" / "alternates", borrowed)

    def take_rules(self) -> None:
        """Leave out what the user's repository leaves out now."""
        places = self.user.places
        rules = content_of(places.excludes) if places else b""
        _written(self.folder / "info" / "exclude", rules)

    def _make(self) -> None:
        made = (
            "init",
            "--quiet",
            "--bare",
            "--template=",
            f"--object-format={self.user.kind}",
            str(self.folder),
        )
        asked(self.root, *made, environment=_APART)
        ours = {**_APART, "GIT_DIR": str(self.folder)}
        asked(self.folder, "config", "core.bare", "false", environment=ours)


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    try:
        with portalocker.Lock(file, "a", timeout=_WAIT):
            yield
    except portalocker.LockException:
        raise SavepointError(f"another process kept {file} locked for {_WAIT:g} s; try again") from None


def _written(file: Path, content: bytes) -> None:
    """Write what git reads, whole: another process's git may be reading it, and sees the old or the new."""
    if content_of(file) != content:
        file.parent.mkdir(exist_ok=True)
        replace_file(file, content)


def work_tree_of(root: Path) -> Path:
    """The top of the repository around a folder, whose rules say what is ignored; the folder without one."""
    try:
        return Path(text(asked(root, "rev-parse", "--show-toplevel")[0]).rstrip("\n"))
    except SavepointError:
        return root


def _entry(head: str) -> Entry:
    mode, _, name = head.split(" ")
    return mode, name
