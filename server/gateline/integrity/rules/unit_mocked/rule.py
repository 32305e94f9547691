"""GTL606 unit-mocked as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import first_at_each_place
from gateline.integrity.rule import Rule
from gateline.integrity.rules.unit_mocked import CODE, answers, overrides, patches, replacements

RULE = Rule(
    CODE, "unit-mocked", first_at_each_place(patches.find, answers.find, replacements.find, overrides.find)
)
