"""What makes a repair a verified one: the house rules kept, and a verdict of the shell.

A `Trial` is made by `permit` alone, and a `VerifiedRepair` from a `Trial` by `verified` alone: nothing can be
tried, let alone offered, that the rules did not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from gateline.model import Problem, Proof, Repair, VerifiedRepair, digest_of
from gateline.repairs.edits import apply_all
from gateline.repairs.rules import Case, Protected, Refusal, refusals


class Suite(StrEnum):
    """What the tests said that execute the touched lines."""

    NOT_RUN = "not run"
    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Trial:
    """A repair that kept the house rules, with the texts to verify it on. Made by `permit`."""

    repair: Repair
    problem: Problem
    before: Mapping[str, str]
    """The texts that change, as they were when the attempt began."""
    texts: Mapping[str, str]
    """The same after the repair."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the shell found out about a trial, on a snapshot of its own."""

    parses: bool
    gone: bool
    """The problem is no longer reported."""
    added: tuple[Problem, ...] = ()
    """What is reported now and was not before, in the changed documents and their importers."""
    remaining: tuple[Problem, ...] = ()
    """Everything that was asked about or followed from it and is still reported, in the order of the text."""
    tests: Suite = Suite.NOT_RUN
    mended: bool = False
    """A test that failed before passes now."""
    failing: int = 0
    """How many tests that failed before still do, each for a reason that is no part of the problem."""
    reason: str = ""
    """For people, when something went wrong: the failing test, the new message."""


def permit(
    repair: Repair, problem: Problem, texts: Mapping[str, str], protected: Protected
) -> Trial | tuple[Refusal, ...]:
    """A trial of `repair` on `texts`; the refusals, when it breaks house rules."""
    try:
        after = apply_all(texts, repair.edits)
    except ValueError as error:
        return (Refusal("overlap", str(error)),)
    before = {path: texts.get(path, "") for path in after}
    if before == after:
        return (Refusal("no-change", "the repair changes nothing"),)
    case = Case(problem, before, after, protected)
    return refusals(case) or Trial(repair, problem, before, after)


def proof_of(verdict: Verdict) -> Proof | None:
    """How far a verdict verifies a repair; None when it does not."""
    if not verdict.parses or not verdict.gone or verdict.added or verdict.tests is Suite.FAILED:
        return None
    if verdict.tests is Suite.NOT_RUN:
        return Proof.V1
    return Proof.V3 if verdict.mended else Proof.V2


def verified(trial: Trial, verdict: Verdict) -> VerifiedRepair | None:
    """The repair with its proof; None when the verdict does not verify it."""
    proof = proof_of(verdict)
    if proof is None:
        return None
    digests = tuple(sorted((path, digest_of(text)) for path, text in trial.before.items()))
    return VerifiedRepair(trial.repair, proof, digests)


def why_not(verdict: Verdict) -> str:
    """Why a verdict does not verify a repair, in a sentence."""
    if verdict.reason:
        return verdict.reason
    if not verdict.parses:
        return "the text does not parse"
    if verdict.added:
        return f"a new problem is reported: {verdict.added[0].message}"
    if not verdict.gone:
        return "the problem is still reported"
    return "a test fails"
