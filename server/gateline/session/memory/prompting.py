"""Puts lessons before what a person asks an agent: about the files at hand, each once a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import normpath

from gateline.memory.ranking import MOST
from gateline.memory.reminders import Occasion
from gateline.session.memory.reminding import left_of, note_uses, reminded, sentence
from gateline.session.tasks.tasks import Tasks
from gateline.session.workspace.branch import branch_at
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of

OPERATION = "prompt"
"""Noted with each use."""
_HEAD = 20
"""Tokens of the sentence that a hook puts before the lessons."""
_CONVERSATIONS = 64
"""So many are remembered: one that was forgotten is told again."""
_PATH = re.compile(r"(?<![\w./-])/?([\w.-]+(?:/[\w.-]+)*\.\w+)")
"""A path. None begins within another one: looking for them takes time in proportion to the text."""


@dataclass
class PromptLessons:
    """What conversations with agents were told, in one workspace."""

    root: Path
    _told: dict[str, set[str]] = field(default_factory=dict)

    def before(self, prompt: str, changed: Iterable[str], asker: str, *, batching: bool) -> tuple[str, ...]:
        """The lessons for a prompt of a conversation: at most five, in the tokens that the task has left.

        They are about files that the prompt names, or that differ from the base (`changed`), and regressions
        of the branch. Blocks. Raises StoreError.
        """
        database = Database(state_of(self.root) / DATABASE)
        try:
            branch = branch_at(self.root)
            occasion = Occasion((OPERATION,), (*self._named(prompt), *changed), branch)
            left = left_of(Tasks(database, batching=batching), branch, batching=batching)
            told = self._of(asker)
            out = reminded(database, self.root, occasion, MOST, max(0, left - _HEAD), told)
            told.update(one.id for one in note_uses(database, out, occasion))
            return tuple(map(sentence, out.found))
        finally:
            database.close()

    def _named(self, prompt: str) -> list[str]:
        """The files of the workspace that a prompt names by their paths."""
        names = dict.fromkeys(map(normpath, _PATH.findall(prompt)))
        return [name for name in names if ".." not in name and self._has(name)]

    def _has(self, name: str) -> bool:
        try:
            return (self.root / name).is_file()
        except OSError:
            return False  # No file can have that name: it is too long.

    def _of(self, asker: str) -> set[str]:
        if asker not in self._told and len(self._told) >= _CONVERSATIONS:
            del self._told[next(iter(self._told))]
        return self._told.setdefault(asker, set())
