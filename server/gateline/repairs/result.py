"""What the loop came to: the repair, every attempt, and a document for a person when it gave up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum

from gateline.model import Diagnosis, Edit, Knowledge, Problem, Proof, Repair, VerifiedRepair, digest_of
from gateline.repairs.edits import apply_all, between
from gateline.repairs.proof import Verdict, proof_of


class Outcome(StrEnum):
    """What became of an attempt."""

    REFUSED = "refused"
    """It would break a house rule, and was not tried."""
    FAILED = "failed"
    PARTIAL = "partial"
    """It led on: the next iteration started from it."""
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate of one iteration, and what became of it."""

    iteration: int
    diagnosis: Diagnosis
    repair: Repair
    before: Mapping[str, str]
    """The texts it was proposed for."""
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DebugResult:
    """The end of a run of the loop."""

    problem: Problem
    success: bool
    edits: tuple[Edit, ...] = ()
    """The whole repair against the texts at the start; empty without success."""
    texts: Mapping[str, str] | None = None
    """The repaired texts by path; None without success."""
    digests: tuple[tuple[str, str], ...] = ()
    """The digest of each text that `edits` are against, by path: on any other text they mean nothing."""
    proof: Proof | None = None
    attempts: tuple[Attempt, ...] = ()
    alternatives: tuple[VerifiedRepair, ...] = ()
    """Other repairs of the last iteration that were verified, too."""
    late: bool = False
    """It stopped because its time was over."""
    advice: str = ""
    """What a person has to do, where no edit is a repair; empty with success."""
    notes: tuple[str, ...] = ()
    """What the search left out of account."""

    @property
    def iterations(self) -> int:
        """How many iterations tried something."""
        return max((attempt.iteration for attempt in self.attempts), default=0)

    @property
    def reasoning(self) -> tuple[str, ...]:
        """What was tried and why, a sentence for each step."""
        return tuple(_told(attempt) for attempt in self.attempts if attempt.outcome is not Outcome.REFUSED)


def finished(
    problem: Problem,
    texts: Mapping[str, str],
    knowledge: Knowledge,
    attempts: Sequence[Attempt],
    verdict: Verdict | None = None,
    others: tuple[VerifiedRepair, ...] = (),
    *,
    late: bool = False,
    advice: str = "",
) -> DebugResult:
    """The result of a run that ended with `texts`; without a verdict, of one that gave up."""
    if verdict is None:
        return DebugResult(problem, success=False, attempts=tuple(attempts), late=late, advice=advice)
    before = {path: knowledge.text(path) or "" for path in sorted(texts)}
    return DebugResult(
        problem,
        success=True,
        edits=tuple(edit for path, text in before.items() for edit in between(path, text, texts[path])),
        texts=texts,
        digests=tuple((path, digest_of(text)) for path, text in before.items()),
        proof=proof_of(verdict),
        attempts=tuple(attempts),
        alternatives=others,
    )


def _told(attempt: Attempt) -> str:
    found = attempt.diagnosis
    seen = f" (expected {found.expected}, found {found.actual})" if found.expected and found.actual else ""
    ending = f": {attempt.reason}" if attempt.reason else ""
    return (
        f"{attempt.iteration}. {found.family}/{attempt.repair.pattern}{seen}: "
        f"{attempt.repair.title} – {attempt.outcome}{ending}"
    )


def diff(attempt: Attempt) -> str:
    """The attempt as a unified difference."""
    after = apply_all(attempt.before, attempt.repair.edits)
    rows: list[str] = []
    for path, text in after.items():
        old, new = (t.splitlines() for t in (attempt.before[path], text))
        rows += unified_diff(old, new, f"a/{path}", f"b/{path}", n=2, lineterm="")
    return "\n".join(rows)
