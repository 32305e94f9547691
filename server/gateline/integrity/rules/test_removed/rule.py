"""GTL601 test-removed as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.test_removed import CODE, cases, golden_cases, tests, uncollected
from gateline.integrity.tests import data_rows

RULE = Rule(
    CODE,
    "test-removed",
    together(tests.find, uncollected.find, cases.find, golden_cases.find, shared(data_rows.find, CODE)),
)
