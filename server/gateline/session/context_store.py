"""Keeps the index of a workspace in the user's cache: one file, replaced as a whole.

A reader sees the old file or the new one, never half of one, also when two servers write it: both wrote what
they saw, and whoever reads it next looks at each file again. What is damaged, or was written by another
version, is dropped and made anew. The vectors of a transformer are kept beside it, by what was embedded.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gateline.context.cutting import RECIPE
from gateline.context.index import Index
from gateline.context.search import SEMANTIC
from gateline.context.segment import File, Names, Segment
from gateline.context.values import Chunk, Import, Kind
from gateline.context.words import Lexicon
from gateline.session.context_files import Stamp
from gateline.store.folders import context_of

FORMAT = 1
_FILE = "index.npz"
_COLUMNS = (
    "file_of",
    "kinds",
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


class UnusableError(Exception):
    """What was stored cannot be used; the message says why."""


@dataclass(frozen=True)
class ContextStore:
    """The folder of one workspace. All methods block."""

    folder: Path

    @classmethod
    def of(cls, root: Path, cache: Path | None = None) -> ContextStore:
        """The store of the workspace at `root`."""
        return cls(context_of(root, cache))

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        files = self.folder.rglob("*") if self.folder.is_dir() else ()
        return sum(file.stat().st_size for file in files if file.is_file())

    def clear(self) -> int:
        """Remove everything; how many bytes that were."""
        size = self.size
        shutil.rmtree(self.folder, ignore_errors=True)
        return size

    def drop(self) -> None:
        """Remove the index. Vectors are of texts, and hold for any index."""
        with contextlib.suppress(OSError):
            (self.folder / _FILE).unlink()

    def save(self, index: Index, stamps: Mapping[str, Stamp]) -> None:
        """Write the index. Raises OSError when the disk does not take it; what was there then stays."""
        segment = index.compact()
        meta = json.dumps(_described(index, segment, stamps), ensure_ascii=True).encode()
        arrays = {name: getattr(segment, name) for name in _COLUMNS}
        kept = {tier: array for tier, array in segment.vectors.items() if tier != SEMANTIC}
        vectors = {f"vectors-{tier}": array.astype(np.float16) for tier, array in kept.items()}
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.folder, prefix="index-", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, allow_pickle=False, meta=np.frombuffer(meta, np.uint8), **arrays, **vectors)
            Path(name).replace(self.folder / _FILE)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def load(self) -> tuple[Index, dict[str, Stamp]] | None:
        """What was stored; None when nothing was.

        Raises UnusableError for what is damaged, or was written by another version.
        """
        file = self.folder / _FILE
        if not file.exists():
            return None
        try:
            with np.load(file, allow_pickle=False) as stored:
                return _restored({name: stored[name] for name in stored.files})
        except UnusableError:
            raise
        except (OSError, ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise UnusableError(f"the index was damaged ({type(error).__name__})") from error


def _described(index: Index, segment: Segment, stamps: Mapping[str, Stamp]) -> dict[str, Any]:
    """What is not numbers. Many short texts are one long one: that reads ten times as fast."""
    files = list(index.files.values())
    numbers = {file.path: number for number, file in enumerate(files)}
    imports = [(numbers[f.path], i.module, i.name, i.alias) for f in files for i in f.imports]
    return {
        "format": FORMAT,
        "recipe": RECIPE,
        "tokens": "\n".join(index.lexicon.tokens),
        "names": "\n".join(index.names.names),
        "files": [(f.path, f.digest, f.test, stamps.get(f.path)) for f in files],
        "rows_in": [numbers[file.path] for file in segment.files],
        "imports": imports,
        "row_names": "\n".join(chunk.name for chunk in segment.rows),
        "signatures": "\n".join(chunk.signature for chunk in segment.rows),
        "lines": [line for chunk in segment.rows for line in (chunk.first, chunk.last)],
    }


def _restored(stored: dict[str, Any]) -> tuple[Index, dict[str, Stamp]]:
    meta = json.loads(stored["meta"].tobytes())
    if (meta["format"], meta["recipe"]) != (FORMAT, RECIPE):
        raise UnusableError("the index was written by another version")
    listed: dict[int, list[Import]] = {}
    for number, module, name, alias in meta["imports"]:
        listed.setdefault(number, []).append(Import(module, name, alias))
    files = [File(p, d, tuple(listed.get(n, ())), t) for n, (p, d, t, _) in enumerate(meta["files"])]
    arrays = {name: stored[name] for name in _COLUMNS}
    vectors = {
        name.removeprefix("vectors-"): array.astype(np.float32)
        for name, array in stored.items()
        if name.startswith("vectors-")
    }
    rows = tuple(_rows(meta, arrays["kinds"].tolist()))
    segment = Segment(tuple(files[n] for n in meta["rows_in"]), rows, **arrays, vectors=vectors)
    index = Index.restored(
        segment, files, Lexicon(meta["tokens"].split("\n")), Names(meta["names"].split("\n"))
    )
    return index, {path: (s[0], s[1], s[2]) for path, _, _, s in meta["files"] if s}


def _rows(meta: dict[str, Any], kinds: list[int]) -> list[Chunk]:
    names, signatures, lines = meta["row_names"].split("\n"), meta["signatures"].split("\n"), meta["lines"]
    if not kinds:
        return []
    members = list(Kind)
    return [
        Chunk(members[kind], name, first, last, signature)
        for kind, name, signature, first, last in zip(
            kinds, names, signatures, lines[::2], lines[1::2], strict=True
        )
    ]
