"""Which line of the base a line of the current text comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from gateline.model.finding import Finding, Novelty

_ALIGNED = 4_000
"""Above this many differing lines an alignment is dear, and the texts have little in common anyway."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Zero-based lines of the current text → lines of the base."""

    equal: Mapping[int, int] = field(default_factory=dict)
    edited: Mapping[int, range] = field(default_factory=dict)
    """A line that the base does not have → the lines of the base that stood in its place."""


def align(base: Sequence[str], lines: Sequence[str]) -> Alignment:
    """Compares two texts line by line."""
    head, tail = _common(base, lines)
    equal = {line: line for line in range(head)}
    shift = len(base) - len(lines)
    equal.update((line, line + shift) for line in range(len(lines) - tail, len(lines)))
    edited: dict[int, range] = {}
    for tag, i, j, a, b in _blocks(base[head : len(base) - tail], lines[head : len(lines) - tail]):
        if tag == "equal":
            equal.update((head + a + step, head + i + step) for step in range(b - a))
        else:
            edited.update((line, range(head + i, head + j)) for line in range(head + a, head + b))
    return Alignment(equal, edited)


def doubted(finding: Finding, base: Sequence[str], lines: Sequence[str]) -> Finding:
    """Without an answer for the base, what stands on a line of the base is not blamed on the change."""
    stands = finding.span.start.line in align(base, lines).equal
    return replace(finding, novelty=Novelty.OLD) if stands else finding


def inserted(base: Sequence[str], lines: Sequence[str]) -> frozenset[int]:
    """Zero-based lines that stand between lines of the base, in place of none: what they say is new."""
    return frozenset(line for line, replaced in align(base, lines).edited.items() if not replaced)


def _blocks(base: Sequence[str], lines: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if len(base) + len(lines) > _ALIGNED:
        return [("replace", 0, len(base), 0, len(lines))]
    return SequenceMatcher(None, base, lines, autojunk=False).get_opcodes()


def _common(base: Sequence[str], lines: Sequence[str]) -> tuple[int, int]:
    """How many lines at the start, and then at the end, are the same."""
    shorter = min(len(base), len(lines))
    head = next((i for i in range(shorter) if base[i] != lines[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if base[-1 - i] != lines[-1 - i]), rest)
    return head, tail
