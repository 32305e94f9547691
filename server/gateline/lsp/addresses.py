"""Between the client's URIs and the session's paths."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from pygls.uris import to_fs_path

UNTITLED = "untitled"
_READ = frozenset({"file", UNTITLED})


def is_read(uri: str) -> bool:
    """Whether documents of this kind are analysed; notebook cells, git's and others are not."""
    return urlsplit(uri).scheme in _READ


def file_of(uri: str) -> Path | None:
    """The file a URI names, without `.` and `..`; None when it names none."""
    name = to_fs_path(uri)
    return Path(os.path.normpath(name)) if name else None


def path_in(root: Path, file: Path) -> str | None:
    """The address of a file within `root`, with `/` between its parts; None when it is outside."""
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else None


def uri_of(root: Path, path: str) -> str:
    """The URI of a session's path; a document outside every folder goes by its URI already."""
    return path if urlsplit(path).scheme in _READ else (root / path).as_uri()
