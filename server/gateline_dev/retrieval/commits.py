"""Whether the pack for the symbols of a commit in one file holds the other files that it changed.

The index is of the parent's tree, and the history that says what changes together ends with the parent: no
system sees anything of the commit but the lines that it changed in that one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from gateline.context import position
from gateline.context.lexical import lexical
from gateline.context.search import Ranker
from gateline.context.static import TIER as STATIC
from gateline.context.together import shares
from gateline.context.view import View
from gateline.git import GitError
from gateline_dev.retrieval.histories import Commit, History, symbols

DEEPEST = 10
"""Files of a ranking that count."""
_SYMBOLS = 6
_COMMITS = 200
"""As the engine looks back."""
_PATIENCE = 20.0
SYSTEMS = ("words alone", "co-change alone", "gateline")


@dataclass(frozen=True)
class Task:
    """One commit: the places in the file that is given, and the files that are to be found."""

    view: View
    given: str
    text: str
    places: tuple[tuple[int, int], ...]
    """A row and a zero-based line in it, for each symbol."""
    wanted: frozenset[str]
    together: Mapping[str, float]


def tasks(history: History, most: int, ranker: Ranker) -> Iterator[Task]:
    """One for each commit that leaves something to be found."""
    for commit in history.commits(most):
        index = history.index_at(commit.parent)
        if ranker.table is not None:
            index.fill(STATIC, ranker.table.of)
        found = _task(history, commit, index.view())
        if found is not None:
            yield found


def _task(history: History, commit: Commit, view: View) -> Task | None:
    """The code file with most symbols is given; one of tests where there is no other."""
    known = [path for path in commit.files if path in view.files]
    places = {path: _places(history, commit, view, path) for path in known if path.endswith(".py")}
    held = {path: rows for path, rows in places.items() if rows}
    if not held or len(known) < 2:
        return None
    given = min(held, key=lambda path: (bool(view.tests[held[path][0][0]]), -len(held[path]), path))
    try:
        before = history.git.commits_of(given, _COMMITS, _PATIENCE, commit.parent)
    except GitError:
        before = []
    text = history.text(commit.parent, given)
    return Task(view, given, text, held[given], frozenset(known) - {given}, shares(before, given))


def _places(history: History, commit: Commit, view: View, path: str) -> tuple[tuple[int, int], ...]:
    lines = history.lines_changed(commit, path)
    rows = symbols(view, path, lines, _SYMBOLS)
    return tuple((row, _middle([line for line in lines if view.at(path, line) == row])) for row in rows)


def _middle(lines: Sequence[int]) -> int:
    return lines[len(lines) // 2]


def recalls(task: Task, ranker: Ranker) -> dict[str, float]:
    """By system, the share of the wanted files that are among the first ten."""
    rankings = {
        "words alone": _by_words(task),
        "co-change alone": task.together,
        "gateline": _by_position(task, ranker),
    }
    return {system: _recall(task, rankings[system]) for system in SYSTEMS}


def _recall(task: Task, scores: Mapping[str, float]) -> float:
    living = (path for path in _ordered(scores) if path != task.given and path in task.view.files)
    return len(task.wanted & set(islice(living, DEEPEST))) / len(task.wanted)


def _ordered(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda path: (-scores[path], path))


def _by_position(task: Task, ranker: Ranker) -> dict[str, float]:
    """As the engine answers for each symbol; a file counts as much as its best passage."""
    best: dict[str, float] = {}
    for _, line in task.places:
        place = position.Place(task.given, line, task.text, task.together)
        hits, _ = position.around(task.view, place, ranker)
        for hit in hits:
            best[hit.path] = max(best.get(hit.path, 0.0), hit.score)
    return best


def _by_words(task: Task) -> dict[str, float]:
    """BM25 with the text of each symbol."""
    best = np.zeros(len(task.view.row_files))
    lines = task.text.split("\n")
    for row, _ in task.places:
        chunk = task.view.chunk(row)
        tokens = task.view.lexicon.find("\n".join(lines[chunk.first : chunk.last + 1]))
        scores = lexical(task.view, tokens).together
        np.maximum.at(best, task.view.file_of, np.where(task.view.living, scores, 0))
    return {path: float(best[number]) for path, number in task.view.file_numbers.items() if best[number] > 0}


def means(found: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """By system, over all commits."""
    rows = list(found)
    return {system: sum(row[system] for row in rows) / max(len(rows), 1) for system in SYSTEMS}
