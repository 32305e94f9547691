"""Repairs the broken programs of a corpus, one folder after the other, in one process that stays.

Speaks what the corpus's scorer speaks with `--serve`: a line `{"case_dir": …}` in, a line out when the files
there are repaired or given up. What the product does with a workspace is done with a folder: its families,
its loop and its house rules; the tests and mypy that verify are warm, and the corpus's own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO

from gateline.model import Origin, Problem, Proof, Repairer
from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.choice import is_clear
from gateline.repairs.loop import Answer, Job, Look, Steps, debug, proposals
from gateline.repairs.result import DebugResult, Outcome
from gateline.services.modules import Modules
from gateline.services.repairs.far import collect_rarely
from gateline.services.repairs.known import Disk, Known
from gateline.services.repairs.messages import Environment, Place
from gateline_dev.autodebug.bench import bench_for
from gateline_dev.autodebug.case import Case, read
from gateline_dev.autodebug.checker import TypeChecker
from gateline_dev.autodebug.checks import Checks
from gateline_dev.autodebug.runner import Runner

SECONDS = 10.0
"""After this time nothing new is tried, as in the product."""
_SHARE = 0.8
"""Of that time a run of tests may take."""
_ATTEMPTS = 60
_ALTERNATIVES = 2
_ASK = "import json,sys,sysconfig;print(json.dumps([sysconfig.get_paths()['purelib'],*sys.version_info[:2]]))"


@dataclass(frozen=True)
class Row:
    """What the log keeps of a case."""

    id: str
    error: str
    success: bool
    proof: str
    first: bool
    """The first repair that was tried was taken."""
    iterations: int
    tried: int
    refused: int
    late: bool
    seconds: float
    soonest: float
    """Seconds after which the first repair was verified."""
    attempts: tuple[str, ...]


class Serving:
    """Repairs case after case."""

    def __init__(
        self,
        python: str,
        runner: Runner,
        checker: TypeChecker,
        repairers: Iterable[Repairer],
        seconds: float = SECONDS,
    ):
        self._seconds = seconds
        self._environment = environment_of(python)
        folders = [Path(folder) for folder in self._environment.search_path]
        self._modules = Modules(folders, self._environment.version)
        self._repairers = tuple(repairers)
        self._runner = runner
        self._checker = checker

    def repair(self, folder: Path) -> Row:
        """Repair the case in a folder in place, when it can be."""
        begin = time.perf_counter()
        case = read(folder)
        with bench_for(case, self._runner, self._checker, _SHARE * self._seconds) as bench:
            checks = Checks(bench)
            problem = checks.problem
            result = self._repaired(case, problem, checks) if problem else None
        if result is not None and result.texts:
            case.write(result.texts)
        seconds = time.perf_counter() - begin
        return _row(case, problem, result, seconds, checks.first - begin if checks.first else seconds)

    def _repaired(self, case: Case, problem: Problem, checks: Checks) -> DebugResult:
        """As the product does: errors of syntax without tests first, which then look at what is best."""
        if problem.origin is not Origin.PARSER:
            return self._run(case, problem, checks, 0)
        checks.is_quick = True
        quick = self._run(case, problem, checks, _ALTERNATIVES)
        if quick.texts is None or not case.test_arguments:
            return quick
        checks.first = checks.first or time.perf_counter()
        if is_clear(quick) and checks.holds(quick.texts):
            return replace(quick, proof=Proof.V3)
        checks.is_quick = False
        tested = self._run(case, problem, checks, 0)
        return tested if tested.success else quick

    def _run(self, case: Case, problem: Problem, checks: Checks, alternatives: int) -> DebugResult:
        place = Place(str(case.folder), tuple(case.texts), self._environment)
        known = Known(place, case.texts, Disk(), self._modules)
        budget = Budget(time.monotonic, self._seconds, attempts=_ATTEMPTS, alternatives=alternatives)
        return _driven(debug(problem, Job(known, self._repairers, case.is_protected, budget)), checks)


def _driven(steps: Steps, checks: Checks) -> DebugResult:
    answer: Answer | None = None
    while True:
        try:
            request = next(steps) if answer is None else steps.send(answer)
        except StopIteration as end:
            result: DebugResult = end.value
            return result
        if isinstance(request, Look):
            checks.laid = request.knowledge.texts
            answer = proposals(request)
        else:
            answer = checks.verdict(request.trial)


def environment_of(python: str) -> Environment:
    """What an interpreter can import."""
    asked = subprocess.run([python, "-c", _ASK], capture_output=True, text=True, check=True)
    folder, major, minor = json.loads(asked.stdout)
    return Environment((folder,), (major, minor))


def _row(
    case: Case, problem: Problem | None, result: DebugResult | None, seconds: float, soonest: float
) -> Row:
    attempts = result.attempts if result else ()
    tried = [attempt for attempt in attempts if attempt.outcome is not Outcome.REFUSED]
    told = [
        f"{a.iteration} {a.outcome} {a.repair.cost:.2f} {a.diagnosis.family}/{a.repair.pattern}: "
        f"{a.repair.title} – {a.reason[:200]}"
        for a in attempts
    ]
    return Row(
        str(case.told["id"]),
        f"{problem.type}: {problem.message} ({problem.path}:{problem.line + 1})" if problem else "",
        bool(result and result.success),
        result.proof.name if result and result.proof else "",
        bool(tried) and tried[0].outcome is Outcome.VERIFIED,
        result.iterations if result else 0,
        len(tried),
        len(attempts) - len(tried),
        bool(result and result.late),
        round(seconds, 3),
        round(soonest, 3),
        tuple(told),
    )


def serve(serving: Serving, lines: TextIO, answers: TextIO, log: TextIO | None) -> None:
    """Answer each line until there is none; a case that fails here is told on standard error."""
    for line in lines:
        try:
            row = serving.repair(Path(json.loads(line)["case_dir"]))
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
    parser.add_argument("--python", default=sys.executable, help="the corpus's interpreter")
    parser.add_argument("--log", type=Path, help="a file to add a line of JSON to for each case")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="after which nothing new is tried")
    given = parser.parse_args()
    with ExitStack() as stack:
        log = stack.enter_context(given.log.open("a", encoding="utf-8")) if given.log else None
        runner = stack.enter_context(Runner(given.python))
        checker = stack.enter_context(TypeChecker(given.python))
        collect_rarely()
        serving = Serving(given.python, runner, checker, load().repairers, given.seconds)
        serve(serving, sys.stdin, sys.stdout, log)


if __name__ == "__main__":
    main()
