"""Tests on unsaved text: how soon they answer beside a cold pytest, their cost, and what selection misses."""

from __future__ import annotations

from random import Random

from gateline_dev.affected import measure
from gateline_dev.affected.desk import desk
from gateline_dev.affected.subjects import SUBJECTS, copied
from gateline_dev.bench.environments import UnavailableError
from gateline_dev.bench.results import Result, quantile
from gateline_dev.bench.trial import Trial

_SEED = 1
_SMALL = "toolz"
"""Whose tests are run as a whole, again and again."""
OVERHEAD, FOUND, SHARE = "tests with coverage ÷ plain", "regressions selected %", "tests selected %"


async def affected_tests(trial: Trial) -> None:
    """Edits of the trial's project; a small one for what needs all tests each time."""
    try:
        await _times(trial)
        await _selection(trial)
    except UnavailableError as error:
        trial.result.failures.append(f"tests: {error}")


async def _times(trial: Trial) -> None:
    with copied(SUBJECTS[trial.project.name]) as copy:
        async with desk(copy) as at:
            await at.begin()
            found = await measure.latency(at, trial.plan.test_edits, Random(_SEED), _quiet)
    for kind, seconds in (("first", found.first), ("all", found.whole), ("cold", found.cold)):
        for second in seconds:
            trial.result.samples(f"tests {kind}").add(second)


async def _selection(trial: Trial) -> None:
    with copied(SUBJECTS[_SMALL]) as copy:
        async with desk(copy) as at:
            await at.begin()
            cost = await measure.overhead(at, trial.plan.test_runs, _quiet)
            recall = await measure.recall(at, trial.plan.regressions, Random(_SEED), _quiet)
    _note(trial.result, cost, recall)


def _note(result: Result, cost: measure.Overhead, recall: measure.Recall) -> None:
    if cost.ratio is not None:
        result.note(OVERHEAD, cost.ratio)
    if recall.caught:
        result.note(FOUND, 100 * recall.found / recall.caught)
    share = quantile(recall.shares, 0.5)
    if share is not None:
        result.note(SHARE, 100 * share)


def _quiet(_: str) -> None:
    """The bench tells which part is measured."""
