"""What mypy's own daemon would say of a name, and how long it takes: the alternative to jedi.

The build is the one that the resident holds, which keeps no types of expressions: the first question about a
module checks it once more. `python -m gateline_dev.resolving.inspecting FOLDER PACKAGE`, positions as JSON on
standard input.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline_dev.resolving.truth import Reference

_LONGEST = 600.0
"""Seconds for one package."""
_DECORATORS = 5
"""Lines that decorators may take."""


@dataclass
class Inspected:
    """What was said of positions, and the milliseconds that each question took."""

    right: int = 0
    asked: int = 0
    first: list[float] = field(default_factory=list)
    """Questions that are the first about their module: what an edit makes of each one after it."""
    again: list[float] = field(default_factory=list)
    build: float = 0.0


def inspected(root: Path, package: str, rows: Sequence[Reference]) -> Inspected:
    """Ask mypy for the definitions of names of a package below `root`. Raises OSError."""
    command = [sys.executable, "-m", __name__, str(root), package]
    given = json.dumps(rows)
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=_LONGEST, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "mypy failed")
    return Inspected(**json.loads(done.stdout))


def _manager(package: str) -> Any:
    from mypy import build
    from mypy.find_sources import create_source_list
    from mypy.options import Options
    from mypy.server.update import FineGrainedBuildManager

    options = Options()
    options.check_untyped_defs = options.ignore_missing_imports = True
    # As the resident builds: what is checked can be checked again.
    options.incremental = options.fine_grained_incremental = options.local_partial_types = True
    options.preserve_asts, options.cache_dir = True, os.devnull
    options.inspections = True
    options.python_executable = sys.executable
    return FineGrainedBuildManager(build.build(create_source_list([package], options), options))


def main(given: Mapping[int, str]) -> None:
    """Print what mypy says of the positions that are given."""
    from mypy.inspections import InspectionEngine

    os.chdir(given[1])
    rows = [Reference._make(row) for row in json.load(sys.stdin)]
    begun = time.perf_counter()
    manager = _manager(given[2])
    told = Inspected(build=(time.perf_counter() - begun) * 1000)
    seen: set[str] = set()
    for one in rows:
        engine = InspectionEngine(manager, force_reload=one.path not in seen)
        begun = time.perf_counter()
        answer = engine.get_definition(f"{one.path}:{one.line + 1}:{one.column + 1}")
        taken = (time.perf_counter() - begun) * 1000
        (told.again if one.path in seen else told.first).append(taken)
        seen.add(one.path)
        told.asked += 1
        told.right += _is_right(str(answer.get("out", "")), one)
    print(json.dumps(vars(told)))


def _is_right(out: str, one: Reference) -> bool:
    """Whether the innermost expression is said to mean the definition: `path:line:column:name`."""
    places = [row.split(":") for row in out.split("\n")[0].split(", ")]
    return any(
        len(row) > 1 and os.path.relpath(row[0]) == one.defined and _is_there(int(row[1]) - 1, one.lines)
        for row in places
    )


def _is_there(line: int, lines: Sequence[int]) -> bool:
    """Whether a line is where a definition begins: mypy tells that of its first decorator, if it has any."""
    return line in lines or 0 < min(lines) - line <= _DECORATORS


if __name__ == "__main__":
    main(dict(enumerate(sys.argv)))
