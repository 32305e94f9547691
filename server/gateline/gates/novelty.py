"""Tells new findings from old ones by content, not by line numbers.

A finding is known by its path (through renames), code, origin, symbol and the text of its line. Findings
of the base and of now are paired in stages, each looking only at what the stage before left over:

1. the same in everything;
2. the same but for the symbol: its function was renamed;
3. the same but for the path and the symbol: the code moved to another file;
4. on a line that was edited in place: the same code, origin and message.

Within a stage, equal findings are paired first where the texts align, then by message, then in order.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from gateline.gates.alignment import Alignment, align
from gateline.model.finding import Finding, Novelty

_LIKE = 60.0
"""How alike (0-100) the texts of an edited line must be to be one line."""
_TELLING = 8
"""Characters of a line from which on it says something by itself."""

_SUPPRESSION = re.compile(r"#\s*gateline:.*")

Lines = Mapping[str, Sequence[str]]


class Classified(NamedTuple):
    """The findings of now, and those of the base that went away."""

    findings: tuple[Finding, ...]
    """Sorted, each with novelty and identity."""
    fixed: tuple[Finding, ...]
    """Findings of the base that are in no text any more, sorted; paths are the base's."""


class _Print(NamedTuple):
    """What a finding is known by. `path` is the base's, so that a renamed file changes nothing."""

    path: str
    code: str
    origin: str
    symbol: str
    text: str


@dataclass(frozen=True, slots=True)
class _Known:
    """A finding with its print and its place among all findings of its side."""

    number: int
    finding: Finding
    mark: _Print


@dataclass(slots=True)
class _Matching:
    """What is paired so far, and what is left on each side."""

    base: dict[int, _Known]
    now: dict[int, _Known]
    alignment: Callable[[_Known], Alignment]
    pairs: dict[int, _Known] = field(default_factory=dict)
    """Number of a finding of now → the finding of the base that it is."""

    def pair(self, old: _Known, new: _Known) -> None:
        self.pairs[new.number] = old
        del self.base[old.number], self.now[new.number]


def classify(
    base_findings: Iterable[Finding],
    findings: Iterable[Finding],
    base_lines_by_path: Lines,
    lines_by_path: Lines,
    renames: Mapping[str, str],
) -> Classified:
    """Gives each finding its novelty and its identity.

    `renames` is from a file's path now to its path in the base. Lines are looked up by the path of their
    own side; a path without lines is judged by what the findings say.
    """
    old = _known(base_findings, base_lines_by_path, {})
    new = _known(findings, lines_by_path, renames)
    alignment = _alignments(base_lines_by_path, lines_by_path)
    matching = _Matching({k.number: k for k in old}, {k.number: k for k in new}, alignment)
    for likeness in (_same, _same_but_symbol, _same_elsewhere):
        _pair_equals(matching, likeness)
    _pair_edited(matching)
    return _told(old, new, matching)


def _known(findings: Iterable[Finding], lines: Lines, renames: Mapping[str, str]) -> list[_Known]:
    return [
        _Known(number, finding, _print_of(finding, lines.get(finding.path, ()), renames))
        for number, finding in enumerate(sorted(findings, key=lambda f: f.sort_key))
    ]


def _print_of(finding: Finding, lines: Sequence[str], renames: Mapping[str, str]) -> _Print:
    number = finding.span.start.line
    text = finding.line_text or (lines[number] if number < len(lines) else "")
    path = renames.get(finding.path, finding.path)
    return _Print(path, finding.code, finding.origin, finding.symbol, _normal(text))


def _normal(line: str) -> str:
    """The line without its indentation, and without a suppression, which must not make a finding new."""
    return " ".join(_SUPPRESSION.sub("", line).split())


def _same(mark: _Print) -> Hashable:
    return mark


def _same_but_symbol(mark: _Print) -> Hashable:
    return mark._replace(symbol="")


def _same_elsewhere(mark: _Print) -> Hashable:
    # A line without text is like any other one: no reason to believe that it moved.
    return mark._replace(symbol="", path="") if mark.text else mark


def _pair_equals(matching: _Matching, likeness: Callable[[_Print], Hashable]) -> None:
    if not (matching.base and matching.now):
        return
    groups: dict[Hashable, list[_Known]] = defaultdict(list)
    for old in matching.base.values():
        groups[likeness(old.mark)].append(old)
    wanted: dict[Hashable, list[_Known]] = defaultdict(list)
    for new in matching.now.values():
        wanted[likeness(new.mark)].append(new)
    for key, news in wanted.items():
        if key in groups:
            _pair_group(matching, groups[key], news)


def _pair_group(matching: _Matching, olds: list[_Known], news: list[_Known]) -> None:
    """Pairs as many as there are on both sides."""
    if len(olds) != len(news):
        place_in_base = partial(_place_in_base, matching.alignment)
        _pair_by(
            matching,
            olds,
            news,
            lambda old: (_place(old), _message(old)),
            lambda new: (place_in_base(new), _message(new)),
        )
        _pair_by(matching, olds, news, _place, place_in_base)
    if len(olds) > 1 or len(news) > 1:
        _pair_by(matching, olds, news, _message, _message)
    for old, new in zip(olds, news, strict=False):
        matching.pair(old, new)


def _pair_by(
    matching: _Matching,
    olds: list[_Known],
    news: list[_Known],
    key_of_old: Callable[[_Known], Hashable],
    key_of_new: Callable[[_Known], Hashable],
) -> None:
    """Pairs those with the same key, in order, and takes them out of both lists."""
    waiting: dict[Hashable, deque[_Known]] = defaultdict(deque)
    for old in olds:
        waiting[key_of_old(old)].append(old)
    paired: set[int] = set()
    for new in news:
        candidates = waiting.get(key_of_new(new))
        if candidates:
            paired.add(new.number)
            matching.pair(candidates.popleft(), new)
    olds[:] = [old for old in olds if old.number in matching.base]
    news[:] = [new for new in news if new.number not in paired]


def _message(known: _Known) -> Hashable:
    return known.finding.message


def _place(old: _Known) -> Hashable:
    return (old.mark.path, old.finding.span.start.line)


def _place_in_base(alignment: Callable[[_Known], Alignment], new: _Known) -> Hashable:
    return (new.mark.path, alignment(new).equal.get(new.finding.span.start.line))


def _pair_edited(matching: _Matching) -> None:
    olds: dict[Hashable, list[_Known]] = defaultdict(list)
    for old in matching.base.values():
        olds[_saying(old)].append(old)
    for new in list(matching.now.values()):
        candidates = olds.get(_saying(new), [])
        best = _most_alike(candidates, new, matching.alignment) if candidates else None
        if best is not None:
            matching.pair(best, new)
            candidates.remove(best)


def _saying(known: _Known) -> Hashable:
    return (known.mark.path, known.mark.code, known.mark.origin, known.finding.message)


def _most_alike(
    olds: Sequence[_Known], new: _Known, alignment: Callable[[_Known], Alignment]
) -> _Known | None:
    place = alignment(new).edited.get(new.finding.span.start.line, range(0))
    likeness = {
        old.number: _likeness(old.mark, new.mark) for old in olds if old.finding.span.start.line in place
    }
    fitting = [old for old in olds if likeness.get(old.number, 0.0) >= _LIKE]
    return max(fitting, key=lambda old: likeness[old.number], default=None)


def _likeness(old: _Print, new: _Print) -> float:
    """0-100; a line that is a part of the other is like it: a statement laid out over fewer or more lines."""
    shorter, longer = sorted((old.text.rstrip(","), new.text.rstrip(",")), key=len)
    if old.symbol == new.symbol and len(shorter) >= _TELLING and shorter in longer:
        return 100.0
    # Late: the server shows most findings without ever comparing lines, and keeps what it imports.
    from rapidfuzz import fuzz

    return float(fuzz.ratio(old.text, new.text))


def _alignments(base_lines: Lines, lines: Lines) -> Callable[[_Known], Alignment]:
    """Aligns a file at most once, and only when somebody asks."""
    aligned: dict[str, Alignment] = {}

    def alignment(new: _Known) -> Alignment:
        path = new.finding.path
        if path not in aligned:
            aligned[path] = align(base_lines.get(new.mark.path, ()), lines.get(path, ()))
        return aligned[path]

    return alignment


def _told(old: Sequence[_Known], new: Sequence[_Known], matching: _Matching) -> Classified:
    ordinals: Counter[_Print] = Counter()
    identities = {known.number: _identity(known.mark, ordinals) for known in old}
    findings = tuple(_told_one(known, matching.pairs, identities, ordinals) for known in new)
    fixed = (
        replace(known.finding, novelty=Novelty.OLD, identity=identities[known.number])
        for known in matching.base.values()
    )
    return Classified(findings, tuple(fixed))


def _told_one(
    known: _Known, pairs: Mapping[int, _Known], identities: Mapping[int, str], ordinals: Counter[_Print]
) -> Finding:
    old = pairs.get(known.number)
    if old is None:
        identity = _identity(known.mark, ordinals)
        return replace(known.finding, novelty=Novelty.NEW, identity=identity)
    return replace(known.finding, novelty=Novelty.OLD, identity=identities[old.number])


def _identity(mark: _Print, ordinals: Counter[_Print]) -> str:
    """12 digits; equal findings are counted, those of the base first."""
    ordinal = ordinals[mark]
    ordinals[mark] += 1
    content = "\0".join((*mark, str(ordinal)))
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
