"""`python -m gateline_dev.resolving`: whether the right definition comes first, and who calls it.

Positions are drawn from packages as distributed; what is right is what mypy's own build says. Each position
is asked as an editor asks, once within the default deadline and once without, beside the answer that names
alone give. Packages are fetched by pip and kept in the user's cache.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from gateline_dev.bench.environments import UnavailableError
from gateline_dev.bench.results import quantile
from gateline_dev.resolving import asking
from gateline_dev.resolving.asking import DEADLINE, Bench, Callers, Found
from gateline_dev.resolving.inspecting import Inspected, inspected
from gateline_dev.resolving.positions import KINDS, called, drawn
from gateline_dev.resolving.truth import Reference, references
from gateline_dev.retrieval.packages import LEARNED, UNSEEN, Package

FOLDERS = {
    "rich": "rich",
    "httpx": "httpx",
    "werkzeug": "src/werkzeug",
    "starlette": "starlette",
    "django": "",
}
"""By package, the folder of its code in what is unpacked."""
SYSTEMS = ("names alone", f"within {DEADLINE * 1000:.0f} ms", "again", "no deadline")


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m gateline_dev.resolving",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", action="append", default=[], choices=list(FOLDERS), help="only this")
    parser.add_argument("--positions", type=int, default=80, help="of each package (default 80)")
    parser.add_argument("--definitions", type=int, default=25, help="whose callers are asked (default 25)")
    parser.add_argument(
        "--mypy", action="store_true", help="ask mypy's daemon for the same, and nothing else"
    )
    parser.add_argument("--idle", type=int, default=0, help="seconds of rest after the questions (default 0)")
    parser.add_argument("--show", action="store_true", help="name the positions that are not right")
    return parser.parse_args(given)


def main() -> int:
    """Measure; 2 when a package cannot be had."""
    given = arguments()
    try:
        for name in given.package or FOLDERS:
            asyncio.run(_measured(name, _root(name), given))
    except (UnavailableError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _root(name: str) -> Path:
    known: dict[str, Package] = {one.project.name: one for one in (*LEARNED, *UNSEEN)}
    return known[name].root() / FOLDERS[name]


async def _measured(name: str, source: Path, given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="gateline-resolving-") as folder:
        root = Path(folder)
        shutil.copytree(source, root / name)
        rows = references(root, name)
        if given.mypy:
            _print_inspected(name, inspected(root, name, [row for _, row in drawn(rows, given.positions)]))
            return
        async with asking.bench(root) as bench:
            await _print_positions(name, bench, rows, given)
            await _print_callers(bench, called(rows, given.definitions), rows)
            print(f"memory of the process: {bench.memory / 1e6:.0f} MB", flush=True)
            if given.idle:
                print(await bench.at_rest(given.idle), flush=True)


def _print_inspected(name: str, told: Inspected) -> None:
    print(f"\n{name}: mypy's daemon, {told.right} of {told.asked} right; build {told.build:.0f} ms")
    for what, times in (("first about a module", told.first), ("again", told.again)):
        if times:
            print(f"{what}: {len(times)}, ms p50 / p95 {_quantiles(times)}", flush=True)


async def _print_positions(
    name: str, bench: Bench, rows: Sequence[Reference], given: argparse.Namespace
) -> None:
    found: dict[str, Found] = {system: Found() for system in SYSTEMS}
    kinds: dict[str, list[bool]] = defaultdict(list)
    status = await bench.service.status()
    positions = drawn(rows, given.positions)
    await bench.whole(positions[0][1].path, positions[0][1].line, positions[0][1].column)
    for kind, one in positions:
        before = found["no deadline"].first
        await _ask(bench, one, found)
        kinds[kind].append(found["no deadline"].first > before)
        if given.show and not kinds[kind][-1]:
            print(f"not first: {kind} {one.path}:{one.line + 1}:{one.column + 1} {one.target}")
    print(f"\n{name}, {status.chunks if status else 0} chunks, {len(positions)} positions\n")
    print("| system | right one first | in the pack | ms p50 / p95 | late |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for system, counted in found.items():
        print(f"| {system} | {_row(counted)} |")
    print("; ".join(f"{kind} {sum(kinds[kind])}/{len(kinds[kind])}" for kind in KINDS if kinds[kind]))


async def _ask(bench: Bench, one: Reference, found: dict[str, Found]) -> None:
    where = (one.path, one.line)
    answer, seconds = await bench.without(*where)
    found[SYSTEMS[0]].add(answer, one, seconds)
    answer, seconds = await bench.at(*where, one.column, DEADLINE)
    found[SYSTEMS[1]].add(answer, one, seconds)
    whole = await bench.whole(*where, one.column)
    answer, seconds = await bench.at(*where, one.column, DEADLINE)
    found[SYSTEMS[2]].add(answer, one, seconds)
    found[SYSTEMS[3]].add(whole, one, 0.0)


def _row(found: Found) -> str:
    asked = max(found.asked, 1)
    shown = _quantiles(found.milliseconds) if any(found.milliseconds) else "-"
    return f"{found.first / asked:.3f} | {found.in_pack / asked:.3f} | {shown} | {found.late}"


def _quantiles(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.1f} / {quantile(times, 0.95):.1f}"


async def _print_callers(bench: Bench, asked: Sequence[Reference], rows: Sequence[Reference]) -> None:
    sums = {system: Callers() for system in ("names alone", "resolved")}
    for one in asked:
        for total, part in zip(sums.values(), await asking.callers(bench, one, rows), strict=True):
            for key, value in vars(part).items():
                setattr(total, key, getattr(total, key) + value)
    print(f"\ncallers of {len(asked)} definitions whose name is ambiguous\n")
    print("| system | precision | recall of call sites |\n| --- | ---: | ---: |")
    for system, total in sums.items():
        precision = f"{total.right / max(total.said, 1):.3f} ({total.right}/{total.said})"
        recall = f"{total.found / max(total.true, 1):.3f} ({total.found}/{total.true})"
        print(f"| {system} | {precision} | {recall} |")


if __name__ == "__main__":
    sys.exit(main())
