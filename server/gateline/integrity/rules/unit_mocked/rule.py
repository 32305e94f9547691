"""GTL606: what is tested is replaced, in any of its forms; each is told once."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.integrity.evidence import Evidence, Rule
from gateline.integrity.findings import once
from gateline.integrity.rules.unit_mocked import answers as answered
from gateline.integrity.rules.unit_mocked import overrides as overridden
from gateline.integrity.rules.unit_mocked import patches as mocked
from gateline.integrity.rules.unit_mocked import replacements as replaced
from gateline.model.finding import Finding

_FORMS: tuple[Rule, ...] = (mocked.find, answered.find, replaced.find, overridden.find)


def find(evidence: Evidence) -> Iterator[Finding]:
    """The stand-ins that are new for what tests are about."""
    yield from once(found for form in _FORMS for found in form(evidence))
