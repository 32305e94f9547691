"""What is run in the folder of a task: `gateline refine`, or one pass of `gateline fix` after pytest.

The corpus' scorer starts it and takes its time: `python -m gateline_dev.refinement.doors DOOR REPORT`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

_GATELINE = (sys.executable, "-m", "gateline")
_SECONDS = 900.0


def main() -> int:
    """Run what was asked for; the report has what the loop says of itself."""
    door, report = sys.argv[1], Path(sys.argv[2])
    python, goal = os.environ["TASK_PYTHON"], os.environ["TASK_GOAL"]
    said = refined(python, goal) if door == "refine" else fixed(python)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    said["processor"] = round(used.ru_utime + used.ru_stime, 1)
    with report.open("a", encoding="utf-8") as file:
        file.write(json.dumps(said) + "\n")
    return 0


def refined(python: str, goal: str) -> dict[str, object]:
    """The loop with the built-in agent, its result applied."""
    command = (*_GATELINE, "refine", goal, "--apply", "--output", "json", "--python", python)
    done = _run(command)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        return {"rounds": 0, "ended": "none", "trouble": done.stderr[-2000:]}
    state = told["state"]
    return {
        "rounds": len(state["rounds"]),
        "ended": state["ended"]["kind"],
        "reason": state["ended"]["reason"],
        "accepted": told["accepted"],
        "told": done.stderr[-4000:],
        "reasoning": [one["reasoning"] for one in state["rounds"]],
        "failing": [one["verdict"]["failing"][:5] for one in state["rounds"][-1:]],
        "seconds": [one["seconds"] for one in state["rounds"]],
    }


def fixed(python: str) -> dict[str, object]:
    """The baseline: the tests once, and one pass of repairs over what they print."""
    tests = _run((python, "-m", "pytest", "-q", "-p", "no:cacheprovider"))
    os.environ["GATELINE_PYTHON"] = python
    done = _run((*_GATELINE, "fix", "--traceback", "-", "--write"), tests.stdout + tests.stderr)
    return {"rounds": 1, "ended": str(done.returncode), "told": done.stdout[-2000:]}


def _run(command: tuple[str, ...], given: str = "") -> subprocess.CompletedProcess[str]:
    # Nothing of ours is written into the folder that is judged.
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=_SECONDS, env=environ, check=False
    )


if __name__ == "__main__":
    sys.exit(main())
