"""Memory on labelled pairs of notes, with the transformer and without."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gateline.memory.similarity import SEMANTIC, STATIC
from gateline.session.memory.embedding import Maker, makers
from gateline.settings import ContextSettings
from gateline_dev.memory.bench import bench
from gateline_dev.memory.calibrating import calibrate
from gateline_dev.memory.pairs import TEST, TUNING, pairs
from gateline_dev.memory.remembered import Remembered
from gateline_dev.memory.scoring import judged, together

_VARIANTS = {
    "with the transformer": (STATIC, SEMANTIC),
    "without": (STATIC,),
    "by words alone": (),
}


def main(arguments: Sequence[str]) -> int:
    """Print a report, or write the coefficients."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.memory", description=__doc__)
    parser.add_argument("--part", choices=[TEST, TUNING], default=TEST, help="which pairs")
    parser.add_argument("--show", action="store_true", help="each mistake, of the tuning part only")
    parser.add_argument("--calibrate", action="store_true", help="fit the coefficients on the tuning part")
    parser.add_argument(
        "--bench",
        type=int,
        nargs="?",
        const=10_000,
        metavar="LESSONS",
        help="how long storing and recalling take",
    )
    asked = parser.parse_args(arguments)
    found, missing = makers(ContextSettings(), Path.cwd(), os.environ, trusted=True)
    for tier, why in missing.items():
        print(f"without the tier {tier}: {why}")
    if asked.bench:
        tables = [maker for maker in found if maker.tier == STATIC]
        for chosen in dict.fromkeys((tuple(tables), found)):
            print("\n".join(bench(chosen, asked.bench)), flush=True)
        return 0
    found = tuple(Remembered(maker) if maker.tier == SEMANTIC else maker for maker in found)
    if asked.calibrate:
        if missing:
            parser.error("all tiers are needed to calibrate")
        print("\n".join(calibrate(found)))
        return 0
    if asked.show and asked.part != TUNING:
        parser.error("--show is for --part tuning: nobody looks at the mistakes of the test part to tune")
    for line in _report(found, asked.part, show=asked.show):
        print(line, flush=True)
    return 0


def _report(found: Sequence[Maker], part: str, *, show: bool) -> Iterator[str]:
    known = pairs(part)
    for maker in found:
        maker.of([text for pair in known for text in (pair.old, pair.new)])
    yield f"{len(known)} pairs of {len({pair.subject for pair in known})} subjects, {part} part"
    for label, tiers in _VARIANTS.items():
        chosen = [maker for maker in found if maker.tier in tiers]
        if len(chosen) < len(tiers):
            continue
        made = judged(known, chosen)
        yield f"{label}:"
        yield from made.told()
        yield f"  {together(known, chosen)}"
        if show:
            yield from made.mistakes()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
