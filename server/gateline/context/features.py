"""What is known of each row in view of a question, as numbers that a weighted sum ranks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gateline.context.arrays import Mask, Numbers, Scores
from gateline.context.cursor import Call, Cursor, read
from gateline.context.groups import AROUND, groups
from gateline.context.lexical import Lexical, lexical
from gateline.context.priors import priors, priors_weighed
from gateline.context.scope import Scope
from gateline.context.segment import FIELDS
from gateline.context.values import Kind, Question
from gateline.context.view import View

NEAR = ("together", "covered", "static", "semantic")
"""What is told of a row by the best row of its file, and of its class."""
_WORDED = ("together", "covered")
WORDS = (
    *FIELDS,
    "together",
    "covered",
    "named",
    "test",
    "class",
    "module",
    "section",
    "table",
    "special",
    "private",
    "short",
    "popular",
    "identified",
    "static",
    "semantic",
    *(f"{name}-{around}" for name in NEAR for around in AROUND),
)
"""The features of a question in words."""
CURSOR = (
    *WORDS,
    "called",
    "in-scope",
    "imported-name",
    "same-file",
    "imported-file",
    "near",
    "same-class",
    "called-nearby",
    "called-nearby-in-sight",
    "in-sight",
    "own",
    "in-module",
    "made",
    "form",
)
"""The features of a question from a place, or in code."""
TIERS = {tier: (tier, *(f"{tier}-{around}" for around in AROUND)) for tier in ("static", "semantic")}
"""Features that may be missing, by their tier."""


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of all rows. What depends on the question alone is a column; what is 0 may be missing."""

    view: View
    columns: Mapping[str, Scores]
    lexical: Lexical

    def worded(self, weights: Mapping[str, float]) -> Scores:
        """What the words of the question add to each row."""
        total = self.lexical.weighed(weights)
        for name in _WORDED:
            total += np.float32(weights.get(name, 0.0)) * self.columns[name]
        return total

    def scored(self, weights: Mapping[str, float], worded: Scores) -> Scores:
        """The weighted sum by row, of which one part is known; features without a weight do not count.

        Not taken apart into all features: most are the same for each question, or for many rows.
        """
        return priors_weighed(self.view, weights) + worded + self.added(self.columns, weights)

    def added(self, names: Collection[str], weights: Mapping[str, float]) -> Scores:
        """What some columns add to each row, by themselves and by the best row of its file and its class."""
        total = np.zeros(len(self.view), np.float32)
        for name in names:
            weight = weights.get(name, 0.0)
            if weight and name not in _WORDED:
                total += np.float32(weight) * self.columns[name]
        for around, found in self.view.derived(groups).items():
            best = {n: weights.get(f"{n}-{around}", 0.0) for n in NEAR if n in names}
            parts = [np.float32(w) * found.best(self._living(name)) for name, w in best.items() if w]
            if parts:
                total += np.add.reduce(parts).take(found.of_row)
        return total

    def apart(self) -> dict[str, Scores]:
        """Each feature by its name, as weights are learned from them."""
        return {
            **self.lexical.apart(),
            **self.columns,
            **self.view.derived(priors),
            **{
                f"{name}-{around}": found.best(self._living(name)).take(found.of_row)
                for around, found in self.view.derived(groups).items()
                for name in NEAR
                if name in self.columns
            },
        }

    def _living(self, name: str) -> Scores:
        column = self.columns[name]
        return column if self.view.is_whole else np.where(self.view.living, column, np.float32(0))


def of_words(view: View, question: Question, tokens: list[int]) -> Features:
    """The features of a question in words; tiers are added by who has them."""
    found = lexical(view, tokens)
    columns = {"together": found.together, "covered": found.covered}
    columns["identified"] = _identified(view, question.text.split())
    return Features(view, columns, found)


def of_cursor(view: View, question: Question, tokens: list[int], focus: int | None = None) -> Features:
    """The features of a question in code, perhaps from a place."""
    found = lexical(view, tokens)
    cursor = read(question.text, focus)
    scope = scope_at(view, question.path, question.line)
    columns = {"together": found.together, "covered": found.covered}
    columns["identified"] = _identified(view, cursor.named)
    return Features(view, {**columns, **_symbols(view, cursor, scope), **_places(view, scope)}, found)


def scope_at(view: View, path: str, line: int | None) -> Scope:
    """What is in sight at a place."""
    row = view.at(path, line) if path and line is not None else None
    if row is None:
        return Scope(view, path)
    chunk = view.chunk(row)
    if chunk.kind is Kind.CLASS:
        return Scope(view, path, chunk.short, row=row)
    return Scope(view, path, chunk.owner.rpartition(".")[2], chunk.short, row)


def _symbols(view: View, cursor: Cursor, scope: Scope) -> dict[str, Scores]:
    made = dict(cursor.made)
    called = np.zeros(len(view), np.float32)
    inside = np.zeros(len(view), np.float32)
    for call in cursor.calls:
        for number, within in meant(scope, call, made):
            rows = np.flatnonzero(view.code_names == number)
            if len(rows):
                called[rows] = np.maximum(called[rows], call.weight / (1 + np.log(len(rows))))
                near = rows[within[rows]]
                inside[near] = np.maximum(inside[near], call.weight)
    return {"called": called, "in-scope": inside, **_hole(view, cursor, scope)}


def meant(scope: Scope, call: Call, made: Mapping[str, str]) -> Iterator[tuple[int, Mask]]:
    """The numbers of the names that a call may mean, each with the rows that are in its reach."""
    view = scope.view
    name = scope.meant_by(call.name) if not call.receiver else call.name
    number = view.names.numbers.get(name, -1)
    elsewhere = dict(scope.handed_on(call.receiver, call.name))
    here = elsewhere.pop(number, None)
    yield from elsewhere.items()
    # Most names are defined nowhere here, and what is in reach takes a while to find.
    if number >= 0 and view.name_counts[number]:
        within = scope.of(call.receiver, made)
        yield number, within if here is None else within | here


def _hole(view: View, cursor: Cursor, scope: Scope) -> dict[str, Scores]:
    """What may be written into the hole: what is in reach of it, and what has the right form."""
    made = dict(cursor.made)
    if not cursor.hole:
        return {}
    if cursor.receiver:
        behind = scope.of(cursor.receiver, made)
        own = behind & scope.own
        reach = {"in-sight": behind & ~own, "own": own, "in-module": behind & scope.modules}
        reach["form"] = view.kinds == Kind.METHOD
    else:
        reach = {"in-sight": scope.bare, "own": scope.own, "in-module": scope.modules & ~scope.bare}
        reach["made"] = scope.of_made(made)
    return {name: _as_scores(mask) for name, mask in reach.items()}


def _places(view: View, scope: Scope) -> dict[str, Scores]:
    owner = view.names.numbers.get(scope.owner, -1) if scope.owner else -1
    in_sight = scope.bare | scope.own | scope.modules
    return {
        "called-nearby": scope.called_nearby,
        "called-nearby-in-sight": scope.called_nearby * in_sight,
        "imported-name": _as_scores(scope.named),
        "same-file": _as_scores(scope.file),
        "imported-file": _as_scores(scope.imported),
        "near": _near(view, scope.path),
        "same-class": _as_scores((view.owner_of == owner) & scope.file),
    }


def _near(view: View, path: str) -> Scores:
    """The share of the path to a file's folder that the place's folder has in common."""
    if not path:
        return np.zeros(len(view), np.float32)
    folders = view.derived(_folders)
    here = path.rpartition("/")[0]
    if here not in folders.near:
        folders.near[here] = folders.shares(here)[folders.of_row]
    return folders.near[here]


@dataclass(frozen=True, slots=True)
class _Folders:
    """The folders that hold files, the number of each row's, and how near each row is to those asked from."""

    numbers: dict[str, int]
    """Of each folder and of all above it; these come first."""
    above: list[int]
    """The number of the folder above each; -1 for the first."""
    depths: Numbers
    of_row: Numbers
    near: dict[str, Scores]

    def shares(self, here: str) -> Scores:
        """How many of the folders above a place are above each, as a share of those of the deeper one."""
        chain, depth = _chain(here), _depth(here)
        common = [0] * len(self.above)
        for number in (self.numbers[folder] for folder in chain if folder in self.numbers):
            common[number] = int(self.depths[number])
        for number, above in enumerate(self.above):
            if not common[number] and above >= 0:
                common[number] = common[above]
        found: Scores = ((np.array(common) + 1) / (np.maximum(self.depths, depth) + 1)).astype(np.float32)
        return found


def _folders(view: View) -> _Folders:
    numbers: dict[str, int] = {"": 0}
    above = [-1]
    for folder in view.folders:
        if folder not in numbers:
            for one in reversed(_chain(folder)):
                if one not in numbers:
                    numbers[one] = len(above)
                    above.append(numbers[one.rpartition("/")[0]])
    of_file = np.array([numbers[folder] for folder in view.folders], np.int32)
    depths = np.array([_depth(folder) for folder in numbers], np.int32)
    return _Folders(numbers, above, depths, of_file[view.file_of], {})


def _chain(folder: str) -> list[str]:
    """A folder and those above it, the deepest first; the root is none."""
    found = []
    while folder:
        found.append(folder)
        folder = folder.rpartition("/")[0]
    return found


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def _identified(view: View, names: Iterable[str]) -> Scores:
    """What rows with one of these whole names get: less, the more rows share it."""
    scored = np.zeros(len(view), np.float32)
    for name in set(names):
        number = view.names.numbers.get(name)
        if number:
            scored[view.name_of == number] = 1 / (1 + np.log(max(view.name_counts[number], 1)))
    return scored


def _as_scores(mask: Mask) -> Scores:
    return mask.astype(np.float32)
