"""What the choices in the audit trail propose for the settings of comparing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateline.ranking.criteria import WEIGHTS
from gateline.ranking.learning import (
    ENOUGH_CHOICES,
    ENOUGH_JUDGED,
    Choice,
    Proposal,
    proposed_weights,
    recalibrated,
)
from gateline.ranking.values import Category, Recalibration, Strategy
from gateline.session.errors import UndecidedError
from gateline.store.audit import KEPT, AuditTrail
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.decided import CHOICE

_BEFORE = ("floors", "regressions", "visible tests")
"""Stages that are never learned: who differs there was not chosen for its score."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What is proposed; None where there are too few choices."""

    choices: int
    """That tell something of weights."""
    judged: int
    """That tell something of the confidence."""
    weights: Proposal | None = None
    recalibration: Recalibration | None = None


def learned(root: Path, folder: Path | None = None) -> Learned:
    """What the choices of the workspace at `root` propose. Blocks.

    Raises:
        UndecidedError: the audit trail cannot be read.

    """
    file = state_of(root, folder) / DATABASE
    if not file.exists():
        return Learned(0, 0)
    try:
        with closing(Database(file)) as database:
            contents = [one.content for one in AuditTrail(database).entries(newest=KEPT)]
    except StoreError as error:
        raise UndecidedError(f"the choices cannot be read: {error}") from error
    rows = [one for one in contents if one.get("scope") == CHOICE]
    choices = [choice for choice in map(_choice, rows) if choice is not None]
    judged = list(_judged(rows))
    return Learned(len(choices), len(judged), proposed_weights(choices), recalibrated(judged))


def told(found: Learned) -> Iterator[str]:
    """For a person, with what to write into the settings to accept it."""
    if found.weights is None:
        yield f"weights: {found.choices} choices tell something, {ENOUGH_CHOICES} are needed for a proposal"
    else:
        yield f"weights of the score, from {found.weights.choices} choices:"
        yield from _weights(found.weights)
    if found.recalibration is None:
        yield f"confidence: {found.judged} choices tell something, {ENOUGH_JUDGED} are needed for a proposal"
    else:
        examples = ", ".join(f"{one:.2f} → {found.recalibration.of(one):.2f}" for one in (0.6, 0.8, 0.95))
        yield f"confidence, from {found.judged} choices: {examples}"
    if found.weights is None and found.recalibration is None:
        return
    yield "to accept it, write into the settings:"
    if found.recalibration is not None:
        yield "  [tool.gateline.compare]"
        yield f"  confidence-offset = {found.recalibration.offset}"
        yield f"  confidence-slope = {found.recalibration.slope}"
    if found.weights is not None:
        yield "  [tool.gateline.compare.weights]"
        yield from (f"  {category} = {value:g}" for category, value in found.weights.weights.items())


def _weights(proposal: Proposal) -> Iterator[str]:
    for category, value in proposal.weights.items():
        leaning = proposal.leanings[category]
        yield (
            f"  {category}: {WEIGHTS[category]:.2f} → {value:.3f}; "
            f"what was chosen is better in {leaning.better}, worse in {leaning.worse}"
        )


def _choice(row: Mapping[str, Any]) -> Choice | None:
    """What a choice tells of the last stage; None: nothing."""
    candidates = {one["name"]: one for one in row.get("candidates") or () if one.get("categories")}
    chosen = candidates.pop(row.get("chosen", ""), None)
    if chosen is None or chosen.get("blocked"):
        return None
    others = [one for one in candidates.values() if not one.get("blocked") and _equal(one, chosen)]
    found = Choice(_values(chosen), tuple(map(_values, others)))
    return found if any(one != found.chosen for one in found.others) else None


def _equal(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one["stages"].get(stage) == other["stages"].get(stage) for stage in _BEFORE)


def _values(one: Mapping[str, Any]) -> dict[Category, float]:
    return {Category(name): float(value) for name, value in one["categories"].items()}


def _judged(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[float, bool]]:
    """The shipped confidence of each first place, and whether a person took one of that place."""
    for row in rows:
        shipped = row.get("shipped")
        if shipped is None or row.get("strategy") != Strategy.EVIDENCE:
            continue
        first = {one["name"] for one in row["candidates"] if one["place"] == 1 and not one.get("blocked")}
        if first:
            yield float(shipped), row.get("chosen") in first
