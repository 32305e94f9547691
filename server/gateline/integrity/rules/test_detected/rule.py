"""GTL613 test-detected as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.test_detected import CODE, doubles, environment

RULE = Rule(CODE, "test-detected", together(environment.find, doubles.find))
