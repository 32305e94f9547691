"""Where repairs of a case are tried: a copy of its folder, with warm processes that look at it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateline.model import Problem
from gateline.repairs.tested import Ran
from gateline_dev.autodebug.case import Case, encoded
from gateline_dev.autodebug.checker import TypeChecker
from gateline_dev.autodebug.runner import Runner


@dataclass(frozen=True)
class Bench:
    """A case that can be tested and checked with other texts."""

    case: Case
    root: Path
    runner: Runner
    checker: TypeChecker
    seconds: float
    """For one run of tests."""

    def run(
        self,
        texts: Mapping[str, str],
        arguments: Sequence[str],
        *,
        first: Sequence[str] = (),
        short: bool = False,
    ) -> Ran:
        """Run tests over these texts."""
        with self._laid(texts):
            return self.runner.run(self.root, arguments, self.seconds, first=first, short=short)

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
