"""GTL606: what is tested is replaced, in any of its forms; each is told once."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.integrity import answered, mocked, overridden, replaced
from gateline.integrity.evidence import Evidence, Rule
from gateline.integrity.finding import once
from gateline.model.finding import Finding

_FORMS: tuple[Rule, ...] = (mocked.find, answered.find, replaced.find, overridden.find)


def find(evidence: Evidence) -> Iterator[Finding]:
    """The stand-ins that are new for what tests are about."""
    yield from once(found for form in _FORMS for found in form(evidence))
