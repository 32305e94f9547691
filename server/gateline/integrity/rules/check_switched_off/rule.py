"""GTL632 check-switched-off as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.enforcement import changed_calls
from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.check_switched_off import CODE, hooks, settings, warnings

RULE = Rule(
    CODE,
    "check-switched-off",
    together(settings.find, warnings.find, hooks.find, shared(changed_calls.find, CODE)),
)
