"""How often the verifier's verdict on labelled texts is right, by split and gate point."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

from gateline.refinement.verifier.values import GatePoint
from gateline_dev.verifier.corpus import SPLITS, Labelled, labelled, verified


def main(arguments: Sequence[str]) -> int:
    """Print a table, and the texts whose verdict is wrong; 1 where there is one."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.verifier", description=__doc__)
    parser.parse_args(arguments)
    wrong = 0
    heads = f"{'texts':>5} {'verdict':>8} {'reasons':>8} {'missed':>7} {'blamed':>7}"
    print(f"{'split':8} {'gate point':16} {heads}")
    for split in SPLITS:
        texts = list(labelled(split))
        for point in (GatePoint.SPECIFICATION, GatePoint.PLAN, GatePoint.COMMIT):
            wrong += _row(split, point, [text for text in texts if text.point is point])
    return 1 if wrong else 0


def _row(split: str, point: GatePoint, texts: Sequence[Labelled]) -> int:
    """One row; how many verdicts are wrong. Missed: passed, and insufficient; blamed: the other way."""
    begin = time.perf_counter()
    told = [(text, verified(text)) for text in texts]
    took = (time.perf_counter() - begin) / max(1, len(texts))
    missed = [text.name for text, found in told if found.sufficient and not text.sufficient]
    blamed = [text.name for text, found in told if text.sufficient and not found.sufficient]
    exact = sum(tuple(sorted({r.check for r in found.reasons})) == text.checks for text, found in told)
    right = len(texts) - len(missed) - len(blamed)
    shares = f"{right / len(texts):8.1%} {exact / len(texts):8.1%} {len(missed):7} {len(blamed):7}"
    print(f"{split:8} {point:16} {len(texts):5} {shares}   {took * 1e3:.1f} ms a text")
    for line in (*_listed("missed", missed), *_listed("blamed", blamed)):
        print(line)
    return len(missed) + len(blamed)


def _listed(what: str, names: Sequence[str]) -> Iterator[str]:
    yield from (f"         {what}: {name}" for name in names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
