"""The fault matrix: every source of a verdict × every way to fail × every door, printed as Markdown.

Faults are brought about from outside on a small made-up project; nothing is fetched. Ends with 1 when a
cell accepts what it must not, shows as clean what did not answer, or does not name the reason.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gateline_dev.faults.cells import matrix
from gateline_dev.faults.model import Cell
from gateline_dev.faults.page import render
from gateline_dev.faults.trying import CHANGES, DOORS, Tried, attempt
from gateline_dev.truth.subjects import CACHE

PAGE = Path(__file__).parents[3] / "docs" / "faults.md"
_EXAMPLES = """\
examples:
  python -m gateline_dev.faults                        all cells
  python -m gateline_dev.faults --cell tests:missing   one, or all of a source: --cell tests
  python -m gateline_dev.faults --only-new --write     those without a result; write docs/faults.md
"""


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="python -m gateline_dev.faults",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("--cell", action="append", default=[], metavar="SOURCE[:FAULT]", help="only these  [default: all]")
    add("--only-new", action="store_true", help="only cells without a result, or with a bad one")
    add("--report", action="store_true", help="try nothing; print what is known")
    add("--door", action="append", choices=DOORS, help="only these  [default: all]")
    add("--change", action="append", choices=CHANGES, help="only these  [default: both]")
    add("--jobs", type=int, default=1, metavar="N", help="cells at the same time  [default: 1]")
    add("--results", type=Path, default=CACHE / "faults.json", metavar="FILE", help="[default: %(default)s]")
    add("--write", action="store_true", help="write docs/faults.md")
    add("--list", action="store_true", help="name all cells")
    return made


def main(given: Sequence[str] | None = None) -> int:
    """Try, print, and write the page."""
    chosen = parser().parse_args(given)
    cells = [cell for cell in matrix() if cell.plan is not None]
    if chosen.list:
        print("\n".join(f"{cell.id}: {cell.plan.how if cell.plan else ''}" for cell in cells))
        return 0
    known = _known(chosen.results)
    wanted = [] if chosen.report else [cell for cell in cells if _is_wanted(cell, chosen, known)]
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for tried in pool.map(lambda cell: _told(cell, chosen), wanted):
            known[tried.id] = known[tried.id].joined(tried) if tried.id in known else tried
            _keep(chosen.results, known)
    page = render({cell.id: known[cell.id] for cell in cells if cell.id in known})
    print(page)
    if chosen.write:
        PAGE.write_text(page, encoding="utf-8")
    asked = {cell.id for cell in wanted} or known.keys()
    return 1 if any(known[name].problems for name in asked) else 0


def _is_wanted(cell: Cell, chosen: argparse.Namespace, known: dict[str, Tried]) -> bool:
    named = not chosen.cell or cell.id in chosen.cell or cell.id.partition(":")[0] in chosen.cell
    return named and not (chosen.only_new and _is_good(known.get(cell.id), chosen))


def _is_good(tried: Tried | None, chosen: argparse.Namespace) -> bool:
    """Whether there is a result for all that is to be tried, and nothing is wrong with it."""
    doors, changes = chosen.door or DOORS, chosen.change or CHANGES
    places = {f"{change}, {door}" for change in changes for door in doors}
    return tried is not None and not tried.problems and places <= tried.outcomes.keys()


def _told(cell: Cell, chosen: argparse.Namespace) -> Tried:
    tried = attempt(cell, chosen.door or DOORS, chosen.change or CHANGES)
    said = "; ".join(tried.problems) or "as it should be"
    print(f"{cell.id}: {said}", file=sys.stderr, flush=True)
    return tried


def _known(file: Path) -> dict[str, Tried]:
    rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    return {row["id"]: Tried(**row) for row in rows}


def _keep(file: Path, known: dict[str, Tried]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([tried.as_json() for tried in known.values()], indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
