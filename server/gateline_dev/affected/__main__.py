"""Affected tests on a real project, beside cold runs of pytest, printed as Markdown.

What is shown after unsaved edits is compared with what `python -m pytest` says of the same texts written to
disk; selection is compared with the tests that fail for seeded mistakes. Ends with 1 when something was shown
that is not so.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from gateline_dev.affected import measure
from gateline_dev.affected.desk import desk
from gateline_dev.affected.subjects import SUBJECTS, Copy, checkout, copied
from gateline_dev.bench.results import quantile
from gateline_dev.bench.tables import number, table


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m gateline_dev.affected",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--project", choices=sorted(SUBJECTS), default="toolz", help="whose tests  [default: toolz]")
    add("--source", type=Path, metavar="FOLDER", help="a checkout of your own instead, with its tests")
    add("--package", default="", metavar="PATH", help="the folder in it whose files are edited")
    add(
        "--python",
        default=sys.executable,
        metavar="FILE",
        help="what runs its tests  [default: this]",
    )
    add("--latency", type=int, default=0, metavar="N", help="edits that are timed beside a cold run")
    add(
        "--overhead",
        type=int,
        default=0,
        metavar="N",
        help="pairs of runs of all tests, without and with coverage",
    )
    add("--recall", type=int, default=0, metavar="N", help="seeded regressions")
    add("--same", type=int, default=0, metavar="N", help="edits in sequence, compared with a cold run each")
    add(
        "--refusals",
        type=int,
        default=0,
        metavar="N",
        help="edits asked about: are the tests collected anew?",
    )
    add("--seed", type=int, default=0, help="of the dice  [default: 0]")
    add("--json", type=Path, metavar="FILE", help="write everything that was measured")
    chosen = parser.parse_args(given)
    if chosen.source and not (chosen.source / chosen.package).is_dir():
        parser.error(f"there is no folder {chosen.package!r} in {chosen.source}")
    found = asyncio.run(_measured(chosen))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(table(["what", chosen.source.name if chosen.source else chosen.project], _rows(found)))
    wrong = [line for part in found.values() for key in ("wrong", "lines") for line in part.get(key, ())]
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


async def _measured(chosen: argparse.Namespace) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    dice = Random(chosen.seed)
    with _copy(chosen) as copy:
        async with desk(copy) as at:
            await at.begin()
            if chosen.overhead:
                found["overhead"] = asdict(await measure.overhead(at, chosen.overhead, _tell))
            if chosen.latency:
                found["latency"] = asdict(await measure.latency(at, chosen.latency, dice, _tell))
            if chosen.recall:
                found["recall"] = asdict(await measure.recall(at, chosen.recall, dice, _tell))
            if chosen.refusals:
                found["refusals"] = asdict(await measure.refusals(at, chosen.refusals, dice, _tell))
            if chosen.same:
                found["same"] = asdict(await measure.sameness(at, chosen.same, dice, _tell))
    return found


def _copy(chosen: argparse.Namespace) -> AbstractContextManager[Copy]:
    if chosen.source:
        return checkout(chosen.source, chosen.package, chosen.python)
    return copied(SUBJECTS[chosen.project])


def _rows(found: dict[str, dict[str, Any]]) -> list[list[str]]:
    rows: list[list[str]] = []
    if part := found.get("latency"):
        rows += [
            [f"{len(part['first'])} edits: first result, p50 / p95, ms", _both(part["first"])],
            ["all results, p50 / p95, ms", _both(part["whole"])],
            [f"{len(part['anew'])} need a new collection: first result, p50 / p95, ms", _both(part["anew"])],
            ["cold pytest of the same tests, p50 / p95, ms", _both(part["cold"])],
            ["cold ÷ first result, p50", number(_ratio(part["cold"], part["first"]))],
            ["share of all tests that ran, p50, %", number(_percent(part["shares"]))],
        ]
    if part := found.get("overhead"):
        cost = measure.Overhead(**part)
        rows += [
            ["run with coverage and contexts ÷ plain run", number(cost.ratio, 2)],
            ["the same ÷ a cold pytest of all tests", number(cost.beside_cold, 2)],
        ]
    if part := found.get("recall"):
        rows += [
            ["seeded regressions that a test fails for", str(part["caught"])],
            ["of these, all failing tests selected", str(part["found"])],
            ["share of all tests selected, p50, %", number(_percent(part["shares"]))],
        ]
    if part := found.get("same"):
        rows += [
            ["edits in sequence compared with a cold run", str(part["edits"])],
            ["tests shown with another ending", str(len(part["wrong"]))],
            ["tests that two cold runs end differently", str(len(part["unsteady"]))],
            ["tests that coverage makes end differently, cold as well", str(len(part["followed"]))],
            ["lines shown covered that are not", str(len(part["lines"]))],
            _known_after(part["refused"]),
        ]
    if part := found.get("refusals"):
        rows += [["edits asked about", str(part["edits"])], _known_after(part["refused"])]
    return rows


def _known_after(seconds: list[float]) -> list[str]:
    most = number(max(seconds) * 1000 if seconds else None)
    what = f"{len(seconds)} need a new collection: known after, p50 / p95 / most, ms"
    return [what, f"{_both(seconds)} / {most}"]


def _both(seconds: list[float]) -> str:
    return " / ".join(
        number(None if (q := quantile(seconds, share)) is None else q * 1000) for share in (0.5, 0.95)
    )


def _ratio(above: list[float], below: list[float]) -> float | None:
    first, second = quantile(above, 0.5), quantile(below, 0.5)
    return first / second if first is not None and second else None


def _percent(shares: list[float]) -> float | None:
    middle = quantile(shares, 0.5)
    return None if middle is None else 100 * middle


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
