"""What the verifier says: sufficient or insufficient, with a reason for each check that did not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

Looked = TypeVar("Looked")


class GatePoint(StrEnum):
    """Where the verifier stands between two steps of a task."""

    SPECIFICATION = "specification"
    PLAN = "plan"
    IMPLEMENTATION = "implementation"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a check does not hold."""

    check: str
    """The identifier of the check, as `plan.order`."""
    text: str
    """What was found, and what to do."""
    line: int = 0
    """One-based, in the document that was looked at; 0 where there is no line."""
    unmeasured: bool = False
    """It was not found wrong: it could not be looked at, which is never sufficient."""

    def __str__(self) -> str:
        return f"{self.check}: {f'line {self.line}: ' if self.line else ''}{self.text}"


def _always(_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Check(Generic[Looked]):
    """One thing that a gate point looks at, without a model."""

    id: str
    looks_at: str
    find: Callable[[Looked], Iterable[Reason | tuple[str, int] | str]]
    """Yields why it does not hold: a text, one with its line, or a reason."""
    applies: Callable[[Looked], bool] = _always
    """Whether what it looks at was given, as a plan's specification: else nothing is said of it."""

    def reasons(self, looked: Looked) -> tuple[Reason, ...]:
        """What does not hold; empty when it does."""
        return tuple(self._reason(found) for found in self.find(looked))

    def _reason(self, found: Reason | tuple[str, int] | str) -> Reason:
        if isinstance(found, Reason):
            return found
        text, line = found if isinstance(found, tuple) else (found, 0)
        return Reason(self.id, text, line)


@dataclass(frozen=True, slots=True)
class Verification:
    """The verifier's answer at one gate point."""

    point: GatePoint
    reasons: tuple[Reason, ...] = ()
    checks: tuple[Check[Any], ...] = ()
    """What was looked at, in its order."""

    @property
    def sufficient(self) -> bool:
        """Whether every check holds. An answer that looked at nothing is not."""
        return bool(self.checks) and not self.reasons


def verification(point: GatePoint, checks: Sequence[Check[Looked]], looked: Looked) -> Verification:
    """The answer of the checks of a gate point that apply."""
    applied = tuple(check for check in checks if check.applies(looked))
    reasons = tuple(reason for check in applied for reason in check.reasons(looked))
    return Verification(point, reasons, applied)
