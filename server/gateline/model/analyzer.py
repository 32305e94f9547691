"""An analyzer is a value: a name, a dimension, and one pure function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gateline.model.finding import Dimension
from gateline.model.generated import says_generated
from gateline.model.level import Level
from gateline.model.report import Report
from gateline.model.source import Source


@dataclass(frozen=True)
class Inspection:
    """What an analyzer is asked to look at."""

    source: Source
    changed: frozenset[int] | None = None
    """Zero-based lines that the base does not have; None when there is no base (all are new)."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The settings of this analyzer, from `[tool.gateline.<name>]`."""
    base: Source | None = None
    """The document in the base; None when it is new, or is itself that of the base."""
    is_added: bool = False
    """The change brings the whole document, so that every mark in it is new."""

    @property
    def is_generated(self) -> bool:
        """Whether a program wrote the document, by its head; of an old one, by that of the base as well."""
        sides = (self.source, self.base) if self.base else (self.source,)
        return all(says_generated(side.code) for side in sides)


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Looks at one document and reports. Must not raise, whatever the text is.

    The docstring of its module is the user's documentation.
    """

    name: str
    dimension: Dimension
    due: Level
    """The first checkpoint at which its findings count; they are shown as soon as they are known."""
    inspect: Callable[[Inspection], Report]
    changed_lines_only: bool = False
    """It looks at changed lines only, so the base needs no inspection: all that it finds is new."""
