"""`python -m gateline_dev.retrieval score|fit|table`: how good retrieval is, its weights, its table.

`score` prints MRR@10 and R@10 of each task on projects that nothing was fitted on, beside the baselines.
`fit` learns the weights on others and writes `gateline/context/weights.json`. `table` makes `static.npz`
there from the transformer's weights. With --model, a folder with `model.safetensors` and `vocab.txt`, the
transformer takes part; its vectors are kept in the user's cache.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files as resources
from pathlib import Path

from gateline.session.context import shipped_table, shipped_weights
from gateline_dev.bench.environments import UnavailableError
from gateline_dev.retrieval import documented, fitting, table
from gateline_dev.retrieval.collection import Collection
from gateline_dev.retrieval.measures import Measured
from gateline_dev.retrieval.minilm import MiniLM
from gateline_dev.retrieval.packages import LEARNED, UNSEEN, Package
from gateline_dev.retrieval.queries import TASKS
from gateline_dev.retrieval.scoring import Bench
from gateline_dev.retrieval.vectors import Vectors

_SIGNATURE, _BODY = 64, 128
"""Pieces of words of a signature and of a whole text that the transformer reads."""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m gateline_dev.retrieval",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["score", "fit", "table"])
    parser.add_argument("--folder", type=Path, action="append", default=[], help="a project here, instead")
    parser.add_argument("--package", action="append", default=[], help="only this of the pinned ones")
    parser.add_argument("--queries", type=int, default=400, help="of each task, at most (default 400)")
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="the transformer's files")
    parser.add_argument("--bodies", action="store_true", help="with --model: the baseline of whole texts")
    return parser.parse_args(given)


def main() -> int:
    """Do one of the three; 2 when something cannot be had."""
    given = arguments()
    try:
        return {"score": _score, "fit": _fit, "table": _table}[given.command](given)
    except UnavailableError as error:
        print(error, file=sys.stderr)
        return 2


def _tell(step: str) -> None:
    print(step, file=sys.stderr, flush=True)


def _benches(given: argparse.Namespace, packages: Sequence[Package]) -> Iterator[Bench]:
    model = MiniLM.of(given.model) if given.model else None
    signatures = Vectors(model, _SIGNATURE, _tell) if model else None
    bodies = Vectors(model, _BODY, _tell) if model and given.bodies else None
    for name, root in _roots(given, packages):
        _tell(f"reading {name}")
        collection = Collection.of(name, root, given.queries)
        bench = Bench(collection, shipped_weights(), shipped_table(), signatures, bodies)
        bench.filled()
        yield bench


def _roots(given: argparse.Namespace, packages: Sequence[Package]) -> Iterator[tuple[str, Path]]:
    if given.folder:
        yield from ((folder.name, folder) for folder in given.folder)
        return
    for package in packages:
        if not given.package or package.project.name in given.package:
            yield package.name, package.root()


def _score(given: argparse.Namespace) -> int:
    for bench in _benches(given, UNSEEN):
        count = len(bench.collection.project.definitions)
        print(f"\n{bench.collection.name}, {count} definitions; MRR@10 / R@10\n")
        print("\n".join(_rows(bench.measured())), flush=True)
    return 0


def _rows(found: Mapping[tuple[str, str], Measured]) -> Iterator[str]:
    yield "| | " + " | ".join(TASKS) + " |"
    yield "|---" * (len(TASKS) + 1) + "|"
    for system in dict.fromkeys(system for system, _ in found):
        cells = (found.get((system, task)) for task in TASKS)
        yield (
            f"| {system} | " + " | ".join(f"{c.mrr:.3f} / {c.recall:.2f}" if c else "–" for c in cells) + " |"
        )
    counts = (found.get((next(iter(found))[0], task)) for task in TASKS)
    yield "| questions | " + " | ".join(str(c.count) if c else "0" for c in counts) + " |"


def _fit(given: argparse.Namespace) -> int:
    examples = [one for bench in _benches(given, LEARNED) for one in bench.examples()]
    learned = fitting.sets(examples)
    _write("weights.json", json.dumps(learned, indent=1, sort_keys=True) + "\n")
    print(f"{len(examples)} questions")
    return 0


def _table(given: argparse.Namespace) -> int:
    if not given.model:
        raise UnavailableError("the table is made from the transformer: give --model FOLDER")
    model = MiniLM.of(given.model)
    pieces = table.pieces_of(model)
    pairs = documented.pairs(sys.executable, {piece: number for number, piece in enumerate(pieces)})
    tuning = table.Tuning(table.distilled(model, pieces), pairs)
    for step, loss in enumerate(tuning.run()):
        if step % 20 == 0:
            _tell(f"step {step}, loss {loss:.3f}")
    table.save(_target("static.npz"), pieces, tuning.sentences.table, tuning.texts.table)
    return 0


def _target(name: str) -> Path:
    return Path(str(resources("gateline.context"))) / name


def _write(name: str, text: str) -> None:
    _target(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
