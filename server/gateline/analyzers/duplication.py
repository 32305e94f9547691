"""Duplicated code: changed lines that stand elsewhere in the workspace already.

Texts are compared as tokens: names are kept, numbers and strings are all alike, comments and white space
are left out. Every text has fingerprints, chosen by winnowing (Schleimer, Wilkerson, Aiken: Winnowing,
SIGMOD 2003), so that an equal run of at least `min_tokens` + window - 1 tokens is always found, and one
shorter than `min_tokens` never. Only the edited text is fingerprinted anew.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from zlib import crc32

from gateline.model import (
    Analyzer,
    Dimension,
    Finding,
    Inspection,
    Level,
    Measure,
    Report,
    Source,
    Span,
    State,
    Weight,
)
from gateline.model.document import digest_of
from gateline.model.finding import Related
from gateline.testing.naming import is_test

CODE = "GTL410"

_WINDOW = 16
FEW_TOKENS = 40
"""The shortest run that is a clone, unless the settings say otherwise."""
_MODULUS = (1 << 61) - 1
_BASE = 1_000_003
_COMMON = 50
"""A fingerprint that stands in more files is boilerplate (licence, generated code): not a clone."""
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>(?i:[rbuft]{0,2})(?:\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>\d[\w.]*)
    |(?P<newline>\n)
    |(?P<space>[^\S\n]+)
    |(?P<mark>[^\w\s])""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Clone:
    """Lines of one file that stand in another, or again in the same. Lines are zero-based, ends included."""

    start: int
    end: int
    other: str
    other_start: int
    other_end: int


@dataclass(frozen=True, slots=True)
class _Print:
    value: int
    start: int
    end: int


class CloneIndex:
    """The fingerprints of all texts of a workspace."""

    def __init__(self, min_tokens: int = FEW_TOKENS) -> None:
        self.min_tokens = min_tokens
        self._prints: dict[str, dict[int, tuple[_Print, ...]]] = {}
        """By path and value."""
        self._texts: dict[str, str] = {}
        self._files: defaultdict[int, set[str]] = defaultdict(set)

    def update(self, path: str, text: str | None) -> None:
        """Take a text in, in place of what was at its path; None takes it out."""
        digest = "" if text is None else digest_of(text)
        if self._texts.get(path, "") == digest:
            return
        for value in self._prints.pop(path, {}):
            self._files[value].discard(path)
            if not self._files[value]:
                del self._files[value]
        self._texts.pop(path, None)
        if text is not None:
            self._take(path, text, digest)

    def clones(self, path: str) -> tuple[Clone, ...]:
        """The runs of a file that stand elsewhere too, in order."""
        runs: list[Clone] = []
        for mine in sorted(chain.from_iterable(self._prints.get(path, {}).values()), key=_place):
            if (theirs := self._elsewhere(path, mine)) is None:
                continue
            clone = Clone(mine.start, mine.end, theirs[0], theirs[1].start, theirs[1].end)
            if runs and (joined := _joined(runs[-1], clone)) is not None:
                runs[-1] = joined
            else:
                runs.append(clone)
        return tuple(runs)

    def _take(self, path: str, text: str, digest: str) -> None:
        made: defaultdict[int, list[_Print]] = defaultdict(list)
        for known in _winnow(text, self.min_tokens):
            # A run that repeats within its own lines is no clone of itself.
            if known not in made[known.value][-1:]:
                made[known.value].append(known)
        self._texts[path] = digest
        self._prints[path] = {value: tuple(places) for value, places in made.items()}
        for value in made:
            self._files[value].add(path)

    def _elsewhere(self, path: str, mine: _Print) -> tuple[str, _Print] | None:
        files = self._files[mine.value]
        if len(files) > _COMMON:
            return None
        other = min((f for f in files if f != path), default=path)
        found = next((p for p in self._prints[other][mine.value] if other != path or p is not mine), None)
        return None if found is None else (other, found)


def inspect_clones(index: CloneIndex, source: Source, changed: frozenset[int] | None) -> Report:
    """The clones of which changed lines (None: all lines) are a third, and how many changed lines they cover.

    Tests repeat themselves on purpose, so that each can be read alone: nothing is said of them.
    """
    if is_test(source.path):
        return Report(ANALYZER.name, Dimension.DUPLICATION, State.NOTHING_TO_JUDGE)
    lines = frozenset(range(len(source.lines))) if changed is None else changed
    clones = [c for c in index.clones(source.path) if _is_new(c.start, c.end, lines)]
    clones = [c for c in clones if not _is_first_of_two(c, source.path, lines)]
    covered = set(chain.from_iterable(range(c.start, c.end + 1) for c in clones)) & lines
    measures = (
        Measure("duplicated_lines", float(len(covered))),
        Measure("changed_lines", float(len(lines))),
    )
    found = tuple(_finding(source, clone, lines) for clone in clones)
    state = State.MEASURED if lines else State.NOTHING_TO_JUDGE
    return Report(ANALYZER.name, Dimension.DUPLICATION, state, "", found, measures)


def _is_new(start: int, end: int, lines: frozenset[int]) -> bool:
    """Whether a third of these lines are changed: otherwise most of it stood there before."""
    return 3 * len(lines & set(range(start, end + 1))) >= end - start + 1


def _is_first_of_two(clone: Clone, path: str, lines: frozenset[int]) -> bool:
    """Whether the same is told of the other place, further down in the same file."""
    below = clone.other == path and clone.other_start > clone.end
    return below and _is_new(clone.other_start, clone.other_end, lines)


def inspect(inspection: Inspection) -> Report:
    """Clones within one document; the worker asks its index of the whole workspace instead."""
    size = inspection.options.get("min_tokens")
    index = CloneIndex(size if isinstance(size, int) else FEW_TOKENS)
    index.update(inspection.source.path, inspection.source.text)
    return inspect_clones(index, inspection.source, inspection.changed)


def _winnow(text: str, size: int) -> Iterator[_Print]:
    """The smallest of every window of hashes, each place once."""
    tokens = _tokens(text)
    hashes = _rolling([value for value, _ in tokens], size)
    last = -1
    for start in range(max(len(hashes) - _WINDOW + 1, min(len(hashes), 1))):
        if last >= start:
            # The last minimum is still inside: only the entering hash can beat it.
            entering = min(start + _WINDOW, len(hashes)) - 1
            smallest = entering if hashes[entering] <= hashes[last] else last
        else:
            window = hashes[start : start + _WINDOW]
            smallest = start + min(range(len(window)), key=lambda n: (window[n], -n))
        if smallest != last:
            last = smallest
            yield _Print(hashes[last], tokens[last][1], tokens[last + size - 1][1])


def _tokens(text: str) -> list[tuple[int, int]]:
    """A stable number for each token, and its line."""
    found: list[tuple[int, int]] = []
    line = 0
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "newline":
            line += 1
        elif kind == "string":
            found.append((1, line))
            line += token.count("\n")
        elif kind == "number":
            found.append((2, line))
        elif kind in ("name", "mark"):
            found.append((crc32(token.encode("utf-8", "surrogatepass")), line))
    return found


def _rolling(values: Sequence[int], size: int) -> list[int]:
    """The hash of each run of `size` values (Rabin and Karp's rolling hash)."""
    leaving = pow(_BASE, size, _MODULUS)
    hashes: list[int] = []
    rolled = 0
    for number, value in enumerate(values):
        rolled = (rolled * _BASE + value) % _MODULUS
        if number >= size:
            rolled = (rolled - values[number - size] * leaving) % _MODULUS
        if number >= size - 1:
            hashes.append(rolled)
    return hashes


def _place(known: _Print) -> tuple[int, int]:
    return known.start, known.end


def _joined(last: Clone, clone: Clone) -> Clone | None:
    """One clone, where two follow each other on both sides."""
    follows = clone.other == last.other and clone.start <= last.end + 1
    if not follows or not last.other_start <= clone.other_start <= last.other_end + 1:
        return None
    return Clone(
        last.start,
        max(last.end, clone.end),
        last.other,
        last.other_start,
        max(last.other_end, clone.other_end),
    )


def _finding(source: Source, clone: Clone, lines: frozenset[int]) -> Finding:
    first = min(n for n in range(clone.start, clone.end + 1) if n in lines)
    last = max(n for n in range(clone.start, clone.end + 1) if n in lines)
    count = clone.end - clone.start + 1
    there = f"{clone.other}:{clone.other_start + 1}"
    return Finding(
        code=CODE,
        path=source.path,
        span=Span.of(first, 0, last, len(source.line(last))),
        message=f"{count} duplicated lines, also at {there}",
        dimension=Dimension.DUPLICATION,
        weight=Weight.ADVICE,
        symbol=source.symbol_at(first),
        line_text=source.line(first),
        related=(
            Related(
                clone.other, Span.of(clone.other_start, 0, clone.other_end, 0), "the same code stands here"
            ),
        ),
    )


ANALYZER = Analyzer("duplication", Dimension.DUPLICATION, Level.FINAL, inspect, changed_lines_only=True)
