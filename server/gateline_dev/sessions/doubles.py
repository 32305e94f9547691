"""What answers in the place of child processes: the worker itself, and a small type checker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gateline.model import Dimension, Finding, Report, State, digest_of
from gateline.services.child import ChildDiedError
from gateline.services.types.checked import Checked
from gateline.services.worker import Worker
from gateline_dev.sessions.program import Program, parsed
from gateline_dev.sessions.virtual import Threadless, VirtualLoop

Texts = Mapping[str, str | None]
_DELAYS = (0.001, 0.001, 0.01, 0.05, 0.4)
"""Seconds that an answer takes, by chance."""


async def _a_while() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    await asyncio.sleep(loop.dice.choice(_DELAYS))


class NearWorker:
    """Answers like the worker's process, one question after the other."""

    def __init__(self, module: str, **_: object) -> None:
        self.module = module
        self.pid: int | None = None
        self.starts = 0
        self._worker: Worker | None = None
        self._is_dismissed = False
        self._turn = asyncio.Lock()

    async def ask(self, message: object, timeout: float, on_part: Callable[[Any], None] | None = None) -> Any:
        """The last part of the answer."""
        async with self._turn:
            if self._is_dismissed:
                raise ChildDiedError(f"{self.module} was ended")
            if self._worker is None:
                self._worker, self.pid, self.starts = Worker(), 1, 1
                _living.add(self)
            part = None
            await _a_while()
            for part in self._worker.answer(message):
                if on_part is not None:
                    on_part(part)
                await _a_while()
            return part

    async def dismiss(self) -> None:
        """Nobody asks any more."""
        self._is_dismissed = True
        _living.discard(self)


_living: set[NearWorker | SmallChecker] = set()
"""Those that would be processes now."""


def left() -> list[str]:
    """What would outlive the servers that are gone."""
    return [type(one).__name__ for one in _living]


@contextmanager
def doubles() -> Iterator[None]:
    """Sessions that are made meanwhile have no processes and no threads."""
    with ExitStack() as stack:
        stack.enter_context(patch("gateline.session.judge.engine.Child", NearWorker))
        stack.enter_context(patch("gateline.session.tools.TypeChecker", SmallChecker))
        for module in ("live.analysis", "tasks.recording.recorder", "context.meaning"):
            stack.enter_context(patch(f"gateline.session.{module}.ThreadPoolExecutor", Threadless))
        _living.clear()
        yield


class SmallChecker:
    """Knows `int` and `str`, functions of one argument, and what modules import from each other.

    The resident part remembers a file that it read until it is told that it was written, and a text that
    parsed until the next one that does. It says nothing of one that does not. The ordinary run reads
    everything.
    """

    def __init__(self, options: Any) -> None:
        self._root = Path(options.setup.root)
        self._texts: dict[str, str] = {}
        self._good: dict[str, str] = {}
        """By path: the last text that parsed, of those that were laid."""
        self._disk: dict[str, str | None] = {}
        self._told: dict[str, tuple[Finding, ...]] = {}
        self._is_over = False
        self._turn = asyncio.Lock()

    def warm(self) -> None:
        """Would start a process."""
        _living.add(self)

    async def update(self, texts: Texts) -> Checked:
        """What is found in these texts, and in others of ours where it is other than before."""
        for path, text in texts.items():
            if text is not None:
                self._texts[path] = text
        async with self._turn:
            if self._is_over:
                return Checked(*self._refused(texts))
            await _a_while()
            program = Program(self._read)
            parsing = [path for path, text in self._texts.items() if parsed(text) is not None]
            found = {path: program.findings(path) for path in parsing}
            said = {p: f for p, f in found.items() if p in texts or self._told.get(p) != f}
            self._told |= said
            now = {path: self._texts[path] for path in said}
            answer = Checked(
                {p: _report(f) for p, f in said.items()}, {p: digest_of(t) for p, t in now.items()}
            )
            await _a_while()
            return answer

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        """What is found in these texts, and in what they import."""
        if self._is_over:
            return self._refused(texts)[0]
        laid = dict(texts)

        def read(path: str) -> str | None:
            return laid[path] if path in laid else _saved(self._root, path)

        program = Program(read)
        reached = program.reached(path for path, text in laid.items() if text is not None)
        answer = {path: _report(program.findings(path)) for path in sorted(reached) if program.parses(path)}
        await _a_while()
        return answer

    async def files_changed(self, paths: Sequence[str]) -> None:
        """These are read again."""
        for path in paths:
            self._disk.pop(path, None)

    async def close(self, path: str) -> bool:
        """The file counts; whether it holds another text."""
        had = self._texts.pop(path, None)
        self._good.pop(path, None)
        self._told.pop(path, None)
        self._disk.pop(path, None)
        return had is not None and had != _saved(self._root, path)

    async def stop(self) -> None:
        """Nobody asks any more."""
        self._is_over = True
        _living.discard(self)

    def _refused(self, texts: Texts) -> tuple[dict[str, Report], dict[str, str]]:
        """As the real one answers that was stopped."""
        said = {path: text for path, text in texts.items() if text is not None}
        failed = Report("types", Dimension.ERRORS, State.FAILED, "the type checker was stopped")
        return dict.fromkeys(said, failed), {path: digest_of(text) for path, text in said.items()}

    def _read(self, path: str) -> str | None:
        text = self._texts.get(path)
        if text is not None:
            if parsed(text) is not None:
                self._good[path] = text
            return self._good.get(path, text)
        if path not in self._disk:
            self._disk[path] = _saved(self._root, path)
        return self._disk[path]


def _saved(root: Path, path: str) -> str | None:
    try:
        return (root / path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _report(findings: tuple[Finding, ...]) -> Report:
    return Report("types", Dimension.ERRORS, findings=findings)
