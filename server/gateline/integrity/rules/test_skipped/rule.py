"""GTL602 test-skipped as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.test_skipped import CODE, guards, skips
from gateline.integrity.tests import doctests

RULE = Rule(CODE, "test-skipped", together(skips.find, guards.find, shared(doctests.find, CODE)))
