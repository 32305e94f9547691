"""One side of a changed path: its text, or why it has none, and git's name of its bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.git import PARTIAL, GitError
from gateline.integrity.file_roles import is_configuration, is_pipeline
from gateline.model import Document
from gateline.model.change import IS_BINARY, IS_LINK, IS_REPOSITORY, IS_SUBMODULE
from gateline.session.workspace.git import Git, Record
from gateline.session.workspace.reading import Skipped, decode, decode_other, is_python, too_large

LINK, SUBMODULE, ABSENT = "120000", "160000", "000000"
IS_UNCOUNTED = "not read: over 2,000 changed files, or 32 MB, that are not Python"
_MOST, _BYTES = 2_000, 32_000_000
"""Files that are not Python: of so many, and so much of them, the texts are kept."""
_POINTER = re.compile(r"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Content:
    """What stands at a path on one side."""

    path: str
    document: Document | None = None
    reason: str = ""
    """Why there is no document."""
    name: str = ""
    """git's name of the bytes; empty where they were not read."""
    mode: str = ""
    """As git says it: `100644`; empty where git does not track the file."""
    stamp: str = ""
    """Size and time of a file whose bytes were not read."""

    @property
    def fingerprint(self) -> str:
        """What tells one content without a text from another."""
        return self.name or self.stamp

    @property
    def key(self) -> str | None:
        """What a renamed file has in common with the old one; None when that is not known."""
        if self.document is not None:
            return self.document.text
        return f"\0{self.name}" if self.name else None


def is_same(one: Content, other: Content) -> bool:
    """Whether two sides are equal, byte for byte and in their modes as far as git knows these."""
    if one.mode and other.mode and one.mode != other.mode:
        return False
    if one.name and other.name:
        return one.name == other.name
    documents = (one.document, other.document)
    return None not in documents and len({d.digest for d in documents if d}) == 1


class _Budget:
    """How much more is read of files that are not Python and do not say how it is judged."""

    def __init__(self) -> None:
        self._files, self._bytes = _MOST, _BYTES

    def allows(self, path: str, size: int) -> bool:
        """Whether a file of that size is read, too."""
        if is_python(path) or is_configuration(path) or is_pipeline(path):
            return True
        self._files, self._bytes = self._files - 1, self._bytes - size
        return self._files >= 0 and self._bytes >= 0


class Contents:
    """Reads the sides of paths. All methods block."""

    def __init__(self, root: Path, git: Git | None, max_size: int) -> None:
        self._root, self._git, self._max = root, git, max_size
        self._blobs: Mapping[str, bytes] = {}
        self._sizes: Mapping[str, int] = {}
        self._budgets = {side: _Budget() for side in ("base", "now")}

    def fetch(self, asked: Iterable[tuple[str, str]]) -> None:
        """Read git's objects, given by path and name, but those that are too large.

        Raises GitError when one is not there.
        """
        assert self._git is not None
        paths = {name: path for path, name in asked}
        self._sizes = self._git.sizes(list(paths))
        if len(self._sizes) < len(paths):
            raise GitError(PARTIAL)
        small = {name: size for name, size in self._sizes.items() if size <= self._max}
        budget = self._budgets["base"]
        self._blobs = self._git.blobs(n for n, size in small.items() if budget.allows(paths[n], size))

    def of_object(self, path: str, mode: str, name: str) -> Content | None:
        """A side that is in git."""
        if mode == ABSENT or not name:
            return None
        if mode in (LINK, SUBMODULE):
            return Content(path, None, IS_LINK if mode == LINK else IS_SUBMODULE, name, mode)
        if name not in self._blobs:
            reason = too_large(self._sizes[name], self._max) or IS_UNCOUNTED
            return Content(path, None, reason, name, mode)
        return replace(self._decoded(path, self._blobs[name]), name=name, mode=mode)

    def on_disk(self, path: str, record: Record | None = None) -> Content | None:
        """A side that is on disk. `record` is what git says of the path, if it tracks it."""
        mode = record.new_mode if record is not None else ""
        file = self._root / path
        if path.endswith("/"):
            return Content(path.rstrip("/"), None, IS_REPOSITORY)
        if mode == SUBMODULE:
            return Content(path, None, IS_SUBMODULE, record.new if record is not None else "", mode)
        like = record.old if record is not None else ""
        try:
            if file.is_symlink():
                target = str(file.readlink()).encode(errors="surrogateescape")
                return Content(path, None, IS_LINK, _named(target, like), mode)
            return self._regular(path, file, like, mode) if file.is_file() else None
        except OSError as error:
            return Content(path, None, f"cannot be read: {error.strerror}", "", mode)

    def _regular(self, path: str, file: Path, like: str, mode: str) -> Content:
        found = file.stat()
        size, stamp = found.st_size, f"{found.st_size} {found.st_mtime_ns}"
        if reason := too_large(size, self._max):
            reason = IS_BINARY if not is_python(path) and _begins_binary(file) else reason
            # Only one of the same size can be the same.
            name = _name_of_file(file, size, like) if self._sizes.get(like) == size else ""
            return Content(path, None, reason, name, mode, stamp)
        if not self._budgets["now"].allows(path, size):
            return Content(path, None, IS_UNCOUNTED, "", mode, stamp)
        data = file.read_bytes()
        return replace(self._decoded(path, data), name=_named(data, like), mode=mode)

    def _decoded(self, path: str, data: bytes) -> Content:
        found = decode(path, data, self._max) if is_python(path) else decode_other(path, data)
        if isinstance(found, Skipped):
            return Content(path, None, found.reason)
        return Content(path, found)

    def is_as_git_keeps_it(self, base: Content, current: Content) -> bool:
        """Whether a file on disk only looks different: git converts its line ends, or LFS keeps it."""
        if self._git is None or base.document is None or base.mode != current.mode:
            return False
        if pointer := _POINTER.match(base.document.text):
            return _sha256(self._root / current.path) == pointer[1]
        if current.document is None:
            return False
        texts = (base.document.text, current.document.text)
        if len({text.replace("\r\n", "\n") for text in texts}) > 1:
            return False
        return self._git.name_of(current.path) == base.name


def _named(data: bytes, like: str = "") -> str:
    """The name that git gives a blob, by the kind of names that the repository has."""
    made = hashlib.sha256() if len(like) == _LONG else hashlib.sha1(usedforsecurity=False)
    made.update(b"blob %d\0" % len(data))
    made.update(data)
    return made.hexdigest()


_LONG = 64


def _name_of_file(file: Path, size: int, like: str) -> str:
    made = hashlib.sha256() if len(like) == _LONG else hashlib.sha1(usedforsecurity=False)
    made.update(b"blob %d\0" % size)
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            made.update(chunk)
    return made.hexdigest()


def _begins_binary(file: Path) -> bool:
    with file.open("rb") as opened:
        return isinstance(decode_other("", opened.read(_CHUNK)), Skipped)


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""
