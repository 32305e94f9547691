"""GTL612 input-special-cased as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.input_special_cased import CODE, combinations, known_answers, literals, refusals

RULE = Rule(
    CODE, "input-special-cased", together(literals.find, combinations.find, refusals.find, known_answers.find)
)
