"""Fits the weights of the ranking: the right change, and of what compiles the right text, should cost least.

A conditional logit, fitted by stochastic gradient descent: first the price of changes, from all that are
proposed at a failure; then the cost of texts, from all that a search with these prices finds.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gateline.repairs.syntax.judge import Failure, failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.local import local_failure
from gateline.repairs.syntax.proposals import Proposal, applied, proposals
from gateline.repairs.syntax.ranking import Weights
from gateline.repairs.syntax.search import solutions
from gateline.repairs.syntax.site import Site
from gateline.repairs.syntax.state import Fuel, Limits
from gateline.repairs.syntax.window import Window, windows_around
from gateline_dev.syntax.samples import Sample, tree_of

_WIDE = Limits(tried=300, margin=8.0, kept=20)
_EPOCHS = 30
_RATE = 0.25
_PULL = 0.004
"""How strongly a weight is pulled to zero each time it is used."""
_CHEAP, _OTHERS = 40, 30
"""Wrong changes to learn from at one failure: the cheapest, and some of the rest."""
_WIDTH = 108
_LEAST = 0.1
"""Smaller weights change nothing."""
_SEEN = "p "
"""But a pattern without any weight counts as one that was never seen, which costs a lot."""


@dataclass(frozen=True)
class Choice:
    """What there was to choose from, as features, and which of it is right."""

    rows: Sequence[Mapping[str, float]]
    right: frozenset[int]
    weight: float


def of_changes(sample: Sample, weight: float) -> Choice | None:
    """The changes that are proposed at the failure of a sample; None when none of them is all it needs.

    Those of the smallest window that holds the right one.
    """
    failure = failure_of(sample.text)
    if failure is None or not layout_of(sample.text).statements:
        return None
    choices = (_choice(sample, window, failure, weight) for window in windows_around(sample.text, failure))
    return next((choice for choice in choices if choice is not None), None)


def _choice(sample: Sample, window: Window, failure: Failure, weight: float) -> Choice | None:
    inner = sample.text[window.start : window.end]
    wanted = {tree for r in sample.right if (tree := _inner_tree(sample.text, r, window))}
    found = proposals(Site(inner, local_failure(inner, window, failure))) if wanted else []
    right: list[Proposal] = []
    wrong: list[Proposal] = []
    for proposal in found:
        text = applied(inner, proposal.change.replacements)
        is_right = text is not None and window.failure(text) is None and _tree(window, text) in wanted
        (right if is_right else wrong).append(proposal)
    rest = wrong[_CHEAP:]
    wrong = wrong[:_CHEAP] + random.Random(len(rest)).sample(rest, min(_OTHERS, len(rest)))
    rows = [_plain(p) for p in (*right, *wrong)]
    return Choice(rows, frozenset(range(len(right))), weight) if right and wrong else None


def _plain(proposal: Proposal) -> Mapping[str, float]:
    return {name: value for name, value in proposal.features.items() if value}


def _inner_tree(text: str, right: str, window: Window) -> str:
    """The tree of what stands in a right text where the window stands in the broken one; "" when unclear."""
    tail = len(text) - window.end
    if not right.startswith(text[: window.start]) or not right.endswith(text[window.end :]):
        return ""
    return _tree(window, right[window.start : len(right) - tail])


def _tree(window: Window, text: str) -> str:
    """The tree of a window's text; the header of a block gets a body."""
    return tree_of(window.head + text) or tree_of(f"{window.head}{text.rstrip()} pass")


def of_texts(sample: Sample, weight: float) -> Choice | None:
    """The texts that a search finds; None when none of them, or all, are right."""
    found = solutions(sample.text, Fuel(600_000), _WIDE)
    right = frozenset(n for n, solution in enumerate(found) if sample.is_right(solution.text))
    if not right or len(right) == len(found):
        return None
    return Choice([solution.features for solution in found], right, weight)


def fitted(choices: Iterable[Choice], given: Mapping[str, float] | None = None) -> dict[str, float]:
    """Weights under which the right choices cost least; they are pulled to `given`, or to zero."""
    rows, start = list(choices), given or {}
    found: dict[str, float] = defaultdict(float, start)
    squares: dict[str, float] = defaultdict(lambda: 1.0)
    rng = random.Random(1)
    for _ in range(_EPOCHS):
        rng.shuffle(rows)
        for choice in rows:
            for name, slope in _slope(choice, found).items():
                slope += _PULL * (found[name] - start.get(name, 0.0))
                squares[name] += slope * slope
                found[name] -= _RATE * slope / math.sqrt(squares[name])
    return dict(found)


def _slope(choice: Choice, found: Mapping[str, float]) -> Mapping[str, float]:
    """The gradient of the loss: how much cheaper or dearer each feature should be."""
    slope: dict[str, float] = defaultdict(float)
    odds = _odds(choice.rows, found)
    total, good = sum(odds), sum(odds[n] for n in choice.right)
    for number, row in enumerate(choice.rows):
        share = (odds[number] / good if number in choice.right else 0.0) - odds[number] / total
        if abs(share) > 1e-5:
            for name, value in row.items():
                slope[name] += choice.weight * share * value
    return slope


def _odds(rows: Sequence[Mapping[str, float]], found: Mapping[str, float]) -> list[float]:
    costs = [sum(value * found.get(name, 0.0) for name, value in row.items()) for row in rows]
    least = min(costs)
    return [max(math.exp(least - c), 1e-12) for c in costs]


def loss(choices: Sequence[Choice], found: Mapping[str, float]) -> float:
    """The mean of minus the logarithm of the right ones' share."""
    total = 0.0
    for choice in choices:
        odds = _odds(choice.rows, found)
        total -= math.log(sum(odds[n] for n in choice.right) / sum(odds))
    return total / max(len(choices), 1)


def use(prior: Mapping[str, float], posterior: Mapping[str, float]) -> None:
    """Let the search use these weights from now on."""
    if prior:
        Weights.prior = prior
    if posterior:
        Weights.posterior = posterior


def averaged(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of several runs; a pattern that few of them saw is worth what it is to these.

    One run leans on what its samples happened to be; two differ most where neither knows much.
    """
    found: dict[str, float] = {}
    for name in sorted(set().union(*runs)):
        known = [run[name] for run in runs if name in run]
        found[name] = sum(known) / (len(known) if name.startswith(_SEEN) else len(runs))
    return found


def written(found: Mapping[str, float]) -> str:
    """The weights that matter, as `weights.read` reads them, as many to a line as fit."""
    lines, section = [""], ""
    for name in sorted(found, key=lambda name: (_section(name), name)):
        if abs(found[name]) < _LEAST and not name.startswith(_SEEN):
            continue
        entry = f"{name.removeprefix(_section(name)).lstrip()}:{found[name]:.2g}"
        if _section(name) != section:
            section = _section(name)
            entry = f"@{section}  {entry}"
        if len(lines[-1]) + len(entry) + 2 > _WIDTH:
            lines.append("")
        lines[-1] += f"  {entry}" if lines[-1] else entry
    return "\n".join(lines) + "\n"


def _section(name: str) -> str:
    words = name.split(" ")
    pair = " ".join(words[:2])
    return {"p": "p", "m": pair, "g": pair, "b": pair, "w": pair}.get(words[0], "")
