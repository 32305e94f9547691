"""A result made by hand, for the output formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gateline.model import (
    Action,
    Decision,
    Dimension,
    Evaluation,
    FileSummary,
    Finding,
    FunctionChange,
    Level,
    Novelty,
    Outcome,
    Part,
    Progress,
    Related,
    Score,
    Span,
    State,
    Status,
    TestRun,
    Weight,
)
from gateline.session.check import CheckResult

TOKEN = "q8Zr2kL0vX4t"
CODE = f'import os\ntoken = "{TOKEN}"\ndef pay(a):\n    os.system(a)\n'


def finding(
    code: str = "GTL110",
    line: int = 3,
    start: int = 4,
    end: int = 16,
    *,
    path: str = "src/pay.py",
    message: str = "it is wrong",
    weight: Weight = Weight.COUNTS,
    novelty: Novelty = Novelty.NEW,
    origin: str = "",
    identity: str = "",
    related: tuple[Related, ...] = (),
) -> Finding:
    return Finding(
        code=code,
        path=path,
        span=Span.of(line, start, line, end),
        message=message,
        dimension=Dimension.SECURITY if code.startswith("GTL3") else Dimension.ERRORS,
        weight=weight,
        novelty=novelty,
        origin=origin,
        identity=identity or f"{line:06x}{start:06x}",
        related=related,
    )


SECRET = finding(
    "GTL310", 1, 9, 21, weight=Weight.FLOOR, message="exposed secret", origin="detect-secrets: x"
)
SHELL = finding("GTL301", weight=Weight.FLOOR, message="shell | with <b>, 100%", origin="bandit: B605")
UNTYPED = finding("GTL110", 2, 4, 7, origin="mypy: no-untyped-def", related=())
OLD = finding("GTL501", 0, 0, 9, novelty=Novelty.OLD, weight=Weight.ADVICE)
HUSHED = finding("GTL301", 3, 7, 13, identity="abcdefabcdef")
GONE = finding("GTL401", 7, 4, 9, message="it was too complex", identity="fedcbafedcba")

PARTS = (
    Part(Dimension.ERRORS, State.MEASURED, value=90.0, weight=0.6, points=54.0, detail="1 new finding"),
    Part(Dimension.COVERAGE, State.NO_DATA, "not yet measured"),
    Part(Dimension.SECURITY, State.MEASURED, value=80.0, weight=0.4, points=32.0, detail="2 new findings"),
    Part(Dimension.COMPLEXITY, State.NOTHING_TO_JUDGE),
    Part(Dimension.DOCUMENTATION, State.NOT_DUE),
)
FLOORS = ("src/pay.py:2: GTL310 exposed secret", "src/pay.py:4: GTL301 shell")


def evaluation(**changes: object) -> Evaluation:
    """Two floors, a type error, an old finding, a suppressed and a fixed one."""
    made = Evaluation(
        tests=TestRun("all", run=9, total=9, failing=0),
        level=Level.FINAL,
        progress=Progress.SAID,
        base="0" * 40,
        base_label="merge-base with main",
        score=Score(59.0, 86.0, 0.75, PARTS, FLOORS, credit=1),
        decision=Decision(
            Outcome.REQUIRE_ITERATION,
            Status.FAIL,
            ("2 broken floors", *FLOORS, "coverage: no data (not yet measured)"),
            (Action("fix GTL310: exposed secret", 27.0, SECRET.identity, "src/pay.py", 1),),
        ),
        findings=(OLD, SECRET, UNTYPED, SHELL),
        suppressed=(HUSHED,),
        suppressions_added=1,
        fixed=(GONE,),
        files=(FileSummary("src/pay.py", "modified", "", 3, 4, 80.0, 70.5),),
        functions=(FunctionChange("src/pay.py", "pay", 2, None, 1.0),),
        limits=("coverage: no data (not yet measured)", "src/big.py: skipped (larger than 3 MB)"),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def result(sources: Mapping[str, str] | None = None, **changes: object) -> CheckResult:
    texts = {"src/pay.py": CODE} if sources is None else sources
    return CheckResult(Path("/somewhere/secret"), evaluation(**changes), texts, (), {"types": 1.234})


def unchanged() -> CheckResult:
    """What is said when nothing differs from the base."""
    accepted = Decision(Outcome.ACCEPT, Status.PASS, ("nothing to judge",))
    nothing = {"findings": (), "suppressed": (), "fixed": (), "files": (), "functions": (), "limits": ()}
    return result(**nothing, score=Score(None, None, 1.0), decision=accepted, suppressions_added=0)
