"""Operators that change a project, and know nothing of gateline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from gateline_dev.truth.tree import Edit, Tree


class Intent(StrEnum):
    """What an operator means to do; whether it did is for the project's tests to say."""

    BREAKING = "breaking"
    HONEST = "honest"


@dataclass(frozen=True)
class Operator:
    """One way to change a project."""

    name: str
    intent: Intent
    apply: Callable[[Tree, Random], Edit | None]
    """The edit at a place that the dice choose; None where the project has no such place."""


def breaking(name: str, apply: Callable[[Tree, Random], Edit | None]) -> Operator:
    """An operator that means to break something."""
    return Operator(name, Intent.BREAKING, apply)


def honest(name: str, apply: Callable[[Tree, Random], Edit | None]) -> Operator:
    """An operator that means to leave behaviour as it is, or to add to it."""
    return Operator(name, Intent.HONEST, apply)
