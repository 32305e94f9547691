"""What is printed of each file of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from gateline.ranking.acceptance import AcceptanceRules
from gateline.ranking.rank import rank
from gateline.ranking.values import Ranking, Strategy
from gateline_dev.ranking.calibrating import SIZES, table
from gateline_dev.ranking.corpus import Drawn, Task
from gateline_dev.ranking.logistic import cross_validated
from gateline_dev.ranking.scoring import Pick, auc, brier, picked, random_pick, share, visible_pick

_RULES = AcceptanceRules(enabled=True)


def of_picks(tasks: Sequence[Task], size: int) -> Iterator[str]:
    """How often each strategy picks a right one, in pools with right and wrong ones."""
    pools = [drawn for task in tasks for drawn in task.drawn(size) if drawn.is_mixed]
    for name, pick in _picks():
        found = share((drawn.task, pick(drawn)) for drawn in pools)
        yield f"  {name:<24} {found or 'no pool'}"


def of_confidence(tasks: Sequence[Task], sizes: Sequence[Sequence[int]]) -> Iterator[str]:
    """How well the probability fits, and what follows from it, over all pools, mixed or not.

    `sizes` are groups of sizes that are told of together. Cross-validated is what a fit says, on pools of all
    sizes as the shipped one, that saw no pool of the task.
    """
    pools = [(size, drawn) for task in tasks for size in SIZES for drawn in task.drawn(size)]
    known = table([drawn for _, drawn in pools])
    crossed = cross_validated(known.rows, known.right, known.tasks)
    rankings = [rank(drawn.pool, rules=_RULES) for _, drawn in pools]
    shipped = np.array([one.confidence.calibrated for one in rankings])
    for group in sizes:
        yield f"confidence, pools of {', '.join(map(str, group))}:"
        here = [at for at, (size, _) in enumerate(pools) if size in group]
        for name, told in (("cross-validated", crossed), ("as shipped", shipped)):
            fit = brier(known.right[here], told[here]), auc(known.right[here], told[here])
            yield f"  {name:<24} Brier {fit[0]:.4f}, AUC {fit[1]:.4f}"
        yield from _of_winners([pools[at][1] for at in here], [rankings[at] for at in here], crossed[here])


def _of_winners(
    pools: Sequence[Drawn], rankings: Sequence[Ranking], crossed: Iterable[float]
) -> Iterator[str]:
    rows = list(zip(pools, rankings, crossed, strict=True))
    none = [(drawn.task, float(not one.winner)) for drawn, one, _ in rows if not drawn.right]
    yield f"  {'none right: no winner':<24} {share(none)}"
    left = [(drawn.task, float(sure < 0.6)) for drawn, _, sure in rows if not drawn.right]
    yield f"  {'  cross-validated':<24} {share(left)}"
    named = [(drawn.task, float(one.winner in drawn.right)) for drawn, one, _ in rows if one.winner]
    yield f"  {'a winner is right':<24} {share(named)}, named in {len(named) / len(rows):.1%} of the pools"
    taken = [float(one.winner in drawn.right) for drawn, one, _ in rows if one.acceptance.accepted]
    yield f"  {'auto-accepted':<24} {_precision(taken, len(rows))}"
    held = [
        float(next(iter(one.rows)).name in drawn.right)
        for drawn, one, sure in rows
        if sure >= _RULES.confidence and _else_accepted(one)
    ]
    yield f"  {'  cross-validated':<24} {_precision(held, len(rows))}"


def _else_accepted(one: Ranking) -> bool:
    """Whether nothing but the confidence stands against it."""
    return bool(one.winner) and not [
        reason
        for reason in one.acceptance.reasons
        if not one.acceptance.accepted and "confidence" not in reason
    ]


def _precision(right: Sequence[float], of: int) -> str:
    if not right:
        return "none"
    mean, covered = sum(right) / len(right), len(right) / of
    return f"precision {mean:.3f}, coverage {covered:.1%} ({len(right)} of {of} pools)"


def _picks() -> Iterator[tuple[str, Pick]]:
    yield "random", random_pick
    yield "visible tests only", visible_pick
    for strategy in Strategy:
        yield strategy.value, partial(picked, strategy=strategy)
