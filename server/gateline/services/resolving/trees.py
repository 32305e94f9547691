"""Parsed files by their content: in memory, and in the user's cache, where the next process finds them.

parso's own cache goes by path and time, so that an unsaved text would be taken for the file, and the file for
the text; and what a full disk or a kill left of it would fail at every question.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

import parso
from jedi.file_io import FileIO
from jedi.inference import InferenceState
from parso import cache
from parso.utils import python_bytes_to_unicode, split_lines

_ITEM: Any = cache._NodeCacheItem
_MOST_LINES = 15_000
"""A line takes about 1.6 KB of memory."""
_MOST_ON_DISK = 200_000_000
"""Bytes; when there is more, what was written first goes."""


class Trees:
    """Trees by grammar and content. Whoever can write the user's cache can run code as the user anyway."""

    def __init__(self, folder: Path) -> None:
        """`folder` need not exist."""
        self._folder = folder / f"{parso.__version__}-{sys.implementation.cache_tag}"
        self._held: dict[str, tuple[Any, int]] = {}
        """By grammar and content: the tree and its lines; what was used last stands last."""

    def tree(self, grammar: Any, path: str, code: str) -> Any:
        """The tree of a text, and from now on that of `path` for all of jedi."""
        digest = blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        key = f"{grammar._hashed[:8]}-{digest}"
        held = self._held.pop(key, None)
        node = held[0] if held is not None else self._load(key)
        if node is None:
            node = grammar.parse(code)
            self._save(key, node)
        lines = split_lines(code, keepends=True)
        self._held[key] = (node, len(lines))
        # jedi takes the lines of a module from here. Nothing is ever as old, so that nobody takes the tree.
        cache.parser_cache.setdefault(grammar._hashed, {})[path] = _ITEM(node, lines, -1.0)
        return node

    def forget(self) -> None:
        """Hold in memory what was used last, and no more than a quarter of what there is room for."""
        left, kept = _MOST_LINES, {}
        for key, (node, lines) in reversed(self._held.items()):
            left -= lines
            if left > 0:
                kept[key] = (node, lines)
        self._held = dict(reversed(kept.items()))
        cache.parser_cache.clear()

    def tidy(self) -> None:
        """Remove what is too much on the disk, the oldest first."""
        with contextlib.suppress(OSError):
            files = sorted((f.stat().st_mtime, f.stat().st_size, f) for f in self._folder.iterdir())
            left = sum(size for _, size, _ in files)
            for _, size, file in files:
                if left <= _MOST_ON_DISK:
                    break
                file.unlink(missing_ok=True)
                left -= size

    def _load(self, key: str) -> Any:
        file = self._folder / key
        try:
            return pickle.loads(file.read_bytes())
        except FileNotFoundError:
            return None
        except Exception:  # noqa: BLE001 - damaged in whatever way: it is parsed again
            with contextlib.suppress(OSError):
                file.unlink()
            return None

    def _save(self, key: str, node: Any) -> None:
        """Whole or not at all; a disk that takes nothing costs the next process its time."""
        with contextlib.suppress(OSError, RecursionError, pickle.PicklingError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            body = pickle.dumps(node, pickle.HIGHEST_PROTOCOL)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(body)
            Path(file.name).replace(self._folder / key)


class State(InferenceState):
    """What jedi has inferred, of the texts at one moment."""

    def __init__(self, project: Any, environment: Any, trees: Trees) -> None:
        super().__init__(project, environment)
        self._trees = trees

    def parse_and_get_code(
        self,
        code: Any = None,
        path: Any = None,
        use_latest_grammar: bool = False,
        file_io: Any = None,
        **kept: Any,
    ) -> tuple[Any, str]:
        """The tree and the text of a file. Raises OSError."""
        if code is None:
            code = (file_io or FileIO(path)).read()
        text = python_bytes_to_unicode(code, encoding="utf-8", errors="replace")
        where = file_io.path if file_io is not None else path
        grammar = self.latest_grammar if use_latest_grammar else self.grammar
        return self._trees.tree(grammar, where, text), text
