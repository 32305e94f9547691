"""GTL621 suppression-added as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.rule import Rule
from gateline.integrity.rules.suppression_added import CODE, comments

RULE = Rule(CODE, "suppression-added", comments.find)
