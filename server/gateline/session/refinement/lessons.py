"""What the rounds of a loop are told of earlier work: lessons about the files at hand, and regressions."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateline.memory.ranking import MOST
from gateline.memory.reminders import Occasion
from gateline.model.imports import imported_names, module_names
from gateline.refinement.state import Verdict
from gateline.session.memory.reminding import left_of, note_uses, reminded, sentence
from gateline.session.tasks.tasks import Tasks
from gateline.session.workspace.branch import branch_at
from gateline.store.database import Database

OPERATION = "refinement"
"""The suite of evals, and the operation, that a round uses."""


@dataclass
class RoundLessons:
    """The lessons of one loop. Methods block, and raise StoreError."""

    database: Database
    root: Path
    project_files: Callable[[], Iterable[str]]
    batching: bool = True
    _told: set[str] = field(default_factory=set)
    """The lessons whose use was noted: a loop uses each once, however many rounds it has."""
    _budget: int | None = None
    """The tokens that are left for the rounds to come; None before the first."""

    def before_round(
        self, verdict: Verdict, changed: Sequence[str], besides: Sequence[str]
    ) -> tuple[str, ...]:
        """What is told before a round, within the tokens that the task in progress has left.

        `changed`: the paths that differ from the base, from the workspace. `besides`: other operations that
        the round uses.
        """
        branch = branch_at(self.root)
        files = (*_files(verdict), *changed)
        files = tuple(dict.fromkeys((*files, *self._imported(files))))
        occasion = Occasion((OPERATION, *besides), files, branch)
        tasks = Tasks(self.database, batching=self.batching)
        if self._budget is None:
            self._budget = left_of(tasks, branch, batching=self.batching)
        out = reminded(self.database, self.root, occasion, MOST, self._budget)
        self._budget -= out.tokens
        if not out.found:
            return ()
        self._told.update(one.id for one in note_uses(self.database, out, occasion, self._told))
        tasks.hand(branch, out.tokens, OPERATION)
        return tuple(map(sentence, out.found))

    def _imported(self, files: Iterable[str]) -> list[str]:
        """The files of the project that some files import: what their tests are of."""
        names: set[str] = set()
        for path in files:
            with contextlib.suppress(OSError):
                names.update(imported_names(path, (self.root / path).read_bytes()))
        return [path for path in self.project_files() if not names.isdisjoint(module_names(path))]


def inside(paths: Iterable[str], root: Path, top: Path) -> list[str]:
    """Paths from the top of a repository, as the workspace in it has them; those outside are left out."""
    told = [os.path.relpath(top / path, root) for path in paths]
    return [path for path in told if not path.startswith("..")]


def _files(verdict: Verdict) -> list[str]:
    """The files that failing tests are in, and where they raise."""
    places = (
        place for one in verdict.open for place in (one.place.rpartition(":")[0], one.test.partition("::")[0])
    )
    return [place for place in places if place]
