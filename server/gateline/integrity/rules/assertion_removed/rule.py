"""GTL603 assertion-removed as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.assertion_removed import CODE, elsewhere
from gateline.integrity.strength import lost_checks

RULE = Rule(CODE, "assertion-removed", together(elsewhere.find, shared(lost_checks.find, CODE)))
