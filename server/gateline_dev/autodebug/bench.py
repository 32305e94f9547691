"""Where repairs of a case are tried: a copy of its folder, with warm processes that look at it."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateline.model import Problem
from gateline.repairs.tested import Ran
from gateline_dev.autodebug.case import Case, encoded
from gateline_dev.autodebug.checker import TypeChecker
from gateline_dev.autodebug.runner import Runner

_PATIENCE = (2.0, 5.0)
"""Seconds for a run, and how many times as long as the longest that came to its end it may take besides."""


@dataclass
class Bench:
    """A case that can be tested and checked with other texts."""

    case: Case
    root: Path
    runner: Runner
    checker: TypeChecker
    seconds: float
    """For one run of tests, as long as none came to its end."""
    usual: float = 0.0
    """Seconds that the longest run took that came to its end."""

    def run(
        self,
        texts: Mapping[str, str],
        arguments: Sequence[str],
        *,
        first: Sequence[str] = (),
        only: Sequence[str] = (),
        short: bool = False,
    ) -> Ran:
        """Run tests over these texts."""
        begin = time.perf_counter()
        with self._laid(texts):
            ran = self.runner.run(self.root, arguments, self._patience(), first=first, only=only, short=short)
        if not only and ran.failed.isdisjoint(first) and not ran.is_late:
            self.usual = max(self.usual, time.perf_counter() - begin)
        return ran

    def _patience(self) -> float:
        """Many wrong repairs loop for ever."""
        least, times = _PATIENCE
        return min(self.seconds, least + times * self.usual) if self.usual else self.seconds

    def check(self, texts: Mapping[str, str]) -> tuple[Problem, ...]:
        """What mypy reports with these texts."""
        with self._laid(texts):
            return self.checker.check(self.root, self.case.type_arguments)

    @contextmanager
    def _laid(self, texts: Mapping[str, str]) -> Iterator[None]:
        try:
            for path, text in texts.items():
                (self.root / path).write_bytes(encoded(text))
            yield
        finally:
            for path in texts:
                (self.root / path).write_bytes(encoded(self.case.texts[path]))


@contextmanager
def bench_for(case: Case, runner: Runner, checker: TypeChecker, seconds: float) -> Iterator[Bench]:
    """A copy of the case's folder that is removed in the end; in memory where the system has such a place."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="autodebug-", dir=memory if memory.is_dir() else None) as folder:
        root = Path(folder, "case")
        shutil.copytree(case.folder, root)
        yield Bench(case, root, runner, checker, seconds)
