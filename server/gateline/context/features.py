"""What is known of each row in view of a question, as numbers that a weighted sum ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gateline.context.cursor import Cursor, read
from gateline.context.lexical import Lexical, lexical
from gateline.context.scope import Scope
from gateline.context.segment import FIELDS, Mask, Numbers, Scores, Segment
from gateline.context.values import Kind, Question
from gateline.context.view import View

NEAR, AROUND = ("together", "covered", "static", "semantic"), ("file", "class")
"""What is told of a row by the best row of its file, and of its class."""
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

_HOLE = ("in-sight", "own", "in-module", "made", "form")

_LONG = 60.0
"""Tokens at which a body stops being short."""


@dataclass(frozen=True, slots=True)
class Features:
    """The columns of all rows, and what was read on the way."""

    columns: Mapping[str, Scores]
    lexical: Lexical


def of_words(view: View, question: Question, tokens: list[int]) -> Features:
    """The features of a question in words; tiers are added by who has them."""
    found = lexical(view, tokens)
    columns = dict(zip(FIELDS, found.fields, strict=True))
    columns |= {"together": found.together, "covered": found.covered, "named": found.named}
    columns |= neighbours(view, "together", found.together) | neighbours(view, "covered", found.covered)
    columns |= view.derived(_priors)
    columns["identified"] = _weighted(view, dict.fromkeys(question.text.split(), 1.0))
    return Features(columns, found)


def of_cursor(view: View, question: Question, tokens: list[int], focus: int | None = None) -> Features:
    """The features of a question in code, perhaps from a place."""
    found = of_words(view, question, tokens)
    cursor = read(question.text, focus)
    scope = scope_at(view, question.path, question.line)
    columns = {**found.columns, **_symbols(view, cursor, scope), **_places(view, scope)}
    columns["identified"] = _weighted(view, dict.fromkeys(cursor.named, 1.0))
    return Features(columns, found.lexical)


def scope_at(view: View, path: str, line: int | None) -> Scope:
    """What is in sight at a place."""
    row = view.at(path, line) if path and line is not None else None
    if row is None:
        return Scope(view, path)
    chunk = view.chunk(row)
    if chunk.kind is Kind.CLASS:
        return Scope(view, path, chunk.short, row=row)
    return Scope(view, path, chunk.owner.rpartition(".")[2], chunk.short, row)


def neighbours(view: View, name: str, column: Scores) -> dict[str, Scores]:
    """How well the best rows of each row's file and class do: what stands together belongs together."""
    living = np.where(view.living, column, np.float32(0))
    parts: dict[str, list[Scores]] = {around: [] for around in AROUND}
    for segment, first in zip(view.segments, view.first_rows, strict=False):
        for around, groups in segment.derived(_groups).items():
            parts[around].append(groups.best(living[first : first + len(segment)]))
    return {f"{name}-{around}": np.concatenate(found) for around, found in parts.items()}


@dataclass(frozen=True, slots=True)
class _Groups:
    """Which rows stand together."""

    order: NDArray[np.intp] | None
    """The rows, group by group; None when they are in this order anyway."""
    starts: NDArray[np.intp]
    """Where each group begins in it."""
    of_row: NDArray[np.intp]
    """The number of each row's group."""

    @classmethod
    def by(cls, numbers: NDArray[np.integer[Any]]) -> _Groups:
        """The rows of equal numbers."""
        order = np.argsort(numbers, kind="stable")
        new = np.diff(numbers[order], prepend=-1) != 0
        of_row = np.zeros(len(numbers), np.intp)
        of_row[order] = np.cumsum(new) - 1
        sorted_already = bool((np.diff(order) == 1).all())
        return cls(None if sorted_already else order, np.flatnonzero(new), of_row)

    def best(self, column: Scores) -> Scores:
        """By row, the best of its group, and never less than nothing."""
        if not len(column):
            return column
        ordered = column if self.order is None else column[self.order]
        best = np.maximum(np.maximum.reduceat(ordered, self.starts), np.float32(0))
        found: Scores = best[self.of_row]
        return found


def _groups(segment: Segment) -> dict[str, _Groups]:
    """By file and by class; what stands outside of classes is one of its own in each file."""
    owners = int(segment.owner_of.max(initial=0)) + 1
    classes = segment.file_of.astype(np.int64) * owners + segment.owner_of
    return {"file": _Groups.by(segment.file_of), "class": _Groups.by(classes)}


def _priors(view: View) -> dict[str, Scores]:
    kinds = view.kinds
    body = view.lengths[:, FIELDS.index("body")]
    return {
        "test": _as_scores(view.tests),
        "class": _as_scores(kinds == Kind.CLASS),
        "module": _as_scores(kinds == Kind.MODULE),
        "section": _as_scores(kinds == Kind.SECTION),
        "table": _as_scores(kinds == Kind.TABLE),
        "special": view.special,
        "private": view.private,
        "short": np.maximum(0, 1 - body / _LONG).astype(np.float32),
        "popular": view.popular,
    }


def _symbols(view: View, cursor: Cursor, scope: Scope) -> dict[str, Scores]:
    made = dict(cursor.made)
    called = np.zeros(len(view), np.float32)
    inside = np.zeros(len(view), np.float32)
    for call in cursor.calls:
        number = view.names.numbers.get(scope.meant_by(call.name) if not call.receiver else call.name)
        if number is None:
            continue
        rows = (view.name_of == number) & view.living & (view.kinds <= Kind.CLASS)
        count = int(rows.sum())
        if count:
            called[rows] = np.maximum(called[rows], call.weight / (1 + np.log(count)))
            within = rows & scope.of(call.receiver, made)
            inside[within] = np.maximum(inside[within], call.weight)
    return {"called": called, "in-scope": inside, **_hole(view, cursor, scope)}


def _hole(view: View, cursor: Cursor, scope: Scope) -> dict[str, Scores]:
    """What may be written into the hole: what is in reach of it, and what has the right form."""
    made = dict(cursor.made)
    if not cursor.hole:
        reach = dict.fromkeys(_HOLE, np.zeros(len(view), np.bool_))
    elif cursor.receiver:
        behind = scope.of(cursor.receiver, made)
        own = behind & scope.own
        reach = {"in-sight": behind & ~own, "own": own, "in-module": behind & scope.modules}
        reach["form"] = view.kinds == Kind.METHOD
    else:
        reach = {"in-sight": scope.bare, "own": scope.own, "in-module": scope.modules & ~scope.bare}
        reach["made"] = scope.of_made(made)
    return {name: _as_scores(reach.get(name, np.zeros(len(view), np.bool_))) for name in _HOLE}


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
        parts = here.split("/") if here else []
        above = [f"{'/'.join(parts[:number])}/" for number in range(1, len(parts) + 1)]
        shares = np.array([_common(above, f"{folder}/") for folder in folders.names], np.float32)
        folders.near[here] = shares[folders.of_row]
    return folders.near[here]


@dataclass(frozen=True, slots=True)
class _Folders:
    """The folders that hold files, the number of each row's, and how near each row is to those asked from."""

    names: list[str]
    of_row: Numbers
    near: dict[str, Scores]


def _folders(view: View) -> _Folders:
    numbers: dict[str, int] = {}
    of_file = [numbers.setdefault(folder, len(numbers)) for folder in view.folders]
    return _Folders(list(numbers), np.array(of_file, np.int32)[view.file_of], {})


def _common(above: Sequence[str], there: str) -> float:
    """How many of the folders above a place are above another, too, as a share of those of the deeper one."""
    depth = there.count("/") if there != "/" else 0
    return (sum(map(there.startswith, above)) + 1) / (max(len(above), depth) + 1)


def _weighted(view: View, names: Mapping[str, float]) -> Scores:
    """What rows with one of these whole names get: less, the more rows share it."""
    weights = np.zeros(len(view.names.names), np.float32)
    for name, weight in names.items():
        number = view.names.numbers.get(name)
        if number:
            weights[number] = weight / (1 + np.log(max(view.name_counts[number], 1)))
    scored: Scores = weights[view.name_of]
    return scored


def _as_scores(mask: Mask) -> Scores:
    return mask.astype(np.float32)
