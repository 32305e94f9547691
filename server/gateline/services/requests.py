"""What the worker is asked. Frozen, and cheap to pickle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gateline.gates.case import Case
from gateline.model import Document, Finding, Report

Named = Mapping[str, Sequence[Report | str]]
"""Reports by path, some of them by their names."""


@dataclass(frozen=True, slots=True)
class Comments:
    """The other texts of the change that may hold `gateline: ignore` comments.

    A comment that the change adds lifts less, and one may have moved from file to file.
    """

    now: tuple[Document, ...] = ()
    base: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Filtered:
    """A report, and what the document's comments leave of its findings."""

    report: Report
    findings: tuple[Finding, ...] | None = None
    """None where that is not known: not asked, or the comments could not be read."""


@dataclass(frozen=True, slots=True)
class Inspect:
    """Run analyzers on one document; answered by one `Filtered` each, in the order asked."""

    document: Document
    analyzers: tuple[str, ...]
    base: Document | None = None
    """What its changed lines are told from; None when all lines are new."""
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    is_added: bool = False
    """The change brings the whole document, so that every mark in it is new."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Under which names the reports are kept, by analyzer."""
    comments: Comments | None = None
    """With them the reports are `Filtered` by the document's comments, too."""


@dataclass(frozen=True, slots=True)
class LookThrough:
    """Look for secrets in texts of any kind; answered by one report each, in the order asked."""

    rows: tuple[tuple[Document, Document | None, bool], ...]
    """Each with its base (None when all lines are new), and whether the change brings the whole of it."""
    analyzer: str
    options: Mapping[str, object] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """Under which names the reports are kept, by path."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judge a whole change; answered by its evaluation, or by what is `Missing` for it."""

    case: Case
    """Without its reports."""
    reports: Named = field(default_factory=dict)
    """Those of now by path: a name where the worker made it, else the report."""
    base_reports: Named = field(default_factory=dict)
    """The same of the base."""
    sent: Mapping[str, Report] = field(default_factory=dict)
    """Reports by name that the worker did not have."""
    without_integrity: str = ""
    """Why its rules are not asked, where they did not answer before."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The answer where reports are not there (any more): they are to be sent along."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Index:
    """Take texts (None: gone) into the index of clones; answered by their number."""

    texts: tuple[tuple[str, str | None], ...]
    min_tokens: int
    """Which index: there is one for each length of the shortest clone."""


@dataclass(frozen=True, slots=True)
class Clones:
    """Look for clones of the changed lines of one document; answered by a report."""

    document: Document
    base: Document | None
    min_tokens: int
    """The shortest run of tokens that is a clone."""


@dataclass(frozen=True, slots=True)
class Suppress:
    """What a document's `gateline: ignore` comments leave of findings; answered by that, group by group."""

    document: Document
    findings: tuple[tuple[Finding, ...], ...]
    comments: Comments
    base: Document | None = None
    """What the base has in its place; None when the change brings all of it."""


@dataclass(frozen=True, slots=True)
class Preload:
    """Import what analyzers need; answered by their number."""


@dataclass(frozen=True, slots=True)
class PreloadJudge:
    """Import what judges a change; answered by 0."""
