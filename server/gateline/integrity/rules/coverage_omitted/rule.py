"""GTL633 coverage-omitted as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.enforcement import changed_calls
from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.coverage_omitted import CODE, settings

RULE = Rule(CODE, "coverage-omitted", together(settings.find, shared(changed_calls.find, CODE)))
