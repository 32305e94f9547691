"""The project's own lint command and its build: what a candidate fails that the base does not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.services.project_checks.checks import Outcome, Place
from gateline.session.compare.measured import Measured
from gateline.session.compare.running import Runs
from gateline.store.candidates.checkouts import Checkouts
from gateline.store.candidates.trees import Base

_FIRST = 1000
"""Places of their checkouts, beyond all others: what a build leaves behind is not there for the tests."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How both checks of one tree ended; `lint` is None where the project names no command."""

    build: Outcome
    lint: Outcome | None = None


@dataclass(frozen=True, slots=True)
class ProjectChecks:
    """Where and how the checks run."""

    places: Checkouts
    base: Base
    runs: Runs
    inside: Path
    """The workspace, from the top of the repository."""
    lint: tuple[str, ...]
    """The words of the command; empty: the project names none."""

    async def of(self, place: int, tree: str, changed: Sequence[str]) -> Checked:
        """Check a tree in a checkout of its own; `changed` are paths from the workspace."""
        made = await asyncio.to_thread(self.places.make, _FIRST + place, tree, self.base)
        try:
            enclosure = self.runs.closed(made)
            at = Place(made.files / self.inside, made.home, self.runs.python, enclosure)
            lint = await at.lint(self.lint, changed) if self.lint else None
            return Checked(await at.build(), lint)
        finally:
            await asyncio.to_thread(self.places.remove, made)


def with_checks(measured: Measured, found: Checked, base: Checked) -> Measured:
    """The same with what is worse than at the base."""
    measured = replace(measured, build=_worse(found.build, base.build))
    if found.lint is None or base.lint is None:
        return measured
    return replace(measured, lint=_worse(found.lint, base.lint))


def unmeasured(base: Checked, found: Mapping[str, Checked]) -> Iterator[str]:
    """What was not measured, and why: of the base for all, else of each candidate."""
    yield from _unmeasured("lint", base.lint, {name: one.lint for name, one in found.items()})
    yield from _unmeasured("build", base.build, {name: one.build for name, one in found.items()})


def all_ended(base: Checked, found: Mapping[str, Checked]) -> bool:
    """Whether each check that was begun did, of the base and of all candidates."""
    outcomes = (one for checked in (base, *found.values()) for one in (checked.build, checked.lint))
    return not any(one is not None and one.is_unfinished for one in outcomes)


def _unmeasured(check: str, base: Outcome | None, found: Mapping[str, Outcome | None]) -> Iterator[str]:
    if base is None:
        return
    if not base.passed:
        fails = "" if base.passed is None else "it fails at the base: "
        yield f"{check} was not measured: {fails}{base.reason}"
        return
    for name, one in sorted(found.items()):
        if one is not None and one.passed is None:
            yield f"{name}: {check} was not measured: {one.reason}"


def _worse(candidate: Outcome, base: Outcome) -> tuple[str, ...] | None:
    """Why a check fails that passes at the base; empty: it passes; None: nothing can be said."""
    if not base.passed or candidate.passed is None:
        return None
    return () if candidate.passed else (candidate.reason,)
