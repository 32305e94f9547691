"""GTL614: what is offered and does nothing yet, in any of its forms; each is told once."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.integrity.evidence import Evidence, Rule
from gateline.integrity.findings import once
from gateline.integrity.rules.placeholder_body import bodies as placeholder
from gateline.integrity.rules.placeholder_body import emptied as made_empty
from gateline.integrity.rules.placeholder_body import ignored_arguments as unlooked
from gateline.integrity.rules.placeholder_body import messages_only as only_told
from gateline.integrity.rules.placeholder_body import reporting_commands as commands_that_tell
from gateline.model.finding import Finding

_FORMS: tuple[Rule, ...] = (
    placeholder.find,
    only_told.find,
    made_empty.find,
    unlooked.find,
    commands_that_tell.find,
)


def find(evidence: Evidence) -> Iterator[Finding]:
    """What is offered and does nothing yet."""
    yield from once(found for form in _FORMS for found in form(evidence))
