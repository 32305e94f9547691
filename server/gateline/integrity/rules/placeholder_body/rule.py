"""GTL614 placeholder-body as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import first_at_each_place
from gateline.integrity.rule import Rule
from gateline.integrity.rules.placeholder_body import (
    CODE,
    bodies,
    emptied,
    ignored_arguments,
    messages_only,
    reporting_commands,
)

RULE = Rule(
    CODE,
    "placeholder-body",
    first_at_each_place(
        bodies.find, messages_only.find, emptied.find, ignored_arguments.find, reporting_commands.find
    ),
)
