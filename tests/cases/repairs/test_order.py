"""What all families propose for each text case, in the order in which it is tried, with its costs.

Every verification fails, so that the search goes on to its end. The order is exact: a cost or a family
that is changed shows here as a difference of `tests/goldens/repairs.txt`; `--update` writes it.
"""

from __future__ import annotations

import pytest

from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Verdict
from gateline.repairs.result import Attempt
from support import golden_file, text_cases
from support.repair_cases import FILES, World, problem_of

GOLDEN = golden_file.FOLDER / "repairs.txt"
_WRONG = Verdict(parses=True, gone=False, reason="the error is still there")


def attempts(text: str) -> list[str]:
    case = text_cases.read(text)
    clean, problem = problem_of({f.name: f.text for f in case.files if not f.name.startswith("after/")})
    job = Job(World(clean), load().repairers, lambda path: False, Budget(lambda: 0.0))
    return [row(attempt) for attempt in drive(debug(problem, job), lambda trial: _WRONG).attempts]


def row(attempt: Attempt) -> str:
    repair = attempt.repair
    guess = " guess" if repair.is_guess else ""
    return f"{repair.cost:.2f} {repair.pattern} [{attempt.outcome}{guess}] {repair.title}"


def test_the_order_is_that_of_the_golden_file(request: pytest.FixtureRequest) -> None:
    found = {file.stem: attempts(file.read_text(encoding="utf-8")) for file in FILES}
    golden_file.compare(GOLDEN, found, list(found), update=request.config.getoption("--update"))
