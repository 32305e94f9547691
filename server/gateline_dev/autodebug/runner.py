"""Runs the tests of a case in forked children of one warm process, and reads what failed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from gateline.model import Frame, Origin, Position, Problem, Span
from gateline.repairs.tested import Ran

_START = "import sys; sys.path.insert(0, sys.argv.pop()); from far.running import main; main()"


class Runner:
    """A warm process of the corpus's interpreter. Use as a context."""

    def __init__(self, python: str) -> None:
        environment = {
            k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"}
        }
        environment.update(
            PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"
        )
        self._process = subprocess.Popen(
            [python, "-c", _START, str(Path(__file__).parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()

    def run(
        self,
        root: Path,
        arguments: Sequence[str],
        seconds: float,
        *,
        first: Sequence[str] = (),
        only: Sequence[str] = (),
        short: bool = False,
    ) -> Ran:
        """Run tests as pytest's `arguments` say; of them `only` these, where that can be done.

        The tests of `first` come first, and the run ends when one of them fails; with `short` after any
        failure.
        """
        request = {"root": str(root), "arguments": list(arguments), "seconds": seconds}
        request |= {"first": list(first), "only": list(only), "short": short}
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "passed" not in answer:
            return Ran(is_late=True)
        problems = tuple(problem_of(failure) for failure in answer["failures"])
        return Ran(frozenset(answer["passed"]), frozenset(answer["failed"]), problems, answer["late"])


def problem_of(failure: Mapping[str, Any]) -> Problem:
    """The problem that a failed test tells of."""
    frames = tuple(_frame(frame) for frame in failure["frames"])
    place = next((f for f in reversed(frames) if f.ours), None)
    cause = failure["cause"]
    span = Span(Position(place.line, 0), Position(place.line + 1, 0)) if place else None
    return Problem(
        Origin.RUN,
        failure["type"],
        failure["message"],
        place.path if place else "",
        span,
        frames,
        problem_of(cause) if cause else None,
        (failure["test"],) if "test" in failure else (),
    )


def _frame(told: Mapping[str, Any]) -> Frame:
    span = told["span"] and Span.of(*told["span"])
    seen = tuple((name, kind) for name, kind in told["seen"])
    return Frame(told["path"], told["line"], told["function"], ours=told["ours"], span=span, seen=seen)
