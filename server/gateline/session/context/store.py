"""Keeps the index of a workspace in the user's cache: one file, replaced as a whole.

A reader sees the old file or the new one, never half of one, also when two servers write it: both wrote what
they saw, and whoever reads it next looks at each file again. What is damaged, or was written by another
version, is dropped and made anew. The vectors of a transformer are kept beside it, by what was embedded.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline.context.chunking.cutting import RECIPE
from gateline.context.directions import Directions
from gateline.context.index import Index
from gateline.context.rows import Rows
from gateline.context.search import SEMANTIC
from gateline.context.segment import File, Names, Segment
from gateline.context.words import Lexicon
from gateline.session.context import columns
from gateline.session.context.columns import Columns
from gateline.session.context.files import Stamp
from gateline.session.context.requests import INDEX
from gateline.session.context.secrets import Lines, rules

FORMAT = 4
_NUMBERS = (
    "file_of",
    "name_of",
    "owner_of",
    "calls",
    "bases",
    "lengths",
    "tokens",
    "starts",
    "docs",
    "counts",
)
_VECTORS, _SCALES = "vectors-", "scales-"
_IMPORTS = "\f"
"""Stands between the imports of two files."""


class UnusableError(Exception):
    """What was stored cannot be used; the message says why."""


@dataclass(frozen=True)
class Status:
    """How an index stands."""

    files: int
    chunks: int
    tiers: Mapping[str, int]
    """By tier, how many chunks have a vector."""
    size: int
    """Bytes on the disk."""
    folder: Path
    message: str
    """What happened to an index that was there; empty when all is well."""


@dataclass(frozen=True)
class Stored:
    """What is kept of a workspace."""

    index: Index
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    """Of files whose text on the disk was cut, by path."""
    table: str = ""
    """Names the table that made the vectors."""
    secrets: Mapping[str, Lines] = field(default_factory=dict)
    """By path, the lines that hold a secret, as they may be shown, of files that were looked through."""


@dataclass(frozen=True)
class ContextStore:
    """The folder of one workspace. All methods block."""

    folder: Path

    @classmethod
    def of(cls, root: Path, cache: Path | None = None) -> ContextStore:
        """The store of the workspace at `root`."""
        # Imported here: whoever knows the folder does not wait for it.
        from gateline.store.folders import context_of

        return cls(context_of(root, cache))

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        files = self.folder.rglob("*") if self.folder.is_dir() else ()
        return sum(file.stat().st_size for file in files if file.is_file())

    def clear(self) -> int:
        """Remove everything; how many bytes that were."""
        import shutil

        size = self.size
        shutil.rmtree(self.folder, ignore_errors=True)
        return size

    def drop(self) -> None:
        """Remove the index. Vectors are of texts, and hold for any index."""
        with contextlib.suppress(OSError):
            (self.folder / INDEX).unlink()

    def save(self, kept: Stored) -> None:
        """Write the index. Raises OSError when the disk does not take it; what was there then stays."""
        # Imported here: who only reads does not wait for it.
        import tempfile

        segment = kept.index.compact()
        data = columns.written(_described(kept, segment), _columns(kept.index, segment))
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.folder, prefix="index-", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(self.folder / INDEX)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def load(self) -> Stored | None:
        """What was stored; None when nothing was.

        Raises UnusableError for what is damaged, or was written by another version.
        """
        try:
            data = (self.folder / INDEX).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _damaged(error) from error
        try:
            about = columns.about(data)
            if (about["format"], about["recipe"]) != (FORMAT, RECIPE):
                raise UnusableError("the index was written by another version")
            return _restored(about, columns.read(data))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise _damaged(error) from error


def _damaged(error: Exception) -> UnusableError:
    return UnusableError(f"the index was damaged ({type(error).__name__})")


def _described(kept: Stored, segment: Segment) -> dict[str, Any]:
    """What is not columns."""
    index, stamps, secrets = kept.index, kept.stamps, kept.secrets
    numbers = {path: number for number, path in enumerate(index.files)}
    return {
        "format": FORMAT,
        "recipe": RECIPE,
        "table": kept.table,
        "rules": rules() if secrets else "",
        "files": [
            (f.path, f.digest, f.test, stamps.get(f.path), _pairs(secrets.get(f.path)))
            for f in index.files.values()
        ],
        "rows_in": [numbers[file.path] for file in segment.files],
        "counts": [len(segment), len(index.lexicon.tokens), len(index.names.names)],
    }


def _pairs(lines: Lines | None) -> list[tuple[int, str]] | None:
    return None if lines is None else list(lines.items())


def _columns(index: Index, segment: Segment) -> Columns:
    kept = {tier: held for tier, held in segment.vectors.items() if tier != SEMANTIC}
    return {
        "kinds": segment.rows.kinds,
        "lines": segment.rows.lines,
        "row_names": columns.texts(segment.rows.names),
        "signatures": columns.texts(segment.rows.signatures),
        "token_texts": columns.texts(index.lexicon.tokens),
        "names": columns.texts(index.names.names),
        "imports": columns.texts([file.listed for file in index.files.values()], _IMPORTS),
        **{name: getattr(segment, name) for name in _NUMBERS},
        **{f"{_VECTORS}{tier}": held.numbers for tier, held in kept.items()},
        **{f"{_SCALES}{tier}": held.scales for tier, held in kept.items()},
    }


def _restored(about: Mapping[str, Any], stored: Columns) -> Stored:
    count, tokens, names = about["counts"]
    listed = columns.texts_in(stored["imports"], len(about["files"]), _IMPORTS)
    files = [File(p, d, imports, t) for (p, d, t, *_), imports in zip(about["files"], listed, strict=True)]
    rows = Rows(
        stored["kinds"],
        columns.texts_in(stored["row_names"], count),
        columns.texts_in(stored["signatures"], count),
        stored["lines"],
    )
    numbers: dict[str, Any] = {name: stored[name] for name in _NUMBERS}
    segment = Segment(tuple(files[n] for n in about["rows_in"]), rows, **numbers, vectors=_vectors(stored))
    lexicon = Lexicon(columns.texts_in(stored["token_texts"], tokens))
    known = Names(columns.texts_in(stored["names"], names))
    stamps = {path: (s[0], s[1], s[2]) for path, _, _, s, _ in about["files"] if s}
    are_known = about["rules"] and about["rules"] == rules()
    secrets = {path: dict(lines) for path, *_, lines in about["files"] if are_known and lines is not None}
    return Stored(Index.restored(segment, files, lexicon, known), stamps, about["table"], secrets)


def _vectors(stored: Columns) -> dict[str, Directions]:
    tiers = [name.removeprefix(_VECTORS) for name in stored if name.startswith(_VECTORS)]
    return {t: Directions(stored[f"{_VECTORS}{t}"], stored[f"{_SCALES}{t}"]) for t in tiers}
