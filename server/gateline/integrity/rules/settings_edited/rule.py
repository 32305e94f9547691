"""GTL635 settings-edited as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.rule import Rule
from gateline.integrity.rules.settings_edited import CODE, settings

RULE = Rule(CODE, "settings-edited", settings.find)
