"""Fits likeness on the tuning part, and writes its coefficients and thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gateline.memory.lesson import Outcome
from gateline.memory.likeness import WORDS
from gateline.memory.similarity import SEMANTIC, STATIC, Comparing, no_meaning
from gateline.ranking.logistic import Numbers
from gateline.session.memory.embedding import Maker, TableMaker
from gateline_dev.memory.pairs import TUNING, Pair, pairs
from gateline_dev.ranking.logistic import fitted, told

RIDGE = 1e-2
WANTED = 0.01
"""The share of false merges, out of fold, that a threshold may leave: half of the aim."""
STRANGE = 0.002
"""The same of strangers: a note meets several of them in a filled memory."""
_STRANGERS = 4
"""Notes of other subjects, for each note and each maker of vectors."""
_FILE = Path(__file__).parents[2] / "gateline" / "memory" / "calibration.py"
_TIERS = {SEMANTIC: (STATIC, SEMANTIC), STATIC: (STATIC,), WORDS: ()}
_TEXT = '''"""Coefficients of likeness. Written by `gateline_dev.memory --calibrate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic regression on named features."""

    threshold: float
    intercept: float
    slopes: Mapping[str, float]


SAME: Mapping[str, Fit] = MappingProxyType({same})
"""By tier: whether two notes are about one subject; fitted on {count} pairs of {subjects} subjects."""
RELATED: Mapping[str, Fit] = MappingProxyType({related})
"""By tier: whether they have to do with each other at all; fitted on {strangers} pairs of strangers."""
'''


@dataclass(frozen=True)
class Table:
    """Features of pairs, and what is known of them."""

    rows: Numbers
    names: tuple[str, ...]
    same: Numbers
    ours: NDArray[np.bool_]
    """Whether a pair is a labelled one, and none of strangers."""
    subjects: NDArray[np.str_]


def calibrate(makers: Sequence[Maker]) -> list[str]:
    """Fit each tier, write the module, and say what was written."""
    known = [pair for pair in pairs(TUNING) if pair.wanted is not Outcome.NOOP]
    count, subjects = len(known), len({pair.subject for pair in known})
    known += strangers(known, makers)
    same, related, lines = [], [], []
    for tier, wanted in _TIERS.items():
        found = table(known, [maker for maker in makers if maker.tier in wanted])
        fits, told_of = _fitted(found)
        same.append(f'"{tier}": {fits[0]}')
        related.append(f'"{tier}": {fits[1]}')
        lines.append(f"{tier}: {told_of}")
    text = _TEXT.format(
        same=f"{{{', '.join(same)}}}",
        related=f"{{{', '.join(related)}}}",
        count=count,
        subjects=subjects,
        strangers=len(known) - count,
    )
    _FILE.write_text(text, encoding="utf-8")
    return [*lines, f"written: {_FILE.name}; format it"]


def table(known: Sequence[Pair], makers: Sequence[Maker]) -> Table:
    """The features of pairs, by the vectors of some makers."""
    found = _features(known, makers)
    names = tuple(found[0])
    return Table(
        np.array([[row[name] for name in names] for row in found]),
        names,
        np.array([pair.wanted is Outcome.UPDATE for pair in known], np.float64),
        np.array([pair.kind != "stranger" for pair in known]),
        np.array([pair.subject for pair in known]),
    )


def _fitted(known: Table) -> tuple[tuple[str, str], str]:
    """Both fits as they are written, and how they do out of fold."""
    right, ours = known.same == 1, known.ours
    same = _held_out(known, ours)
    least = _limit(same, ours & ~right, WANTED)
    related = _held_out(known, right | ~ours)
    # Of strangers only those matter that the first fit takes for the same.
    taken = ~ours & (same >= least)
    floor = _limit(related, taken, STRANGE * float((~ours).sum()) / max(1.0, float(taken.sum())))
    merged = (same >= least) & (related >= floor)
    true = float((merged & right).sum())
    line = (
        f"thresholds {least} and {floor}; out of fold precision {true / float((merged & ours).sum()):.3f}, "
        f"recall {true / float(right.sum()):.3f}, false merges {float(merged[ours & ~right].mean()):.3f}, "
        f"strangers {int(merged[~ours].sum())} of {int((~ours).sum())}"
    )
    return (_written(known, ours, least), _written(known, right | ~ours, floor)), line


def _written(known: Table, rows: NDArray[np.bool_], threshold: float) -> str:
    values = fitted(known.rows[rows], known.same[rows], RIDGE)
    slopes = {name: round(float(value), 3) for name, value in zip(known.names, values[1:], strict=True)}
    return f"Fit({threshold}, {round(float(values[0]), 3)}, {slopes})"


def _held_out(known: Table, rows: NDArray[np.bool_]) -> Numbers:
    """Each pair's likeness by a fit that saw, of some rows, none of its subject."""
    answer = np.zeros(len(known.same))
    for subject in set(known.subjects.tolist()):
        mine = known.subjects == subject
        learned = rows & ~mine
        answer[mine] = told(fitted(known.rows[learned], known.same[learned], RIDGE), known.rows[mine])
    return answer


def _limit(likeness: Numbers, wrong: NDArray[np.bool_], share: float) -> float:
    """The least threshold, in hundredths, that at most this share of wrong pairs passes."""
    limits = np.arange(0.05, 1.0, 0.01)
    few = (limit for limit in limits if (likeness[wrong] >= limit).sum() <= share * wrong.sum())
    return round(float(next(few, 1.0)), 2)


def strangers(known: Sequence[Pair], makers: Sequence[Maker]) -> list[Pair]:
    """The notes of other subjects that are nearest to each note, as a filled memory has them."""
    texts = {text: pair.subject for pair in known for text in (pair.old, pair.new)}
    subjects = np.array(list(texts.values()))
    found: list[Pair] = []
    for maker in makers:
        vectors = maker.of(list(texts))
        cosines = vectors @ vectors.T
        cosines[subjects[:, None] == subjects[None, :]] = -1.0
        for new, row in zip(texts, cosines, strict=True):
            nearest = np.argsort(-row)[:_STRANGERS]
            found += [Pair(texts[new], "stranger", list(texts)[old], new, Outcome.CREATE) for old in nearest]
    return list(dict.fromkeys(found))


def _features(known: Sequence[Pair], makers: Sequence[Maker]) -> list[Mapping[str, float]]:
    table = next((maker for maker in makers if isinstance(maker, TableMaker)), None)
    comparing = Comparing(table.word if table else no_meaning)
    texts = list(dict.fromkeys(text for pair in known for text in (pair.old, pair.new)))
    places = {text: place for place, text in enumerate(texts)}
    vectors = {maker.tier: maker.of(texts) for maker in makers}
    rows: list[Mapping[str, float]] = []
    for pair in known:
        new, old = places[pair.new], places[pair.old]
        cosines = {tier: float(made[new] @ made[old]) for tier, made in vectors.items()}
        rows.append(comparing.features(pair.new, pair.old, cosines))
    return rows
