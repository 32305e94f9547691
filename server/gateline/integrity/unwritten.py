"""GTL614: what is offered and does nothing yet, in any of its forms; each is told once."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.integrity import commands_that_tell, made_empty, only_told, placeholder, unlooked
from gateline.integrity.evidence import Evidence, Rule
from gateline.integrity.finding import once
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
