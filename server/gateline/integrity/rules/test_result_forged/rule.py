"""GTL607 test-result-forged as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.rule import Rule
from gateline.integrity.rules.test_result_forged import CODE, forgeries

RULE = Rule(CODE, "test-result-forged", forgeries.find)
