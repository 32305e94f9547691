"""Score repairs on a corpus of broken programs, and print Markdown. Ends with 0 whatever came out.

The corpus is a folder with `score.py`, `requirements-oracle.txt` and `visible/`. Its oracle runs in an
environment of its own, made by pip in the user's cache unless --python names one. Each case starts gateline
anew: --limit takes some of each family. --priors needs no corpus: it prints what proposals cost, and how
often each of these costs is in a proposal for the text cases of the tests.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

from gateline_dev.autodebug.doors import DOORS
from gateline_dev.autodebug.priors import table
from gateline_dev.autodebug.report import MIX, report
from gateline_dev.autodebug.scoring import SCORER, Scored, score
from gateline_dev.bench.environments import UnavailableError, environment, requirements
from gateline_dev.bench.workspace import compile_own
from gateline_dev.corpora import packages

_ORACLE = "requirements-oracle.txt"


def main(given: Sequence[str] | None = None) -> int:
    """Score the cases that were asked for."""
    chosen = _arguments(given)
    if chosen.priors:
        print(table())
        return 0
    if chosen.corpus is None:
        print("not scored: name a corpus by --corpus FOLDER, or ask for --priors", file=sys.stderr)
        return 0
    if not (chosen.corpus / SCORER).is_file():
        print(f"not scored: there is no corpus in {chosen.corpus}; name one by --corpus", file=sys.stderr)
        return 0
    begin = perf_counter()
    try:
        python = chosen.python or str(_environment(chosen.corpus) / "bin" / "python")
    except UnavailableError as error:
        print(f"not scored: the corpus's oracle cannot be installed: {error}", file=sys.stderr)
        return 0
    compile_own()
    rows = score(chosen.corpus.resolve(), python, chosen.jobs, list(_options(chosen)), chosen.door)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    which = packages.difference(chosen.corpus.resolve(), packages.PINS) or "The corpus is the pinned one."
    print(f"## autodebug\n\n{which}\n\n{report(rows)}\n\nTook {perf_counter() - begin:.0f} s.")
    for row in rows if chosen.missed else ():
        _tell(row)
    return 0


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.autodebug", description=__doc__)
    add = parser.add_argument
    add("--corpus", type=Path, metavar="FOLDER")
    add("--priors", action="store_true", help="print the costs of proposals, and how often each decides")
    add("--python", help="an interpreter that has what the oracle needs")
    add("--part", choices=["mutation", "wild"], help="only this part")
    add("--category", choices=[*MIX, "logic"], action="append", help="only these; else all but logic")
    add("--limit", type=int, metavar="N", help="only so many cases of each family, always the same ones")
    add("--id", action="append", help="only cases whose name fits a pattern")
    add("--json", type=Path, metavar="FILE", help="write what became of each case")
    add("--missed", action="store_true", help="print what was tried where nothing clean came out")
    add("--door", choices=DOORS, default="shown", help="how gateline is asked  [default: %(default)s]")
    add("-j", "--jobs", type=int, default=1, help="cases at a time; times are true with one")
    return parser.parse_args(given)


def _options(chosen: argparse.Namespace) -> Sequence[str]:
    """As the scorer has them."""
    options = [word for name in chosen.category or MIX for word in ("--category", name)]
    options += [word for name in chosen.id or () for word in ("--id", name)]
    options += ["--corpus", chosen.part] if chosen.part else []
    return [*options, *(["--limit", str(chosen.limit)] if chosen.limit else [])]


def _environment(corpus: Path) -> Path:
    return environment("autodebug", requirements(corpus / _ORACLE))


def _tell(row: Scored) -> None:
    if not row.clean:
        print(f"\n### {row.id} ({row.category}) {' '.join(row.harm)}", row.told[:2000], sep="\n")


if __name__ == "__main__":
    sys.exit(main())
