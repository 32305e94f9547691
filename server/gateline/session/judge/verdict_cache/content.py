"""The content of a repository, as one digest: commits, index, and every file that is not ignored.

git tells by file times which files are as the index has them; the others are read. Of ignored files those
count, by size and time, that do not lie in an ignored folder: `.env`, a generated module, a coverage report.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from gateline.git import GitError, run, split, text, without_filters

_LARGE = 4_000_000
"""Bytes from which on a file counts by its size and times."""
_OF_TOOLS = ("/", ".pyc", ".pyo", ".coverage", ".DS_Store", ".swp")
"""How names of ignored folders, and of files end that no test reads."""
_LINK = "160000"
"""git's mode of a submodule."""


def content_digest(root: Path) -> str | None:
    """The digest of what lies in the repository around `root`; None where that cannot be told. Blocks."""
    try:
        top = Path(text(run(root, "rev-parse", "--show-toplevel")).rstrip("\n"))
        digest = blake2b(digest_size=20)
        for part in _parts(top, without_filters(top)):
            digest.update(b"%d:" % len(part))
            digest.update(part)
    except (GitError, OSError, _UntoldError):
        return None
    return digest.hexdigest()


class _UntoldError(Exception):
    """Something belongs to the content that nothing here looks into."""


def _parts(top: Path, environment: dict[str, str]) -> Iterator[bytes]:
    def asked(*arguments: str) -> bytes:
        return run(top, *arguments, environment=environment)

    yield os.fsencode(top)
    # Nothing points anywhere before the first commit.
    yield asked("for-each-ref", "--format=%(refname) %(objectname) %(symref)")
    yield asked("rev-parse", "--symbolic-full-name", "HEAD")
    yield asked("rev-parse", "--verify", "HEAD")
    index = asked("ls-files", "--stage", "-v", "-z")
    yield index
    changed = asked("diff-files", "--raw", "-z", "--no-renames", "--")
    untracked = asked("ls-files", "--others", "--exclude-standard", "-z")
    names = {*_changed(changed), *_unwatched(index), *_files(split(untracked))}
    yield from _contents(top, sorted(names))
    for name in _apart(asked("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")):
        yield os.fsencode(name)
        yield _signature((top / name).lstat())


def _changed(raw: bytes) -> Iterator[str]:
    """The files of which git cannot tell by their times that they are as the index has them."""
    fields = split(raw)
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        if _LINK in head:
            raise _UntoldError(path)
        yield path


def _unwatched(index: bytes) -> Iterator[str]:
    """Files that git was told to take for unchanged, or to leave out: they are read whatever it says."""
    for row in split(index):
        head, _, path = row.partition("\t")
        if head[0] == "S" or head[0].islower():
            yield path


def _files(untracked: Iterable[str]) -> Iterator[str]:
    for path in untracked:
        if path.endswith("/"):
            # A repository in the repository: git lists nothing of it.
            raise _UntoldError(path)
        yield path


def _apart(ignored: bytes) -> list[str]:
    """The ignored files that do not lie in an ignored folder, without what tools write for themselves."""
    return sorted(name for name in split(ignored) if not name.endswith(_OF_TOOLS))


def _contents(top: Path, names: Iterable[str]) -> Iterator[bytes]:
    for name in names:
        yield os.fsencode(name)
        yield _content(top / name)


def _content(file: Path) -> bytes:
    try:
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            return b"link " + os.fsencode(file.readlink())
        kind = b"x" if status.st_mode & stat.S_IXUSR else b"-"
        if not stat.S_ISREG(status.st_mode):
            return b"special %d" % status.st_mode
        if status.st_size > _LARGE:
            return kind + _signature(status)
        return kind + blake2b(file.read_bytes(), digest_size=20).digest()
    except (FileNotFoundError, NotADirectoryError):
        return b"absent"


def _signature(status: os.stat_result) -> bytes:
    return b"%d %d %d" % (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
