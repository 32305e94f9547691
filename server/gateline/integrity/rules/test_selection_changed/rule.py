"""GTL608 test-selection-changed as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.enforcement import changed_calls
from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.test_selection_changed import CODE, settings

RULE = Rule(CODE, "test-selection-changed", together(settings.find, shared(changed_calls.find, CODE)))
