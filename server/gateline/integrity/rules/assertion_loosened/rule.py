"""GTL604 assertion-loosened as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.assertion_loosened import CODE, equality, predicates, strategies
from gateline.integrity.strength import lost_checks
from gateline.integrity.tests import doctests

RULE = Rule(
    CODE,
    "assertion-loosened",
    together(
        predicates.find,
        equality.find,
        strategies.find,
        shared(lost_checks.find, CODE),
        shared(doctests.find, CODE),
    ),
)
