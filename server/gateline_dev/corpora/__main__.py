"""Judge the corpora, and print as Markdown what was right. Only --pin and --verify can end with 1."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import CalledProcessError
from time import perf_counter

from gateline.integrity.explanations.tables import explanations
from gateline.services.child import ChildError
from gateline.session.errors import UndecidedError, UsageError
from gateline_dev.corpora import integrity, noise, packages, releases
from gateline_dev.corpora.explanations import unknown
from gateline_dev.corpora.here import judge_here
from gateline_dev.corpora.judged import Judge, judge_all
from gateline_dev.corpora.reading import CorpusError

_LONG = {
    "integrity": "a process for each of some 1,600 changes",
    "noise": "the type checker for each of some 100 changes",
    "releases": "whole packages, fetched the first time",
}
"""What takes minutes, and why."""
FOLDER = Path(__file__).parents[3] / "corpora"

Score = Callable[[Path, Callable[[str], None], Judge], str]
_INTEGRITY = "integrity"
SCORES: Mapping[str, Score] = {
    _INTEGRITY: integrity.score,
    "noise": noise.score,
    "releases.txt": releases.score,
}


def main(given: Sequence[str] | None = None) -> int:
    """Score the corpora that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.corpora", description=__doc__)
    names = {name.partition(".")[0]: name for name in SCORES}
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(names)}; all without")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the corpora are")
    parser.add_argument(
        "--in-process", action="store_true", help="ask only the rules of integrity, without git and processes"
    )
    parser.add_argument(
        "--trace", metavar="CASE", help="one change of integrity: what is found, what excuses it"
    )
    parser.add_argument(
        "--ablate",
        nargs="+",
        metavar="RULE",
        help="which changes come out otherwise without rules or explanations",
    )
    parser.add_argument(
        "--deciders", action="store_true", help="how many changes of integrity each explanation decides alone"
    )
    parser.add_argument(
        "--pin",
        type=Path,
        metavar="FOLDER",
        help="write down the digest of a corpus outside of the repository",
    )
    parser.add_argument(
        "--verify",
        type=Path,
        metavar="FOLDER",
        help="whether that corpus is the pinned one; ends with 1 if not",
    )
    chosen = parser.parse_args(given)
    if chosen.pin or chosen.verify:
        return _pins(chosen)
    if chosen.trace or chosen.ablate or chosen.deciders:
        return _look(parser, chosen)
    judge = judge_here if chosen.in_process else judge_all
    unknown = [name for name in chosen.names if name not in names]
    if unknown:
        parser.error(f"there is no corpus {unknown[0]!r}; there are {', '.join(names)}")
    for name in chosen.names or names:
        began = perf_counter()
        long = "" if chosen.in_process else f", which takes minutes: {_LONG[name]}"
        print(f"scoring {name}{long}", file=sys.stderr, flush=True)
        try:
            said = SCORES[names[name]](chosen.folder / names[name], _tell, judge)
        except (CorpusError, UsageError, UndecidedError, ChildError, OSError, CalledProcessError) as error:
            said = f"Could not be scored: {error}"
        _tell("")
        print(f"## {name}\n\n{said}\n\nTook {perf_counter() - began:.0f} s.\n", flush=True)
    return 0


def _pins(chosen: argparse.Namespace) -> int:
    folder = (chosen.pin or chosen.verify).resolve()
    try:
        if chosen.pin:
            print(f"pinned corpus {folder.name}: {packages.pin(folder, packages.PINS)}")
            return 0
        wrong = packages.difference(folder, packages.PINS)
        print(wrong or f"corpus {folder.name} is the pinned one: {packages.measured(folder)}")
    except (CorpusError, OSError) as error:
        wrong = str(error)
        print(wrong, file=sys.stderr)
    return int(bool(wrong))


def _look(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> int:
    folder = chosen.folder / _INTEGRITY
    if strange := unknown(chosen.ablate or ()):
        known = ", ".join(row.name for row in explanations())
        parser.error(f"there is no rule and no explanation {strange[0]!r}; explanations: {known}")
    try:
        said = integrity.trace(folder, chosen.trace) if chosen.trace else ""
    except (CorpusError, OSError) as error:
        parser.error(str(error))
    if chosen.ablate:
        said += integrity.ablate(folder, chosen.ablate, _tell)
    if chosen.deciders:
        said += integrity.deciders(folder, _tell)
    _tell("")
    print(said)
    return 0


def _tell(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
