"""One score from all features: a weighted sum whose weights were learned.

`gateline_dev.retrieval` fits them and writes them to `weights.json`. There are sets for words, for
code, and for code with a hole, and of each one for what was there: all tiers, no transformer, words alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gateline.context.values import Want

Set = Mapping[str, float]


@dataclass(frozen=True)
class Weights:
    """The sets by mode (`words`, `cursor`, `hole`) and by the last tier that takes part."""

    sets: Mapping[str, Mapping[str, Set]]

    def of(self, mode: str, tiers: frozenset[str], want: Want) -> Set:
        """The set for what is there. What is not code has no learned weight, and a fixed one here."""
        sets = self.sets[mode]
        learned = next((sets[t] for t in ("semantic", "static") if t in tiers and t in sets), sets["lexical"])
        return {**learned, **_preference(want, learned)}


def _preference(want: Want, learned: Set) -> Set:
    """What a wish changes. The weight of a test was learned from questions that no test answers."""
    aversion = abs(learned.get("test", 0.0))
    if want is Want.TESTS:
        return {"test": 2 * aversion, "section": -aversion, "table": -aversion, "module": -aversion}
    if want is Want.DOCS:
        return {"section": 3 * aversion, "table": 2 * aversion}
    if want is Want.ANY:
        return {"test": 0.0}
    return {"section": -aversion / 2, "table": -aversion / 2, "module": -aversion / 2}
