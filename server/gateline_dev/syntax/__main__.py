"""`python -m gateline_dev.syntax measure|learn`: repairs of syntax, measured and learned."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from gateline.repairs.syntax import ranking
from gateline.repairs.syntax.weights import FILES
from gateline_dev.syntax import learn
from gateline_dev.syntax.measure import Measured, measured, table
from gateline_dev.syntax.samples import Sample, of_corpus, of_library

_CORPUS_WEIGHT = 2.0
"""A sample of a corpus counts as so many made ones."""


def main() -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["measure", "learn"])
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="a folder of cases")
    parser.add_argument("--files", type=int, default=0, help="files of the standard library to break")
    parser.add_argument("--each", type=int, default=1, help="samples per file and kind")
    parser.add_argument(
        "--seed", type=int, nargs="+", default=[1], help="each is a run of learning of its own"
    )
    parser.add_argument("--rounds", type=int, default=2, help="how often solutions are searched again")
    parser.add_argument("--worst", action="store_true", help="list what was not repaired rightly")
    parser.add_argument("-j", type=int, default=1)
    given = parser.parse_args()
    return _measure(given) if given.command == "measure" else _learn(given)


def _samples(given: argparse.Namespace, seed: int) -> Iterator[Sample]:
    for folder in given.corpus:
        yield from of_corpus(folder)
    if given.files:
        yield from of_library(seed, given.files, given.each)


def _measure(given: argparse.Namespace) -> int:
    with Pool(given.j) as pool:
        rows = list(pool.imap(measured, _samples(given, given.seed[0]), chunksize=4))
    print(table(rows))
    for row in rows if given.worst else ():
        if row.rank != 0:
            print(_told(row))
    return 0


def _told(row: Measured) -> str:
    first = "; ".join(row.found[0].patterns) if row.found else "nothing"
    right = "" if row.rank is None else f", right is {row.rank}: {'; '.join(row.found[row.rank].patterns)}"
    return f"{row.sample.name} ({row.sample.kind}): {first}{right}"


def _learn(given: argparse.Namespace) -> int:
    runs = [_run(given, seed) for seed in given.seed]
    for number, name in enumerate(("prior", "posterior")):
        file = Path(ranking.__file__).with_name(FILES[name])
        file.write_text(learn.written(learn.averaged([run[number] for run in runs])), encoding="utf-8")
    return 0


def _run(given: argparse.Namespace, seed: int) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of changes and of texts, from the samples of one seed."""
    samples = list(_samples(given, seed))
    prior: dict[str, float] = {}
    posterior: dict[str, float] = {}
    for number in range(given.rounds):
        prior = learn.fitted(_choices(given.j, learn.of_changes, samples, prior, posterior))
        found = _choices(given.j, learn.of_texts, samples, prior, posterior)
        posterior = learn.fitted(found, {"price": 1.0})
        loss = learn.loss(found, posterior)
        print(f"seed {seed}, round {number + 1}: {len(found)} choices, loss {loss:.3f}", file=sys.stderr)
    return prior, posterior


def _choices(
    jobs: int,
    made: Callable[[Sample, float], learn.Choice | None],
    samples: Sequence[Sample],
    prior: Mapping[str, float],
    posterior: Mapping[str, float],
) -> list[learn.Choice]:
    with Pool(jobs, initializer=learn.use, initargs=(prior, posterior)) as pool:
        found = pool.imap(partial(_choice, made), samples, chunksize=4)
        return [choice for choice in found if choice is not None]


def _choice(made: Callable[[Sample, float], learn.Choice | None], sample: Sample) -> learn.Choice | None:
    return made(sample, 1.0 if sample.is_made else _CORPUS_WEIGHT)


if __name__ == "__main__":
    sys.exit(main())
