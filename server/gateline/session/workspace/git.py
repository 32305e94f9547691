"""Read-only questions to git. Nothing here writes the user's index, refs, config or work tree.

Optional locks are off, so not even the index's cached file times are refreshed. File monitors and
content filters are programs that a repository's configuration names: all are switched off, so that
looking at a hostile workspace runs none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import lexists, relpath
from pathlib import Path
from threading import Lock

from cachetools import LRUCache

from gateline.git import SECONDS, GitError, joined, run, split, text, without_filters

_REGULAR = ("100644", "100755")
_REMEMBERED = 8_000_000
"""Bytes of objects that are kept: a check reads the base of each changed file twice, and it never changes."""
_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""The whole name of an object: what it means stays."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One differing path: the object names in the base and now. "" means absent, or only on disk."""

    path: str
    base: str
    current: str


@dataclass(frozen=True, slots=True)
class Record:
    """One differing path with its modes and object names; no name: absent, or only on disk."""

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str

    @classmethod
    def of(cls, head: str, path: str) -> Record:
        """From `:old-mode new-mode old-name new-name status`."""
        old_mode, new_mode, old, new, _ = head.lstrip(":").split(" ")
        return cls(path, old_mode, new_mode, *(name if name.strip("0") else "" for name in (old, new)))


class _Objects:
    """Objects that were read, by their whole names. Any thread may ask; a pickled copy has none."""

    def __init__(self) -> None:
        self._read: LRUCache[str, bytes] = LRUCache(_REMEMBERED, len)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[_Objects], tuple[()]]:
        return _Objects, ()

    def known(self, names: Iterable[str]) -> dict[str, bytes]:
        """Those that were read."""
        with self._lock:
            found = {name: self._read.get(name) for name in names}
        return {name: data for name, data in found.items() if data is not None}

    def keep(self, objects: Mapping[str, bytes]) -> None:
        """Remember what their whole names mean."""
        with self._lock:
            for name, data in objects.items():
                if len(data) <= _REMEMBERED and _NAME.fullmatch(name):
                    self._read[name] = data


class Git:
    """git in one work tree. All methods block: call them in a thread."""

    def __init__(self, folder: Path, git_dir: Path) -> None:
        self.folder = folder
        self.git_dir = git_dir
        self._environment = without_filters(folder)
        self._objects = _Objects()

    @classmethod
    def find(cls, folder: Path) -> Git | None:
        """The repository around `folder`; None without one. Raises GitError when git cannot be used."""
        try:
            answer = run(folder, "rev-parse", "--absolute-git-dir")
        except GitError as error:
            if "not a git repository" in str(error):
                return None
            raise
        return cls(folder.resolve(), Path(text(answer).rstrip("\n")))

    def line(self, *arguments: str) -> str | None:
        """The first line of an answer; None when git refuses."""
        try:
            return text(self._run(*arguments)).strip().split("\n")[0]
        except GitError:
            return None

    def commit(self, ref: str) -> str | None:
        """The full name of the commit that `ref` means; None when there is none."""
        return self.line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")

    def are_commits(self, refs: Sequence[str]) -> list[bool]:
        """Of each ref, whether it means a commit here: one process for all."""
        asked = "".join(f"{ref}^{{commit}}\n" for ref in refs).encode(errors="surrogateescape")
        answer = text(self._run("cat-file", "--batch-check=%(objecttype)", stdin=asked))
        return [line == "commit" for line in answer.splitlines()]

    def branches(self) -> list[str]:
        """The full names of all branches, of remotes as well."""
        return self._lines("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")

    def inside(self) -> str:
        """Where in the repository the folder lies, with a slash at the end; empty where it is all of it."""
        return self.line("rev-parse", "--show-prefix") or ""

    def remotes(self) -> list[str]:
        """The names of the configured remotes."""
        return self._lines("remote")

    def setting(self, key: str) -> str | None:
        """The value of a setting of git; None when there is none."""
        return self.line("config", "--get", key)

    def is_shallow(self) -> bool:
        """Whether the history was cut by the clone."""
        return self.line("rev-parse", "--is-shallow-repository") == "true"

    def unstaged(self) -> list[Entry]:
        """Files whose work tree possibly differs from the index; `base` is the index's object name."""
        raw = self._run("diff-files", "--raw", "-z", "--no-renames", "--relative", "--")
        return _entries(raw)

    def between(self, one: str, other: str) -> list[str]:
        """The paths below the folder that differ between two commits."""
        return self._names("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--relative", one, other)

    def records(self, *options: str) -> list[Record]:
        """What `diff-index` or `diff-files` (the first of `options`) says, of files of all kinds.

        A file whose time changed may be listed with equal content: the caller compares.
        """
        return self._records("--relative", *options)

    def unwatched(self) -> dict[str, str]:
        """Modes, by path, of files on disk that git was told to take for unchanged, or to leave out."""
        rows = (row.partition("\t") for row in self._names("ls-files", "--stage", "-v", "-z"))
        told = {path: head.split(" ")[1] for head, _, path in rows if head[0] == "S" or head[0].islower()}
        return {path: mode for path, mode in told.items() if lexists(self.folder / path)}

    def records_outside(self, *options: str) -> list[Record]:
        """The same of the repository's files that lie outside of the folder; their paths begin with `../`."""
        inside = self.inside()
        if not inside:
            return []
        rows = self._records("--no-relative", *options)
        return [replace(r, path=relpath(r.path, inside)) for r in rows if not r.path.startswith(inside)]

    def attributes(self, names: Sequence[str], paths: Sequence[str]) -> dict[str, set[str]]:
        """Which of these attributes are set, to whatever, by path; files without any are left out."""
        found: dict[str, set[str]] = {}
        answer = split(self._run("check-attr", "-z", "--stdin", *names, stdin=joined(paths)))
        for path, name, value in zip(answer[::3], answer[1::3], answer[2::3], strict=False):
            if value not in ("unspecified", "unset"):
                found.setdefault(path, set()).add(name)
        return found

    def untracked(self) -> list[str]:
        """Files git does not track and does not ignore."""
        return self._names("ls-files", "--others", "--exclude-standard", "-z")

    def untracked_outside(self) -> list[str]:
        """The same of the repository's files that lie outside of the folder; their paths begin with `../`."""
        names = self._names("ls-files", "--others", "--exclude-standard", "-z", "--", ":/")
        return [name for name in names if name.startswith("../")]

    def ignored_files(self) -> list[str]:
        """What git ignores; a folder of which it ignores all is named alone, with a slash."""
        return self._names("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")

    def files(self) -> list[str]:
        """Files in the index, and those of `untracked`."""
        return self._names("ls-files", "--cached", "--others", "--exclude-standard", "-z")

    def commits_of(self, path: str, most: int, seconds: float, at: str = "HEAD") -> list[list[str]]:
        """The paths that each of the newest commits of a file up to `at` changed, merges left out.

        Raises GitError, also when it takes longer.
        """
        # Plumbing: `log` would run what a repository's configuration names to verify signatures.
        limits = (f"--max-count={most}", "--no-merges", at, "--", f":(literal){path}")
        commits = self._run("rev-list", *limits, seconds=seconds)
        options = ("--stdin", "-r", "--root", "-z", "--name-only", "--no-renames", "--relative")
        names = split(self._run("diff-tree", *options, stdin=commits, seconds=seconds))
        begins = frozenset(commits.decode().split())
        found: list[list[str]] = []
        for name in names:
            if name in begins:
                found.append([])
            elif found:
                found[-1].append(name)
        return found

    def ignored(self, paths: Sequence[str]) -> set[str]:
        """Those of the paths that git is told to ignore and does not track; they need not exist."""
        asked = {f"./{path}": path for path in paths}
        try:
            answer = self._run("check-ignore", "--stdin", "-z", stdin=joined(asked))
        except GitError:
            # Also how git says that none of them is.
            return set()
        return {asked[name] for name in split(answer) if name in asked}

    def name_of(self, path: str) -> str | None:
        """The name that git would give a file on disk, by its attributes; filters stay off."""
        return self.line("hash-object", "--", path)

    def sizes(self, names: Sequence[str]) -> dict[str, int]:
        """The bytes of objects by name. Missing ones are left out."""
        known = {name: len(data) for name, data in self._objects.known(names).items()}
        names = [name for name in names if name not in known]
        if not names:
            return known
        request = "".join(f"{name}\n" for name in names).encode()
        lines = text(
            self._run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=request)
        ).splitlines()
        found = (line.partition(" ") for line in lines)
        return known | {name: int(size) for name, _, size in found if size.isdigit()}

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """The raw content of objects, by name (`<sha>` or `<tree>:./<path>`). Missing ones are left out."""
        asked = list(dict.fromkeys(names))
        known = self._objects.known(asked)
        unknown = [name for name in asked if name not in known]
        if not unknown:
            return known
        request = "".join(f"{name}\n" for name in unknown).encode(errors="surrogateescape")
        found = _parse_batch(unknown, self._run("cat-file", "--batch", stdin=request))
        self._objects.keep(found)
        return known | found

    def _run(self, *arguments: str, stdin: bytes = b"", seconds: float = SECONDS) -> bytes:
        return run(self.folder, *arguments, stdin=stdin, environment=self._environment, seconds=seconds)

    def _records(self, relative: str, command: str, *rest: str) -> list[Record]:
        raw = text(self._run(command, "--raw", "-z", "--no-renames", relative, *rest, "--"))
        fields = raw.split("\0")
        return [Record.of(head, path) for head, path in zip(fields[::2], fields[1::2], strict=False)]

    def _lines(self, *arguments: str) -> list[str]:
        return text(self._run(*arguments)).splitlines()

    def _names(self, *arguments: str) -> list[str]:
        return split(self._run(*arguments))


def _entries(raw: bytes) -> list[Entry]:
    fields = text(raw).split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [entry for head, path in pairs if (entry := _entry(head, path)) is not None]


def _entry(head: str, path: str) -> Entry | None:
    """One record of `--raw`: `:old-mode new-mode old-name new-name status`."""
    old_mode, new_mode, old, new, _ = head.lstrip(":").split(" ")
    was, now = old_mode in _REGULAR, new_mode in _REGULAR
    if not (was or now):
        return None
    current = "" if not now or not new.strip("0") else new
    return Entry(path, old if was else "", current)


def _parse_batch(asked: Sequence[str], answer: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    at = 0
    for name in asked:
        end = answer.index(b"\n", at)
        head = answer[at:end].rsplit(b" ", 2)
        at = end + 1
        if head[-1] in (b"missing", b"ambiguous") or not head[-1].isdigit():
            continue
        size = int(head[-1])
        if head[-2] == b"blob":
            found[name] = answer[at : at + size]
        at += size + 1
    return found
