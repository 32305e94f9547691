"""Rules are put together from finders, each of which looks for one thing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import once
from gateline.integrity.rule import Finder
from gateline.model.finding import Finding


def together(*finders: Finder) -> Finder:
    """All findings of several finders, in their order."""
    return lambda evidence: chain.from_iterable(find(evidence) for find in finders)


def first_at_each_place(*finders: Finder) -> Finder:
    """The findings of several finders, of which a place has one: the first finder's."""
    return lambda evidence: once(together(*finders)(evidence))


def shared(finder: Finder, code: str) -> Finder:
    """The findings of one code, of a finder that looks for several codes and runs once a change."""

    def find(evidence: Evidence) -> Iterator[Finding]:
        return (finding for finding in evidence.findings_of(finder) if finding.code == code)

    return find
