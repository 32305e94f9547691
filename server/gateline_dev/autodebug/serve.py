"""Has gateline repair the broken programs of a corpus, one folder after the other, through one of its doors.

Speaks what the corpus's scorer speaks with `--serve`: a line `{"case_dir": …}` in, a line out when the files
there are repaired or given up.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from gateline_dev.autodebug.doors import DOORS, Door
from gateline_dev.autodebug.workspace import workspace_of


@dataclass(frozen=True)
class Row:
    """What the log keeps of a case."""

    id: str
    success: bool
    proof: str
    seconds: float
    """Of gateline alone, without what showed the error."""
    told: str


def repair(folder: Path, door: Door) -> Row:
    """Repair the case in a folder in place, when it can be."""
    with workspace_of(folder) as workspace:
        answer = door(workspace)
        success = workspace.put_back(folder)
        return Row(str(workspace.told["id"]), success, answer.proof, round(answer.seconds, 3), answer.told)


def serve(door: Door, lines: TextIO, answers: TextIO, log: TextIO | None) -> None:
    """Answer each line until there is none; a case that fails here is told on standard error."""
    for line in lines:
        try:
            row = repair(Path(json.loads(line)["case_dir"]), door)
        except Exception:  # noqa: BLE001 - one case
            traceback.print_exc()
            print("{}", file=answers, flush=True)
            continue
        if log is not None:
            print(json.dumps(asdict(row)), file=log, flush=True)
        print(json.dumps({"success": row.success}), file=answers, flush=True)


def main() -> None:
    """Serve on standard input and output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--door", choices=DOORS, default="shown", help="how gateline is asked")
    parser.add_argument(
        "--log", type=Path, required=True, help="a file to add a line of JSON to for each case"
    )
    given = parser.parse_args()
    with given.log.open("a", encoding="utf-8") as log:
        serve(DOORS[given.door], sys.stdin, sys.stdout, log)


if __name__ == "__main__":
    main()
