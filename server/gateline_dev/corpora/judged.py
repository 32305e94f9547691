"""Judges a case as the command would: in a git repository of its own, with the base committed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateline.model import Evaluation, Finding, Level, Novelty
from gateline.services.child import ChildTimeoutError
from gateline.session.check import Selection, check
from gateline_dev.corpora.reading import Case

_AT_ONCE = max((os.cpu_count() or 2) // 2, 1)
_TRIES = 2
"""Answers that may be late before one that is late ends the run."""
_CACHE_HOME = "XDG_CACHE_HOME"
Judge = Callable[[Sequence[Case], Mapping[str, object], Callable[[str], None]], "list[Judged]"]
"""Judges cases with settings that override the project's, and tells how far it is."""
_NOBODY = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false")


@dataclass(frozen=True)
class Judged:
    """A case and what was said of it at the final checkpoint."""

    case: Case
    evaluation: Evaluation

    @property
    def new(self) -> list[Finding]:
        """The findings that the change is blamed for: all that are shown as more than a hint."""
        return [f for f in self.evaluation.findings if f.novelty is Novelty.NEW]


def judge_all(
    cases: Sequence[Case], overrides: Mapping[str, object], tell: Callable[[str], None]
) -> list[Judged]:
    """Every case, in order. Raises what `check` raises."""
    try:
        return asyncio.run(_judge_all(cases, overrides, tell))
    except ExceptionGroup as several:
        raise several.exceptions[0] from several


async def _judge_all(
    cases: Sequence[Case], overrides: Mapping[str, object], tell: Callable[[str], None]
) -> list[Judged]:
    with tempfile.TemporaryDirectory(prefix="gateline-corpus-") as folder, _own_cache(Path(folder) / "cache"):
        # One case after the other in the same place: what is known of the standard library is found again.
        places: asyncio.Queue[Path] = asyncio.Queue()
        for number in range(_AT_ONCE):
            places.put_nowait(Path(folder).resolve() / str(number))

        async def one(number: int, case: Case) -> Judged:
            root = await places.get()
            tell(f"{number}/{len(cases)} {case.name}")
            try:
                await asyncio.to_thread(place, case, root)
                evaluation = await _checked(root, overrides)
            finally:
                await asyncio.to_thread(shutil.rmtree, root)
                places.put_nowait(root)
            return Judged(case, evaluation)

        # A group: what fails ends the others before the folder is taken from under them.
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number, case)) for number, case in enumerate(cases, 1)]
        return [task.result() for task in tasks]


async def _checked(root: Path, overrides: Mapping[str, object]) -> Evaluation:
    """The verdict. On a machine that does much else an answer may be late: it is asked for again."""
    for _ in range(_TRIES):
        with contextlib.suppress(ChildTimeoutError):
            return (await check(root, Selection(), Level.FINAL, overrides=overrides)).evaluation
    return (await check(root, Selection(), Level.FINAL, overrides=overrides)).evaluation


@contextmanager
def _own_cache(folder: Path) -> Iterator[None]:
    """Keep what is remembered of these projects out of the user's cache."""
    before = os.environ.get(_CACHE_HOME)
    os.environ[_CACHE_HOME] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_CACHE_HOME]
        else:
            os.environ[_CACHE_HOME] = before


def place(case: Case, root: Path) -> None:
    """Commit the base of a case in `root`, and leave its change in the work tree."""
    root.mkdir(parents=True, exist_ok=True)
    _write(root, case.base)
    for arguments in (["init", "--quiet", "--initial-branch=main"], ["add", "--all"]):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    subprocess.run(
        ["git", *_NOBODY, "commit", "--quiet", "--message", "base"], cwd=root, check=True, capture_output=True
    )
    for path in case.base.keys() - case.now.keys():
        (root / path).unlink()
    _write(root, {path: text for path, text in case.now.items() if case.base.get(path) != text})


def _write(root: Path, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
