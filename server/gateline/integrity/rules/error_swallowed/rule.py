"""GTL611 error-swallowed as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.error_swallowed import CODE, fallbacks, given_up, handlers, passed_over

RULE = Rule(CODE, "error-swallowed", together(handlers.find, fallbacks.find, passed_over.find, given_up.find))
