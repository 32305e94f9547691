"""Makes what the package ships: the table of vectors, the projection, and the weights.

Each from pinned packages, with fixed seeds: the same inputs give the same files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gateline.context.fusion import Weights
from gateline.context.projection import PROBE, Projection
from gateline.context.static import StaticTable
from gateline_dev.retrieval import documented, fitting, table
from gateline_dev.retrieval.fitting import Example
from gateline_dev.retrieval.measures import Measured
from gateline_dev.retrieval.minilm import MiniLM
from gateline_dev.retrieval.projecting import STEPS, Projecting
from gateline_dev.retrieval.vectors import Vectors

Tell = Callable[[str], None]
TABLE, PROJECTION, WEIGHTS = "static.npz", "semantic.npz", "weights.json"
_EVERY = 100


@dataclass(frozen=True)
class Amount:
    """How much is learned from."""

    functions: int = documented.MOST
    """Of each package."""
    table_steps: int = table.STEPS
    projection_steps: int = STEPS


SMALL = Amount(functions=60, table_steps=20, projection_steps=20)
"""Whether all of it runs: what it makes is of no use."""


def tables(folder: Path, model: MiniLM, amount: Amount, tell: Tell) -> None:
    """Make the table and the projection in a folder. Raises UnavailableError."""
    chosen = documented.functions(amount.functions)
    tell(f"{len(chosen)} documented functions of {len(documented.PACKAGES)} packages")
    _table(folder / TABLE, model, chosen, amount.table_steps, tell)
    _projection(folder / PROJECTION, model, chosen, amount.projection_steps, tell)


def _table(file: Path, model: MiniLM, chosen: list[documented.Documented], steps: int, tell: Tell) -> None:
    pieces = table.pieces_of(model)
    tell(f"the transformer reads {len(pieces)} pieces of words")
    tuning = table.Tuning(table.distilled(model, pieces), table.pairs_of(chosen, pieces))
    for step, loss in enumerate(tuning.run(steps)):
        if step % _EVERY == 0:
            tell(f"table, step {step} of {steps}, loss {loss:.3f}")
    table.save(file, pieces, tuning.sentences.table, tuning.texts.table)


def _projection(
    file: Path, model: MiniLM, chosen: list[documented.Documented], steps: int, tell: Tell
) -> None:
    vectors = Vectors(model, tell)
    questions, texts = vectors.of([o.sentence for o in chosen]), vectors.of([o.text for o in chosen])
    probe = model.vectors([PROBE])[0]
    made = Projecting(questions, texts, [o.group for o in chosen], probe)
    for step, loss in enumerate(made.run(steps)):
        if step % _EVERY == 0:
            tell(f"projection, step {step} of {steps}, loss {loss:.3f}")
    made.save(file)


def weights(folder: Path, examples: Sequence[Example]) -> None:
    """Learn the weights of all examples and write them."""
    learned = fitting.sets(examples)
    (folder / WEIGHTS).write_text(json.dumps(learned, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def crossed(examples: Sequence[Example]) -> dict[tuple[str, str], Measured]:
    """By package and task: how the weights do that were learned without that package."""
    found: dict[tuple[str, str], Measured] = {}
    for package in dict.fromkeys(e.package for e in examples):
        learned = fitting.sets([e for e in examples if e.package != package])
        own = [e for e in examples if e.package == package]
        for task in dict.fromkeys(e.task for e in own):
            found[package, task] = fitting.measured_by(learned, [e for e in own if e.task == task])
    return found


def read(folder: Path) -> tuple[Weights, StaticTable | None, Projection | None]:
    """What stands in a folder, for scoring. Raises OSError when there are no weights."""
    from gateline.session.context_data import projection_in, table_in, weights_in

    return weights_in(folder), table_in(folder), projection_in(folder)
