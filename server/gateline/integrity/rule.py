"""A rule of integrity as a value. Imports nothing of what looks: plug-ins are collected in every process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateline.model.finding import Finding

if TYPE_CHECKING:
    from gateline.integrity.evidence import Evidence

Finder = Callable[["Evidence"], Iterable[Finding]]
"""Looks at a whole change for one way to game its gate."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What finds one code. Plug-ins declare one as `RULE`, as the packages of `integrity.rules` do."""

    code: str
    name: str
    """The code's name, as its page has it: `test-removed`."""
    find: Finder


def _unrepaired(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules there are, and why others are missing."""

    rules: tuple[Rule, ...]
    missing: tuple[str, ...] = ()
    """One reason for each rule that could not be loaded."""
    without: frozenset[str] = frozenset()
    """Names of explanations that are not asked."""
    repaired: Callable[[str], str | None] = _unrepaired
    """The likeliest text that parses near one that does not; None where none is known."""
