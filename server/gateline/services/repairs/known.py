"""What the far side of repairs knows: a workspace with texts over its files, and what can be imported."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping, Sequence
from pathlib import Path

from cachetools import LRUCache

from gateline.repairs.analysis.outline import outline_of
from gateline.services.modules import Modules
from gateline.services.repairs.messages import Environment, Place

_REMEMBERED = 50_000_000
"""Characters of files that are kept between two runs."""
_LARGEST = 3_000_000
"""Bytes; a larger file is data."""


class Disk:
    """Texts of files; one is read again only when its time or size changed."""

    def __init__(self) -> None:
        self._texts: LRUCache[tuple[str, int, int], str] = LRUCache(_REMEMBERED, getsizeof=len)

    def text(self, file: Path) -> str | None:
        """The text of a regular file; None when there is none, it is large, or it cannot be decoded."""
        try:
            status = file.lstat()
            if not file.is_file() or file.is_symlink() or status.st_size > _LARGEST:
                return None
            key = (str(file), status.st_mtime_ns, status.st_size)
            if (known := self._texts.get(key)) is not None:
                return known
            data = file.read_bytes()
            text = data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
        except (OSError, SyntaxError, UnicodeDecodeError, LookupError):
            return None
        self._texts[key] = text
        return text


class Installed:
    """The modules of the environment that was asked about last."""

    def __init__(self) -> None:
        self._environment: Environment | None = None
        self._modules = Modules(())

    def of(self, environment: Environment) -> Modules:
        """The modules of an environment; what is known of it is kept until another one is asked about."""
        if environment != self._environment:
            self._modules = Modules([Path(p) for p in environment.search_path], environment.version)
            self._environment = environment
        return self._modules


class Known:
    """A workspace while one problem is repaired: `model.Knowledge` over the disk."""

    def __init__(self, place: Place, texts: Mapping[str, str], disk: Disk, modules: Modules) -> None:
        self._root = Path(place.root)
        self._texts = texts
        self._paths = tuple(sorted({*place.files, *texts}))
        self._there = frozenset(self._paths)
        self._disk = disk
        self._modules = modules

    def text(self, path: str) -> str | None:
        """The text at `path`, unsaved ones first."""
        if path in self._texts:
            return self._texts[path]
        return self._disk.text(self._root / path) if path in self._there else None

    def paths(self) -> Sequence[str]:
        """The files of the workspace."""
        return self._paths

    def modules(self) -> Sequence[str]:
        """What can be imported besides the workspace."""
        return self._modules.names

    def exports(self, module: str) -> Sequence[str] | None:
        """The public names of a module outside the workspace."""
        source = self._modules.source(module)
        return None if source is None else sorted(outline_of(source).names)

    def homes(self, name: str) -> Sequence[str]:
        """The modules outside the workspace that export `name`."""
        return self._modules.homes(name)

    def source(self, module: str) -> str | None:
        """The text that declares a module outside the workspace."""
        return self._modules.source(module)

    def is_protected(self, path: str) -> bool:
        """Whether a path must not be edited: it is none of the workspace's own files."""
        return path not in self._there
