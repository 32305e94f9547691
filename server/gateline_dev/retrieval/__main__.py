"""`python -m gateline_dev.retrieval table|fit|score|commits`: what retrieval ships, and how good it is.

`table` makes `static.safetensors`, the table of vectors, of the transformer's weights and of documented
functions.
`fit` learns `weights.json` on other packages, and prints how the weights do on each package when they are
learned without it. `score` prints MRR@10 and R@10 of each task on packages of which nothing was learned,
beside TF-IDF, BM25 and the transformer alone. `commits` reads the histories of the repositories that are
given, and prints how many of a commit's other files are found.

Both files are written into gateline/context, or where --to says. The transformer is found as the product
finds it, or given with --model; without it `fit` and `score` leave its tier out. Packages are fetched by
pip; they and vectors are kept in the user's cache.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files as resources
from pathlib import Path

from gateline.context.search import Ranker
from gateline.session.context.data import table_in, weights_in
from gateline_dev.bench.environments import UnavailableError
from gateline_dev.retrieval import commits, making, reports
from gateline_dev.retrieval.collection import Collection
from gateline_dev.retrieval.histories import History
from gateline_dev.retrieval.minilm import MiniLM
from gateline_dev.retrieval.packages import LEARNED, UNSEEN, Package
from gateline_dev.retrieval.scoring import Bench
from gateline_dev.retrieval.vectors import Vectors

_BODY = 600
"""Characters of a whole text that the transformer reads: about 150 pieces of words."""
_SMALL = 20
"""Questions of a task in a small run."""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m gateline_dev.retrieval",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["table", "fit", "score", "commits"])
    parser.add_argument("--folder", type=Path, action="append", default=[], help="a project here, instead")
    parser.add_argument("--package", action="append", default=[], help="only this of the pinned ones")
    parser.add_argument("--queries", type=int, default=250, help="of each task, at most (default 250)")
    parser.add_argument("--most", type=int, default=70, help="commits of each history (default 70)")
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="the transformer's files")
    parser.add_argument("--no-model", action="store_true", help="leave the transformer out")
    parser.add_argument("--bodies", action="store_true", help="with score: the transformer over whole texts")
    parser.add_argument("--small", action="store_true", help="a run of a few minutes: does all of it work?")
    parser.add_argument("--from", dest="source", type=Path, help="score what stands in this folder")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="write here (default: the package)")
    return parser.parse_args(given)


def main() -> int:
    """Do one of the four; 2 when something cannot be had."""
    given = arguments()
    try:
        {"score": _score, "fit": _fit, "table": _table, "commits": _commits}[given.command](given)
    except UnavailableError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _tell(step: str) -> None:
    print(step, file=sys.stderr, flush=True)


def _shipped() -> Path:
    return Path(str(resources("gateline.context")))


def _target(given: argparse.Namespace) -> Path:
    folder: Path = given.to or _shipped()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _benches(given: argparse.Namespace, packages: Sequence[Package]) -> Iterator[Bench]:
    folder = given.source or _shipped()
    model = None if given.no_model else _model(given)
    signatures = Vectors(model, _tell) if model else None
    bodies = Vectors(model, _tell, _BODY) if model and given.bodies else None
    for name, root in _roots(given, packages):
        _tell(f"reading {name}")
        collection = Collection.of(name, root, _SMALL if given.small else given.queries)
        bench = Bench(collection, weights_in(folder), table_in(folder), signatures, bodies)
        bench.filled()
        yield bench


def _model(given: argparse.Namespace) -> MiniLM | None:
    """The transformer; one that was not named need not be there."""
    try:
        return MiniLM.of(given.model)
    except UnavailableError as error:
        if given.model:
            raise
        _tell(f"without the transformer: {error}")
        return None


def _roots(given: argparse.Namespace, packages: Sequence[Package]) -> Iterator[tuple[str, Path]]:
    if given.folder:
        yield from ((folder.name, folder) for folder in given.folder)
        return
    for package in packages:
        if not given.package or package.project.name in given.package:
            yield package.name, package.root()


def _score(given: argparse.Namespace) -> None:
    for bench in _benches(given, UNSEEN):
        count = len(bench.collection.project.definitions)
        print(f"\n{bench.collection.name}, {count} definitions; MRR@10 / R@10\n")
        print("\n".join(reports.systems(bench.measured())), flush=True)


def _fit(given: argparse.Namespace) -> None:
    examples = [one for bench in _benches(given, LEARNED) for one in bench.examples()]
    making.weights(_target(given), examples)
    print(f"{len(examples)} questions; each package by weights that were learned without it, MRR@10 / R@10\n")
    print("\n".join(reports.crossed(making.crossed(examples))))


def _table(given: argparse.Namespace) -> None:
    amount = making.SMALL if given.small else making.Amount()
    making.vectors(_target(given), MiniLM.of(given.model), amount, _tell)


def _commits(given: argparse.Namespace) -> None:
    if not given.folder:
        raise UnavailableError(
            "commits are read from repositories: give --folder REPOSITORY, perhaps several"
        )
    folder = given.source or _shipped()
    ranker = Ranker(weights_in(folder), table_in(folder))
    found = {}
    for repository in given.folder:
        _tell(f"reading {repository}")
        tasks = commits.tasks(History(repository), given.most, ranker)
        found[_name(repository)] = [commits.recalls(task, ranker) for task in tasks]
    print("\n".join(reports.histories(found)))


def _name(repository: Path) -> str:
    """What people call a repository: a bare one may be kept in a folder of its own."""
    folder = repository.resolve()
    return folder.parent.name if folder.name in (".git", "repo") else folder.name


if __name__ == "__main__":
    sys.exit(main())
