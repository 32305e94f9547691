"""Runs a suite in the project's interpreter: one process, which answers case by case."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from re import search
from typing import Any

from gateline.evals.run import CaseResult
from gateline.session.errors import UsageError
from gateline.session.evals.suite import Case, Suite

_LONGEST = 200
"""Characters of an answer that are told."""
_FAR = """
import contextlib, importlib, json, os, sys
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.path.insert(0, os.getcwd())
module, _, name = sys.argv[1].partition(":")
try:
    function = importlib.import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
except BaseException as error:
    answers.write(json.dumps({"missing": f"{type(error).__name__}: {error}"}) + "\\n")
    answers.flush()
    sys.exit(0)
for line in sys.stdin:
    try:
        said = {"answer": function(json.loads(line))}
        told = json.dumps(said)
    except BaseException as error:
        told = json.dumps({"error": f"{type(error).__name__}: {error}"})
    answers.write(told + "\\n")
    answers.flush()
"""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a suite's function answered to a case."""

    result: CaseResult
    """By what is exactly expected of it."""
    answer: Any = None


def answers_of(suite: Suite, root: Path, python: str, seconds: float) -> list[Answered]:
    """What came out of each case. Raises UsageError where the function cannot be called at all.

    A case whose call raises has failed, and so have those after a process that ended or ran out of time.
    """
    given = "".join(json.dumps(case.input) + "\n" for case in suite.cases)
    command = [python, "-c", _FAR, suite.call]
    try:
        done = subprocess.run(
            command, input=given, cwd=root, capture_output=True, text=True, timeout=seconds, check=False
        )
        told, ended = done.stdout, f"the process ended with {done.returncode}"
    except subprocess.TimeoutExpired as late:
        told, ended = _text(late.stdout), f"no answer within {seconds:g} s"
    except OSError as error:
        raise UsageError(f"{python} cannot be started: {error.strerror}") from error
    # A line that the end of the process cut off is no answer.
    rows = [json.loads(line) for line in told.splitlines(keepends=True) if line.endswith("\n")]
    if rows and "missing" in rows[0]:
        raise UsageError(f"{suite.suite}: {suite.call} cannot be called: {rows[0]['missing']}")
    rows += [{"error": ended}] * (len(suite.cases) - len(rows))
    pairs = zip(suite.cases, rows, strict=True)
    return [Answered(_compared(case, row), row.get("answer")) for case, row in pairs]


def _compared(case: Case, row: dict[str, Any]) -> CaseResult:
    if "error" in row:
        return CaseResult(case.name, 0.0, row["error"][:_LONGEST])
    answer = row["answer"]
    text = answer if isinstance(answer, str) else json.dumps(answer)
    problems = []
    if "expect" in case.model_fields_set and answer != case.expect:
        problems.append(f"expected {_short(case.expect)}")
    if case.contains is not None and case.contains not in text:
        problems.append(f"expected a text with {_short(case.contains)}")
    if case.matches is not None and search(case.matches, text) is None:
        problems.append(f"expected what matches {_short(case.matches)}")
    told = f"{', '.join(problems)}, not {_short(answer)}" if problems else ""
    return CaseResult(case.name, 0.0 if problems else 1.0, told)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _text(found: bytes | str | None) -> str:
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else found or ""
