"""One tree of a comparison, measured by itself: a value that is made into another value, anywhere.

The unit is one candidate (or the base) with its blocking checks, what is said of it without running it, and
its suite. What needs several candidates, agreement of behaviour and exchanged tests, is not in it. A unit
knows nothing of others, so that it may be measured twice, later, or on another machine, and answers the same:
no test that fails elsewhere ends its run.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from gateline.ranking.values import Isolation
from gateline.services.isolation.enclosure import Enclosure, strongest, works
from gateline.services.tests.options import Limits
from gateline.session.compare.evidence import is_refused
from gateline.session.compare.linting import beside
from gateline.session.compare.looking import Looking
from gateline.session.compare.measured import Measured, Suite
from gateline.session.compare.project_checks import Checked, ProjectChecks
from gateline.session.compare.running import Runs
from gateline.session.compare.stamp import Stamp, differences, stamp
from gateline.settings.layer import PREFIX
from gateline.store.candidates.checkouts import Checkouts
from gateline.store.candidates.packs import Pack, unpacked
from gateline.store.candidates.trees import Base, Given

_PRIVATE = (f"{PREFIX}MODELS__",)
"""Variables that stay here: they may hold a key."""


class UnitError(Exception):
    """A unit cannot be measured here; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class How:
    """How all trees of a comparison are measured."""

    stamp: Stamp
    """Of whoever asks; who measures must have the same."""
    inside: str
    """The workspace, from the top of the repository."""
    instead_of: str
    """The folder of the person's project."""
    arguments: tuple[str, ...] = ()
    """For pytest."""
    limits: Limits = field(default_factory=Limits)
    isolation: Isolation | None = None
    """The level that a person asked for; None: the strongest that works where it is measured."""
    lint: tuple[str, ...] = ()
    """The project's own command."""
    asks_ruff: bool = False
    tests: bool = True
    """Whether anything of it is run."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Settings from the environment of whoever asks."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is to be measured."""

    how: How
    pack: Pack
    """Has both trees."""
    base: str
    tree: str
    """That of a candidate; the same as `base`: the base itself, of which only checks and tests are run."""
    changed: tuple[str, ...] = ()
    """Paths that differ from the base, from the top."""

    @property
    def key(self) -> str:
        """Names its content: what has the same key has the same answer."""
        parts = (self.how, self.pack.kind, self.base, self.tree, self.changed)
        return blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()

    def __dask_tokenize__(self) -> str:
        """What Dask names the work by."""
        return self.key


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found out about one tree."""

    level: Isolation
    """That was reached."""
    looked: Measured | None = None
    """What is said of it without running it; None for the base."""
    checked: Checked | None = None
    suite: Suite | None = None


def settings_of(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that are settings, and no secrets."""
    return {
        name: value
        for name, value in sorted(environ.items())
        if name.startswith(PREFIX) and not name.startswith(_PRIVATE)
    }


def measure(unit: Unit) -> Outcome:
    """Measure one tree in a place of its own, of which nothing is left. Blocks.

    Raises:
        UnitError: gateline, the interpreter or the isolation here are other than asked for.
        CandidateError: the pack does not hold what it says, or no place is free.

    """
    level = _refused(unit.how)
    with unpacked(unit.pack, unit.base) as (places, base):
        return asyncio.run(_Bench(unit, places, base, level).outcome())


def _refused(how: How) -> Isolation:
    """The level to measure at. Raises UnitError."""
    found = list(differences(how.stamp, stamp(how.stamp.python)))
    if found:
        raise UnitError("; ".join(found))
    if how.isolation is not None and not works(how.isolation):
        raise UnitError(
            f"the isolation {how.isolation} is not available there; omit "
            "`--isolation` to use what is available on each worker"
        )
    return how.isolation or strongest()


class _Bench:
    """One unit, where it is measured."""

    def __init__(self, unit: Unit, places: Checkouts, base: Base, level: Isolation) -> None:
        how = unit.how
        python, inside = how.stamp.python, Path(how.inside)
        runs = Runs(python, how.arguments, how.limits, Enclosure(level), how.instead_of)
        own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        ruff = beside(python) if how.asks_ruff else ""
        self._unit = unit
        self._places = places
        self._base = base
        self._level = level
        self._runs = runs
        self._checks = ProjectChecks(places, base, runs, inside, how.lint)
        self._looking = Looking(base.commit, inside, python, ruff, {**own, **how.variables})

    async def outcome(self) -> Outcome:
        """What is found out, as far as no check refuses it before."""
        unit = self._unit
        made = await asyncio.to_thread(self._places.make, 1, unit.tree, self._base)
        looked = None
        if unit.tree != unit.base:
            base = await asyncio.to_thread(self._places.make, 0, unit.base, self._base)
            # Names mean nothing here: the answer is by content.
            known = Measured(Given("", "", unit.tree, unit.changed))
            looked = await self._looking.at(known, made, base)
        if not unit.how.tests or (looked is not None and is_refused(looked)):
            return Outcome(self._level, looked)
        paths = [self._looking.from_root(path) for path in unit.changed]
        checked = await self._checks.of(1, unit.tree, paths)
        suite = await self._runs.suite(made, made.files / unit.how.inside)
        return Outcome(self._level, looked, checked, suite)
