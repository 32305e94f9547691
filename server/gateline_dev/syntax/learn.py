"""Fits the weights of the ranking: among the texts that compile, the right one should cost least.

A conditional logit: the right solutions of a sample against its other ones, by gradient descent, with weights
kept near their defaults where little was seen.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gateline.repairs.syntax import weights
from gateline.repairs.syntax.search import Fuel, Limits, Solution, solutions
from gateline_dev.syntax.samples import Sample, tree_of

_WIDE = Limits(tried=700, margin=9.0, kept=40)
_ROUNDS = 400
_RATE = 0.05
_PULL = 0.02
"""How strongly a weight is pulled to its default, per sample and unit."""


@dataclass(frozen=True)
class Choice:
    """The solutions of a sample as features, and which of them are right."""

    rows: Sequence[Mapping[str, float]]
    right: frozenset[int]
    weight: float


def choice_of(sample: Sample, weight: float) -> Choice | None:
    """What there is to learn from a sample; None when it has no right solution, or no other."""
    found = solutions(sample.text, Fuel(3_000_000), _WIDE)
    right = frozenset(n for n, s in enumerate(found) if tree_of(s.text) in sample.right)
    if not right or len(right) == len(found):
        return None
    return Choice([s.features for s in found], right, weight)


def fitted(choices: Iterable[Choice]) -> dict[str, float]:
    """The weights by feature, patterns included."""
    rows = list(choices)
    names = sorted({name for choice in rows for row in choice.rows for name in row})
    start = {name: _default(name) for name in names}
    found = dict(start)
    squares: dict[str, float] = defaultdict(float)
    for _ in range(_ROUNDS):
        slope = _slope(rows, found)
        for name in names:
            pull = slope[name] + _PULL * (found[name] - start[name])
            squares[name] += pull * pull
            found[name] -= _RATE * 4 * pull / (math.sqrt(squares[name]) + 1e-9)
    return found


def _default(name: str) -> float:
    if name.startswith("pattern "):
        return weights.DEFAULT
    return _STARTS.get(name, 0.0)


_STARTS = {
    "distance": 0.15,
    "far": 0.02,
    "behind": 0.3,
    "added": 0.2,
    "removed": 0.3,
    "undefined": 2.0,
    "strange": 2.0,
    "useless": 1.5,
    "annotation": 1.5,
    "joined strings": 1.0,
    "odd string": 1.0,
    "lines": 0.02,
    "steps": 2.0,
}


def _slope(choices: Sequence[Choice], found: Mapping[str, float]) -> Mapping[str, float]:
    """The gradient of the loss: how much cheaper or dearer each feature should be."""
    slope: dict[str, float] = defaultdict(float)
    for choice in choices:
        odds = _odds(choice.rows, found)
        total = sum(odds)
        good = sum(odds[n] for n in choice.right)
        for number, row in enumerate(choice.rows):
            share = odds[number] / total
            wanted = odds[number] / good if number in choice.right else 0.0
            if abs(wanted - share) > 1e-6:
                for name, value in row.items():
                    slope[name] += choice.weight * (wanted - share) * value
    return slope


def _odds(rows: Sequence[Mapping[str, float]], found: Mapping[str, float]) -> list[float]:
    costs = [sum(value * found[name] for name, value in row.items()) for row in rows]
    least = min(costs)
    return [max(math.exp(least - c), 1e-12) for c in costs]


def loss(choices: Sequence[Choice], found: Mapping[str, float]) -> float:
    """The mean of minus the logarithm of the right solutions' share."""
    total = 0.0
    for choice in choices:
        odds = _odds(choice.rows, found)
        total -= math.log(sum(odds[n] for n in choice.right) / sum(odds))
    return total / max(len(choices), 1)


def written(found: Mapping[str, float]) -> str:
    """The text of `weights.py`."""
    patterns = {n.removeprefix("pattern "): v for n, v in found.items() if n.startswith("pattern ")}
    features = {n: v for n, v in found.items() if not n.startswith("pattern ")}
    return (
        f'"""{weights.__doc__}"""\n\nfrom __future__ import annotations\n\n'
        "from collections.abc import Mapping\nfrom types import MappingProxyType\n\n"
        f'DEFAULT = {weights.DEFAULT}\n"""Of a pattern that was not seen."""\n'
        f"PATTERNS: Mapping[str, float] = MappingProxyType({_rows(patterns)})\n"
        f"FEATURES: Mapping[str, float] = MappingProxyType({_rows(features)})\n"
    )


def _rows(found: Mapping[str, float]) -> str:
    return "{" + "".join(f"\n        {_quoted(n)}: {found[n]:.2f}," for n in sorted(found)) + "\n    }"


def _quoted(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def use(found: Mapping[str, float]) -> None:
    """Let the search use these weights from now on."""
    weights.PATTERNS = {n.removeprefix("pattern "): v for n, v in found.items() if n.startswith("pattern ")}
    weights.FEATURES = {n: v for n, v in found.items() if not n.startswith("pattern ")}


__all__ = ["Choice", "Solution", "choice_of", "fitted", "loss", "use", "written"]
