"""`python -m gateline_dev.evals`: what a suite costs beyond what it calls.

A suite of 200 cases of a function that does nothing is run by `gateline eval`, as a user types it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_AIM = 2.0
"""Seconds."""
_CODE = "def same(value):\n    return value\n"


def cost(cases: int) -> tuple[float, float]:
    """Seconds by the wall and of processor that such a suite takes, with the start of the command."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "nothing.py").write_text(_CODE, encoding="utf-8")
        rows = "".join(f"  - {{name: case {n}, input: {n}, expect: {n}}}\n" for n in range(cases))
        suite = f"suite: nothing\ncall: nothing:same\ncases:\n{rows}"
        (root / "nothing.eval.yaml").write_text(suite, encoding="utf-8")
        environ = {**os.environ, "XDG_STATE_HOME": str(root / "state")}
        before, began = os.times(), time.perf_counter()
        command = [sys.executable, "-m", "gateline", "eval", "nothing"]
        subprocess.run(command, cwd=root, env=environ, check=True, capture_output=True)
        after = os.times()
        processor = (
            after.children_user + after.children_system - before.children_user - before.children_system
        )
        return time.perf_counter() - began, processor


def main() -> None:
    """Print it."""
    parser = argparse.ArgumentParser(prog="gateline_dev.evals", description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    cases = parser.parse_args().cases
    wall, processor = cost(cases)
    load = os.getloadavg()[0]
    took = f"{wall:.2f} s by the wall, {processor:.2f} s of processor"
    print(f"{cases} cases: {took}; aim {_AIM:g} s (load {load:.1f})")


if __name__ == "__main__":
    main()
