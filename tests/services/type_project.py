"""A small project with a type checker, and what a person would see of its findings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from gateline.model import Finding, Report, State, digest_of
from gateline.services.typecheck import TypeChecker
from gateline.services.types.checked import Checked
from gateline.services.types.messages import Setup
from gateline.services.types.options import TypeOptions
from support.processes import TYPES, running

GENEROUS = 2_000_000_000
LIMIT = 40.0
"""Seconds for one answer. Tests have more, so that it is the checker that gives up."""


class TypeProject:
    """A folder, a checker with its cache elsewhere, and the reports that were shown last."""

    def __init__(
        self,
        folder: Path,
        cache: Path,
        *,
        python: str = sys.executable,
        plugins: bool = False,
        cap: int = GENEROUS,
    ) -> None:
        self.folder = folder
        self.cache = cache
        self.checker = TypeChecker(TypeOptions(Setup(str(folder), python, str(cache), plugins), cap, LIMIT))
        self.shown: dict[str, Report] = {}
        self.texts: dict[str, str | None] = {}

    def write(self, path: str, text: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    async def type(self, texts: Mapping[str, str | None]) -> Checked:
        """Type texts, and see what comes of it."""
        self.texts |= texts
        checked = await self.checker.update(texts)
        self.see(checked)
        await self.checker._first.ended()  # the engine follows; from then on it is the one that is asked
        return checked

    def see(self, checked: Checked) -> None:
        """Take in an answer as a session does: what speaks of another text is not shown."""
        for path, report in checked.reports.items():
            text = self.texts.get(path)
            if text is not None and checked.digests[path] == digest_of(text):
                self.shown[path] = report

    def errors(self, path: str) -> list[str]:
        """The line number and mypy's code of each finding that is shown."""
        return errors_of(self.shown[path])

    async def plain(self, path: str) -> list[str]:
        """What an ordinary run says of one of the texts."""
        return errors_of((await self.checker.plain(self.texts))[path])


Warm = Callable[[Path], None]
"""Spares the first check of a folder the standard library."""
Make = Callable[..., TypeProject]
"""Makes a checker of a test's one folder, with options of `TypeProject`."""


def errors_of(report: Report) -> list[str]:
    assert report.state is State.MEASURED, report.reason
    return [_short(finding) for finding in report.findings]


def _short(finding: Finding) -> str:
    return f"{finding.span.start.line + 1} {finding.origin.removeprefix('mypy: ')}"


def far_sides() -> set[int]:
    """The processes of type checkers that this one has started and that live."""
    return {process.pid for process in running(TYPES)}
