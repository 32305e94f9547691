"""The far side of the type checker: mypy in a process of its own, one workspace root each.

Only this module and its neighbours import mypy. A fault of mypy's ends the process, and the near side
starts a new one; a text that does not parse is told as `blocked`.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any

import psutil
from mypy.find_sources import InvalidSourceList

from gateline.services import far
from gateline.services.types.engine import BlockedError, Engine
from gateline.services.types.messages import Answer, Message, Plain, Setup, Start, Texts, Update
from gateline.services.types.overlay import Overlay
from gateline.services.types.run import SettingsError, build_plainly, messages_of, prepare, sources_of

_BROKEN_FILES = 20
_ANY = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"
_BLOCKER = re.compile(r"(?P<path>.+?):\d+:.* error: ")


class FarMypy:
    """Answers the requests of `services.types.messages`."""

    def __init__(self) -> None:
        self._overlay = Overlay()
        self._engine: Engine | None = None
        self._root = ""
        self._asked: set[str] = set()
        """Absolute paths that were ever asked for: the only ones that answers speak of."""
        self._limits: tuple[str, ...] = ()

    def answer(self, request: Any) -> Iterator[Answer]:
        """One answer to each request."""
        began = time.perf_counter()
        try:
            answer = self._answer(request)
        except BlockedError as error:
            answer = Answer(blocked=str(error), limits=self._limits)
        except (SettingsError, InvalidSourceList) as error:
            answer = Answer(blocked=f"mypy cannot be run: {error}")
        yield Answer(
            answer.messages,
            answer.blocked,
            answer.limits,
            answer.used_cache,
            psutil.Process().memory_info().rss,
            time.perf_counter() - began,
        )

    def _answer(self, request: Any) -> Answer:
        match request:
            case Start():
                return self._start(request)
            case Update():
                return self._update(request.texts)
            case Plain():
                return self._plain(request)
        raise TypeError(f"unknown request {type(request).__name__}")

    def _start(self, request: Start) -> Answer:
        self._enter(request.setup)
        paths = self._lay(request.texts)
        prepared = prepare(request.setup, self._overlay, paths, resident=True)
        self._limits = prepared.limits
        for _ in range(_BROKEN_FILES):
            engine = Engine(prepared.options, self._overlay)
            try:
                used_cache = engine.start(self._present(paths))
            except BlockedError as error:
                self._replace_broken(str(error), paths)
                continue
            self._engine = engine
            return Answer(self._messages(paths), limits=self._limits, used_cache=used_cache)
        raise BlockedError(f"more than {_BROKEN_FILES} files do not parse")

    def _update(self, texts: Texts) -> Answer:
        assert self._engine is not None, "asked before the start"
        before = {name: self._overlay.text(self._absolute(name)) for name in texts}
        paths = self._lay(texts)
        try:
            touched = self._engine.update(paths)
        except BlockedError:
            # Take the last good texts back: a blocked engine would check nothing else either.
            with contextlib.suppress(BlockedError):
                self._engine.update(self._lay(before))
            raise
        return Answer(self._messages(self._asked & (touched | set(paths))), limits=self._limits)

    def _messages(self, paths: Iterable[str]) -> dict[str, tuple[Message, ...]]:
        assert self._engine is not None
        asked = list(paths)
        found = messages_of(self._engine.lines(asked), self._root, self._overlay)
        return {name: found.get(name, ()) for name in map(self._relative, asked)}

    def _plain(self, request: Plain) -> Answer:
        self._enter(request.setup)
        for path in self._overlay.paths():
            self._overlay.remove(path)
        self._overlay.flush()
        paths = self._lay(request.texts)
        prepared = prepare(request.setup, self._overlay, paths, resident=False)
        self._limits = prepared.limits
        for _ in range(_BROKEN_FILES):
            sources = sources_of(self._present(paths), prepared.options, self._overlay)
            lines, blocked = build_plainly(sources, prepared.options, self._overlay) if sources else ([], "")
            if not blocked:
                found = messages_of(lines, self._root, self._overlay)
                asked = {name: found.get(name, ()) for name in map(self._relative, paths)}
                return Answer({**found, **asked}, "", self._limits)
            self._replace_broken(blocked, paths)
        raise BlockedError(f"more than {_BROKEN_FILES} files do not parse")

    def _replace_broken(self, said: str, paths: list[str]) -> None:
        """Let a file that does not parse count as Any, so that the others can be checked."""
        match = _BLOCKER.match(said)
        path = os.path.abspath(match["path"]) if match else ""
        if not path or not path.startswith(self._root) or self._overlay.text(path) == _ANY:
            raise BlockedError(said)
        if path in paths:
            paths.remove(path)
        self._overlay.put(path, _ANY)
        self._limits = (*self._limits, f"{self._relative(path)} does not parse: its names count as Any")

    def _enter(self, setup: Setup) -> None:
        self._root = os.path.realpath(setup.root)
        os.chdir(self._root)
        os.makedirs(setup.cache_dir, exist_ok=True)

    def _lay(self, texts: Texts) -> list[str]:
        paths = []
        for name, text in texts.items():
            path = self._absolute(name)
            self._overlay.put(path, text)
            paths.append(path)
        self._asked.update(paths)
        return paths

    def _present(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if self._overlay.exists(path)]

    def _absolute(self, name: str) -> str:
        return os.path.join(self._root, *name.split("/"))

    def _relative(self, path: str) -> str:
        return os.path.relpath(path, self._root).replace(os.sep, "/")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        far.serve(FarMypy().answer)
