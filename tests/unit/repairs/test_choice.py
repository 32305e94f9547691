"""Which repair is clearly the one."""

from __future__ import annotations

import pytest

from gateline.model import Diagnosis, Family, Origin, Problem, Proof, Repair, VerifiedRepair
from gateline.repairs.choice import chosen, is_clear, is_winner
from gateline.repairs.result import Attempt, DebugResult, Outcome


def result(
    origin: Origin, proof: Proof | None, cost: float, *others: float, guess: bool = False
) -> DebugResult:
    problem = Problem(origin, "attr-defined", "No x", "a.py")
    diagnosis = Diagnosis(problem, Family.NAME, "typo")
    first, *rest = (Repair(f"Write {c}", Family.NAME, "typo", (), c, is_guess=guess) for c in (cost, *others))
    attempts = tuple(Attempt(1, diagnosis, r, {}, Outcome.VERIFIED) for r in (first, *rest))
    alternatives = tuple(VerifiedRepair(r, Proof.V1, ()) for r in rest)
    return DebugResult(
        problem, success=proof is not None, proof=proof, attempts=attempts, alternatives=alternatives
    )


@pytest.mark.parametrize(
    ("found", "clear"),
    [
        (result(Origin.TYPES, Proof.V1, 0.2), True),
        (result(Origin.TYPES, Proof.V1, 0.2, 0.8), True),
        (result(Origin.TYPES, Proof.V1, 0.2, 0.4), False),
        (result(Origin.TYPES, Proof.V1, 2.4), False),
        (result(Origin.TYPES, Proof.V1, 0.2, guess=True), False),
        (result(Origin.TYPES, Proof.V2, 2.4), True),
        (result(Origin.TYPES, Proof.V2, 0.2, guess=True), True),
        (result(Origin.PARSER, Proof.V1, 4.0), True),
        (result(Origin.PARSER, Proof.V1, 4.0, 4.2), False),
        (result(Origin.TYPES, None, 0.2), False),
    ],
    ids=[
        "likely",
        "by far",
        "two",
        "unlikely",
        "a guess",
        "tested",
        "a tested guess",
        "syntax",
        "two of syntax",
        "none",
    ],
)
def test_a_clear_one(found: DebugResult, clear: bool) -> None:
    assert is_clear(found) is clear
    assert (chosen(found) is not None) is found.success


@pytest.mark.parametrize(
    ("found", "wins"),
    [
        (result(Origin.RUN, Proof.V3, 0.2, 0.4), True),
        (result(Origin.RUN, Proof.V3, 0.2, 0.2), False),
        (result(Origin.TYPES, Proof.V1, 0.2, 0.4), False),
        (result(Origin.TYPES, Proof.V1, 0.2, 0.8), True),
        (result(Origin.RUN, None, 0.2), False),
    ],
    ids=["borne out by tests", "two that are as likely", "two by types alone", "clear", "none"],
)
def test_what_may_be_written(found: DebugResult, wins: bool) -> None:
    assert is_winner(found) is wins
