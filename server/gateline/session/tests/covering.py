"""Which changed lines and branches tests execute, as far as that is known of the newest texts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from cachetools import LRUCache

from gateline.model import Change, Document, FileChange, Report, State
from gateline.model.lines import changed_code
from gateline.services.shielded import begun
from gateline.services.tests.overlay import Overlay
from gateline.session.tests.selecting import Selecting, paths_of
from gateline.session.tests.services import TestService
from gateline.testing.coverage_report import absent, report_of
from gateline.testing.covered import Covered
from gateline.testing.naming import is_tests
from gateline.testing.outline import NoOutline, Outline, Outlined

Lines = Mapping[str, Covered | NoOutline]
"""What is known of the changed lines, by path, or why nothing is."""
_REMEMBERED = 256


class Covering:
    """Asks what can be executed, and what was."""

    def __init__(self, service: TestService, selecting: Selecting) -> None:
        self._service = service
        self._selecting = selecting
        self._beginning: asyncio.Task[dict[str, Outlined]] | None = None
        self._outlines: LRUCache[tuple[str, str], Outlined] = LRUCache(_REMEMBERED)

    def begin(self, change: Change) -> None:
        """Find out what can be executed in a change, while its tests still run."""
        self._beginning = begun(self._outlined([row.current for row in measured(change) if row.current]))

    async def of_change(self, change: Change, overlay: Overlay) -> Lines:
        """What is known of the changed lines.

        Raises:
            ChildError: there is no coverage in the project's environment, or a process failed.

        """
        rows = measured(change)
        if self._beginning is not None:
            # What failed is asked again, and says so.
            await asyncio.wait([self._beginning])
        outlines = await self._outlined([row.current for row in rows if row.current])
        asked = {
            row.path: (outline, changed_in(row))
            for row in rows
            if isinstance(outline := outlines[row.path], Outline)
        }
        silent = {path: outline for path, outline in outlines.items() if isinstance(outline, NoOutline)}
        files = await self._selecting.files()
        return {**silent, **await self._selecting.book.covered(overlay, files, paths_of(change), asked)}

    async def _outlined(self, documents: Sequence[Document]) -> dict[str, Outlined]:
        unknown = {d.path: d for d in documents if (d.path, d.digest) not in self._outlines}
        found = await self._service.outlines({path: d.text for path, d in unknown.items()})
        for path, outline in found.items():
            self._outlines[path, unknown[path].digest] = outline
        return {d.path: self._outlines[d.path, d.digest] for d in documents}


def measured(change: Change) -> list[FileChange]:
    """The changed files whose lines are to be covered: Python that is no test itself."""
    rows = (row for row in change.files if row.current and not row.skipped)
    return [row for row in rows if row.path.endswith((".py", ".pyw")) and not is_tests(row.path)]


def paths_measured(change: Change) -> list[str]:
    """Their paths."""
    return [row.path for row in measured(change)]


def reports_of(change: Change, found: Lines) -> dict[str, Report]:
    """A report for each changed file."""
    documents = {row.path: row.current for row in measured(change) if row.current}
    reports = unmeasured(change)
    for path, document in documents.items():
        match found.get(path):
            case Covered() as covered:
                reports[path] = report_of(path, document.lines, covered)
            case NoOutline(reason, state):
                reports[path] = absent(reason, state)
            case None:
                reports[path] = absent("the executable lines of the file are unknown")
    return reports


def all_absent(change: Change, reason: str, state: State = State.NO_DATA) -> dict[str, Report]:
    """A report for each changed file, when nothing is known of any."""
    return unmeasured(change) | dict.fromkeys(paths_measured(change), absent(reason, state))


def unmeasured(change: Change) -> dict[str, Report]:
    """Reports of changed files that are not to be covered: tests, stubs."""
    rows = (row.path for row in change.files if row.current and not row.skipped)
    return dict.fromkeys(rows, absent("tests and stubs need no coverage", State.NOTHING_TO_JUDGE))


def changed_in(row: FileChange) -> frozenset[int]:
    """The zero-based lines of a changed file in which Python sees what its base does not have."""
    assert row.current is not None
    if row.base is None:
        return frozenset(range(len(row.current.lines)))
    return changed_code(row.base.text, row.current.text)
