"""Repairs the broken programs of a corpus, one folder after the other, in one process that stays.

Speaks what the corpus's scorer speaks with `--serve`: a line `{"case_dir": …}` in, a line out when the files
there are repaired or given up. `.autodebug.json` in that folder names the target and what may not be edited.
"""

from __future__ import annotations

import json
import sys
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TextIO

from gateline.model import Origin, Problem, Span
from gateline.repairs.budget import Budget
from gateline.repairs.families.syntax import REPAIRER
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Trial, Verdict
from gateline.repairs.result import DebugResult
from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.texts import Texts


def serve(lines: TextIO, answers: TextIO) -> None:
    """Answer each line until there is none."""
    for line in lines:
        result = repaired(Path(json.loads(line)["case_dir"]))
        said = {"success": bool(result and result.success), "attempts": len(result.attempts) if result else 0}
        print(json.dumps(said), file=answers, flush=True)


def repaired(folder: Path) -> DebugResult | None:
    """Repair the target of a case in place; None when it compiles: then it is no case for this family."""
    case: dict[str, Any] = json.loads((folder / ".autodebug.json").read_text(encoding="utf-8"))
    path = str(case["target"])
    # Bytes that are no UTF-8, and line ends, stay as they are: what is not repaired must not change.
    text = (folder / path).read_bytes().decode("utf-8", "surrogateescape")
    failure = failure_of(text)
    if failure is None:
        return None
    span = Span.of(failure.line, 0, failure.line + 1, 0)
    problem = Problem(Origin.PARSER, "GTL101", failure.message, path, span)

    def is_protected(changed: str) -> bool:
        return any(fnmatch(changed, pattern) for pattern in case["protected"])

    job = Job(Texts({path: text}), [REPAIRER], is_protected, Budget(time.monotonic))
    result = drive(debug(problem, job), _judged)
    for changed, new in (result.texts or {}).items():
        (folder / changed).write_bytes(new.encode("utf-8", "surrogateescape"))
    return result


def _judged(trial: Trial) -> Verdict:
    """Verified at the first level: the compiler accepts every text."""
    compiles = all(failure_of(text) is None for text in trial.texts.values())
    return Verdict(parses=compiles, gone=compiles)


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
