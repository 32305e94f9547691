"""`python -m gateline_dev.syntax measure|learn`: repairs of syntax, measured and learned."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from multiprocessing import Pool
from pathlib import Path

import gateline.repairs.syntax.weights
from gateline_dev.syntax import learn
from gateline_dev.syntax.measure import measured, table
from gateline_dev.syntax.samples import Sample, of_corpus, of_library

_CORPUS_WEIGHT = 3.0
"""A sample of the corpus counts as so many made ones."""


def main() -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["measure", "learn"])
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="a folder of cases")
    parser.add_argument("--files", type=int, default=0, help="files of the standard library to break")
    parser.add_argument("--each", type=int, default=1, help="samples per file and kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2, help="how often solutions are searched again")
    parser.add_argument("--worst", action="store_true", help="list what was not repaired rightly")
    parser.add_argument("-j", type=int, default=1)
    given = parser.parse_args()
    return _measure(given) if given.command == "measure" else _learn(given)


def _samples(given: argparse.Namespace) -> Iterator[Sample]:
    for folder in given.corpus:
        yield from of_corpus(folder)
    if given.files:
        yield from of_library(given.seed, given.files, given.each)


def _measure(given: argparse.Namespace) -> int:
    with Pool(given.j) as pool:
        rows = list(pool.imap(measured, _samples(given), chunksize=4))
    print(table(rows))
    for row in rows if given.worst else ():
        if row.rank != 0:
            first = "; ".join(row.found[0].patterns) if row.found else "nothing"
            wanted = f", right was {row.rank}: {'; '.join(row.found[row.rank].patterns)}" if row.rank else ""
            print(f"{row.sample.name} ({row.sample.kind}): {first}{wanted}")
    return 0


def _learn(given: argparse.Namespace) -> int:
    samples = list(_samples(given))
    random.Random(given.seed).shuffle(samples)
    found: dict[str, float] = {}
    for number in range(given.rounds):
        with Pool(given.j, initializer=_prepare, initargs=(found,)) as pool:
            rows: Iterable[learn.Choice | None] = pool.imap(_choice, samples, chunksize=4)
            choices = [choice for choice in rows if choice is not None]
        found = learn.fitted(choices)
        print(
            f"round {number + 1}: {len(choices)} choices, loss {learn.loss(choices, found):.3f}",
            file=sys.stderr,
        )
    Path(gateline.repairs.syntax.weights.__file__).write_text(learn.written(found), encoding="utf-8")
    return 0


def _prepare(found: dict[str, float]) -> None:
    if found:
        learn.use(found)


def _choice(sample: Sample) -> learn.Choice | None:
    return learn.choice_of(
        sample, _CORPUS_WEIGHT if "-" in sample.group or ".py" not in sample.group else 1.0
    )


if __name__ == "__main__":
    sys.exit(main())
