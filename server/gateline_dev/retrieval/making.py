"""Makes what the package ships: the table of vectors, and the weights.

Each from pinned packages, with fixed seeds: the same inputs give the same files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline.session.context.data import TABLE, WEIGHTS
from gateline_dev.retrieval import documented, fitting, table
from gateline_dev.retrieval.fitting import Example
from gateline_dev.retrieval.measures import Measured
from gateline_dev.retrieval.minilm import MiniLM

Tell = Callable[[str], None]
_EVERY = 100
_FOLDS = 4
"""Into which packages are divided: the weights of each are tried on those that they did not see."""


@dataclass(frozen=True)
class Amount:
    """How much is learned from."""

    functions: int = documented.MOST
    """Of each package."""
    steps: int = table.STEPS


SMALL = Amount(functions=60, steps=20)
"""Whether all of it runs: what it makes is of no use."""


def vectors(folder: Path, model: MiniLM, amount: Amount, tell: Tell) -> None:
    """Make the table in a folder. Raises UnavailableError."""
    chosen = documented.functions(amount.functions)
    tell(f"{len(chosen)} documented functions of {len(documented.PACKAGES)} packages")
    pieces = table.pieces_of(model)
    tell(f"the transformer reads {len(pieces)} pieces of words")
    tuning = table.Tuning(table.distilled(model, pieces), table.pairs_of(chosen, pieces))
    for step, loss in enumerate(tuning.run(amount.steps)):
        if step % _EVERY == 0:
            tell(f"step {step} of {amount.steps}, loss {loss:.3f}")
    table.save(folder / TABLE, pieces, tuning.sentences.table, tuning.texts.table)


def weights(folder: Path, examples: Sequence[Example]) -> None:
    """Learn the weights of all examples and write them."""
    learned = fitting.sets(examples)
    (folder / WEIGHTS).write_text(json.dumps(learned, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def crossed(examples: Sequence[Example]) -> dict[tuple[str, str], Measured]:
    """By package and task: how the weights of all tiers do that were learned without that package."""
    packages = list(dict.fromkeys(e.package for e in examples))
    found: dict[tuple[str, str], Measured] = {}
    for fold in range(min(_FOLDS, len(packages))):
        out = packages[fold::_FOLDS]
        learned = fitting.sets([e for e in examples if e.package not in out], fitting.last_tiers(examples))
        for package in out:
            own = [e for e in examples if e.package == package]
            for task in dict.fromkeys(e.task for e in own):
                found[package, task] = fitting.measured_by(learned, [e for e in own if e.task == task])
    return {(p, task): measured for p in packages for (q, task), measured in found.items() if p == q}
