"""What every run of a case imports, known before the next one begins. Standard library alone."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

_Key = tuple[str, bytes]


class Learned:
    """Modules from outside a case, which are imported once, and the code of its own by path and text.

    A module of the case itself is never imported here: a run would not see its new text.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self._codes: dict[_Key, CodeType] = {}
        self._seen: set[str] = set()

    def install(self) -> None:
        """Let imports take code from here instead of compiling the same text once more."""
        compiled = SourceFileLoader.source_to_code

        def known(loader: Any, data: Any, path: Any, *rest: Any, **named: Any) -> Any:
            code = self._codes.get((str(path), data)) if isinstance(data, bytes) else None
            return code or compiled(loader, data, path, *rest, **named)

        SourceFileLoader.source_to_code = known  # type: ignore[method-assign, assignment]

    def learn(self, names: dict[str, str]) -> None:
        """Import modules by name, or compile what lies in the files of the case."""
        new = {name: file for name, file in names.items() if name not in self._seen}
        self._seen.update(new)
        for name, file in new.items():
            with contextlib.suppress(BaseException):
                self._compile(file) if self.is_ours(file) else importlib.import_module(name)
        if new:
            gc.collect()
            gc.freeze()

    def _compile(self, file: str) -> None:
        with open(file, "rb") as stream:  # noqa: PTH123 - no module more than is needed
            data = stream.read()
        self._codes[file, data] = compile(data, file, "exec", dont_inherit=True)

    def is_ours(self, file: str) -> bool:
        """Whether a file belongs to the case."""
        return os.path.realpath(file).startswith(self.root + os.sep)


def imported(before: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The modules that were imported since, with their files."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name not in before and isinstance(file, str):
            yield name, file
