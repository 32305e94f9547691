"""What one needs in view at a place: the definition around it, what it calls, who calls it, tests, docs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from gateline.context import cursor
from gateline.context.arrays import Mask, Numbers, Scores
from gateline.context.features import meant, scope_at
from gateline.context.lexical import together
from gateline.context.meant import Meant
from gateline.context.resolved import NOTHING, Resolved
from gateline.context.scope import Scope
from gateline.context.search import Found, Ranker, hits, ranked
from gateline.context.sites import covers, sites
from gateline.context.values import Chunk, Hit, Kind, Question, Want
from gateline.context.view import View
from gateline.model.document import split_lines

_AROUND = 6
"""Lines before and after the place that are asked with."""
WEIGHTS: Mapping[str, float] = {
    "definition": 10.0,
    "cursor": 16.0,
    "line": 9.0,
    "similar": 0.5,
    "called": 0.8,
    "calls": 0.7,
    "tests": 1.2,
    "executes": 1.2,
    "imports": 0.45,
    "together": 6.0,
    "documents": 0.9,
    "words": 2.0,
    "name": 1.0,
}
"""What each relation counts; a passage with several has their sum.

Near those that bring most of the files of a commit into the pack of its symbols, as
`python -m gateline_dev.retrieval commits` counts them; what is called and what calls counts more than that.
"""
_DEEPEST = 30
"""Passages of one relation."""


@dataclass(frozen=True)
class Place:
    """A line of a file with the file's text."""

    path: str
    line: int
    text: str
    together: Mapping[str, float] = field(default_factory=dict)
    """Files that changed together with this one, each with a share from 0 to 1."""
    executing: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Tests that executed the definition, by path and qualified name, each with a share from 0 to 1."""
    column: int | None = None
    """In code points; None where only the line is known."""
    resolved: Resolved = NOTHING
    """What a resolver knows of the names and the callers."""


@dataclass
class Gathered:
    """The relations of rows to a place, each with its strength from 0 to 1, and the reasons."""

    relations: dict[int, dict[str, float]] = field(default_factory=dict)
    reasons: dict[int, list[str]] = field(default_factory=dict)

    def add(self, rows: Iterable[int], relation: str, why: str = "", strength: float = 1.0) -> None:
        """Rows that have a relation."""
        for row in rows:
            held = self.relations.setdefault(row, {})
            held[relation] = max(held.get(relation, 0.0), strength)
            self.reasons.setdefault(row, []).extend((why,) if why else ())

    def score(self, row: int) -> float:
        """The weighted sum of a row's relations."""
        return _weighed(self.relations.get(row, {}))

    def scores(self, file_of: Numbers) -> dict[int, float]:
        """Of all rows; the best one of a file stands for all that speaks for the file."""
        found = {row: self.score(row) for row in self.relations}
        rows_of: dict[int, list[int]] = {}
        for row in found:
            rows_of.setdefault(int(file_of[row]), []).append(row)
        for rows in rows_of.values():
            together: dict[str, float] = {}
            for row in rows:
                for name, strength in self.relations[row].items():
                    together[name] = max(together.get(name, 0.0), strength)
            found[max(rows, key=lambda row: (found[row], -row))] = _weighed(together)
        return found


def _weighed(relations: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * strength for name, strength in relations.items())


def around(view: View, place: Place, ranker: Ranker, limit: int = 60) -> tuple[list[Hit], tuple[str, ...]]:
    """The hits for a place, the nearest relations first, and the tiers that took part."""
    if not view.segments:
        return [], ()
    found, gathered = gather(view, place, ranker)
    scores = gathered.scores(view.file_of)
    firsts = view.lines[:, 0]
    ordered = sorted(scores, key=lambda r: (-round(scores[r], 3), view.path(r), firsts[r]))[:limit]
    plain = hits(view, found, ordered)
    return [_told(one, gathered.reasons[r], scores[r]) for one, r in zip(plain, ordered, strict=True)], (
        *found.tiers,
        *place.resolved.tiers,
    )


def gather(view: View, place: Place, ranker: Ranker) -> tuple[Found, Gathered]:
    """What has to do with a place, and how."""
    lines = [line.rstrip("\r\n") for line in split_lines(place.text)]
    first = max(place.line - _AROUND, 0)
    text = "\n".join(lines[first : place.line + _AROUND + 1])
    question = Question(text, place.path, place.line, Want.ANY)
    found = ranked(view, question, ranker, focus=place.line - first)
    row = view.at(place.path, place.line)
    gathered = Gathered()
    if row is not None:
        gathered.add([row], "definition", "encloses the place")
        _relate(view, place, row, lines, gathered)
        _execute(view, place, row, gathered)
    _resemble(found, gathered)
    if row is not None:
        _share_words(view, row, lines, gathered)
    _change_together(view, place, found, gathered)
    return found, gathered


def _told(plain: Hit, reasons: list[str], score: float) -> Hit:
    why = tuple(dict.fromkeys((*reasons, *plain.why)))[:4]
    return plain._replace(score=round(score, 4), why=why)


def _resemble(found: Found, gathered: Gathered) -> None:
    """What fits the lines around, as a share of what fits best."""
    best = float(found.scores[found.rows[0]]) if found.rows else 0.0
    for row in found.rows[:_DEEPEST]:
        share = float(found.scores[row]) / best if best > 0 else 0.0
        if share > 0:
            gathered.add([row], "similar", strength=share)


def _relate(view: View, place: Place, row: int, lines: list[str], gathered: Gathered) -> None:
    chunk = view.chunk(row)
    scope = scope_at(view, place.path, place.line)
    own = "\n".join(lines[chunk.first : chunk.last + 1])
    meant = Meant.of(view, place.resolved)
    _mean(place, row, meant, gathered)
    known = meant.settled(site for site, is_called in sites(lines, chunk.first, chunk.last) if is_called)
    for name, rows in _callees(view, scope, own, place.line - chunk.first):
        if name not in known:
            gathered.add((r for r in rows if r != row), "called", f"called here as {name}")
    if chunk.kind > Kind.CLASS:
        return
    callers = meant.callers(row, _callers(view, row, chunk))
    tests = view.tests
    gathered.add((r for r in callers if not tests[r]), "calls", f"calls {chunk.short}")
    gathered.add((r for r in callers if tests[r]), "tests", f"tests {chunk.short}")
    gathered.add(_importing(view, place.path, chunk), "imports", f"imports {chunk.short}")
    gathered.add(_documents(view, chunk), "documents", f"documents {chunk.short}")


def _mean(place: Place, row: int, meant: Meant, gathered: Gathered) -> None:
    """What the names mean that a resolver knows: those at the place say most."""
    for site, rows in meant.names.items():
        others = [other for other in rows if other != row]
        gathered.add(others, "called", f"called here as {site.name}")
        if site.line == place.line:
            gathered.add(others, "line")
            if place.column is not None and covers(site, place.column):
                gathered.add(others[:1], "cursor")


def _execute(view: View, place: Place, row: int, gathered: Gathered) -> None:
    """The tests that ran through the definition, as far as they are still there."""
    short = view.chunk(row).short
    for (path, name), share in place.executing.items():
        rows = (r for r in view.rows_of(path).tolist() if view.chunk(r).name == name and r != row)
        gathered.add(rows, "executes", f"executes {short}", share)


def _callees(view: View, scope: Scope, text: str, focus: int) -> Iterator[tuple[str, list[int]]]:
    """The rows that each call of a text can mean: those in sight, else the only one of its name."""
    read = cursor.read(text, focus)
    made = dict(read.made)
    for call in read.calls:
        for number, within in meant(scope, call, made):
            named = view.code_names == number
            near = named & within
            rows = np.flatnonzero(near if near.any() else named)
            if near.any() or len(rows) == 1:
                yield call.name, _first(view, rows.tolist())


def _callers(view: View, row: int, chunk: Chunk) -> list[int]:
    """Rows that call something of this name and can mean it: here, or where the file is imported."""
    number = view.names.numbers.get(chunk.short, -1)
    calling = np.array(sorted(set(view.calls[view.calls[:, 1] == number, 0].tolist())), np.int32)
    if view.name_counts[number] > 1:
        path = view.path(row)
        near = {path, *view.modules.importers(path)}
        calling = calling[_in_files(view, near)[calling]]
    return _first(view, [r for r in calling.tolist() if r != row])


def _importing(view: View, path: str, chunk: Chunk) -> list[int]:
    """The heads of the modules that import the name."""
    names = {chunk.name.partition(".")[0]}
    files = [
        other
        for other in view.modules.importers(path)
        if names & {one.name for one in view.files[other].imports}
    ]
    rows = np.flatnonzero(_in_files(view, files) & (view.kinds == Kind.MODULE) & view.living)
    return _first(view, rows.tolist())


def _documents(view: View, chunk: Chunk) -> list[int]:
    """Sections that hold the name as a whole."""
    tokens = view.lexicon.find(chunk.short)
    if not tokens:
        return []
    whole = tokens[-1]
    found = []
    for number, segment in enumerate(view.segments):
        place = int(np.searchsorted(segment.tokens, whole))
        if place < len(segment.tokens) and segment.tokens[place] == whole:
            rows = segment.docs[segment.starts[place] : segment.starts[place + 1]]
            kept = rows[view.alive[number][rows] & (segment.kinds[rows] >= Kind.SECTION)]
            found += (kept + view.first_rows[number]).tolist()
    return _first(view, found)


def _share_words(view: View, row: int, lines: list[str], gathered: Gathered) -> None:
    """What has the words of the whole definition, and what has those of its name."""
    chunk = view.chunk(row)
    own = "\n".join(lines[chunk.first : chunk.last + 1])
    for relation, text in (("words", own), ("name", f"{chunk.short} {chunk.owner}")):
        shares = together(view, view.lexicon.find(text)) * view.living
        for other in _highest(view, shares, 2 * _DEEPEST):
            gathered.add([other], relation, strength=float(shares[other]))


def _highest(view: View, shares: Scores, most: int) -> list[int]:
    """The rows that have any share, the largest first; equal ones by their places."""
    rows = np.flatnonzero(shares > 0)
    if len(rows) > most:
        rows = rows[shares[rows] >= np.partition(shares[rows], -most)[-most]]
    return sorted(rows.tolist(), key=lambda row: (-shares[row], *_place(view, row)))[:most]


def _first(view: View, rows: list[int]) -> list[int]:
    """As many as count, by their places: in which order files came here tells nothing."""
    return sorted(rows, key=lambda row: _place(view, row))[:_DEEPEST] if len(rows) > _DEEPEST else rows


def _place(view: View, row: int) -> tuple[str, int]:
    return view.path(row), int(view.lines[row, 0])


def _change_together(view: View, place: Place, found: Found, gathered: Gathered) -> None:
    """Of each file that changes together with this one, the row that fits best."""
    for path, share in sorted(place.together.items(), key=lambda pair: -pair[1])[:_DEEPEST]:
        rows = view.rows_of(path)
        if len(rows) and path != place.path:
            fitting = [gathered.score(r) for r in rows.tolist()]
            best = int(rows[np.lexsort((-found.scores[rows], -np.array(fitting)))[0]])
            gathered.add([best], "together", f"changes together with {place.path}", share)


def _in_files(view: View, paths: Iterable[str]) -> Mask:
    known = view.file_numbers
    flags = np.zeros(len(view.row_files), np.bool_)
    flags[[known[path] for path in paths if path in known]] = True
    found: Mask = flags[view.file_of]
    return found
