"""The new tests of each candidate, run on the others: where two pass each other's tests, they agree.

A candidate that fails another's test has no regression by that: the test may be what is wrong. Tests that the
base passes as well say nothing, and neither do those that cannot be collected beside another's code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from gateline.services.together import each
from gateline.session.compare.behaviour import Made
from gateline.session.compare.running import Runs
from gateline.store.candidates.checkouts import Checkouts
from gateline.store.candidates.trees import Base, Given, Trees
from gateline.testing.naming import is_tests
from gateline.testing.result import BAD, Ending

MOST = 8
"""So many candidates exchange tests: each runs those of all others."""
_FIRST = 100
"""Places of checkouts, beyond those of the candidates."""


@dataclass(frozen=True, slots=True)
class Handed:
    """The new tests of one candidate, on another one; those that the base passes are left out."""

    author: str
    candidate: str
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exchanging:
    """Where and how tests are exchanged."""

    trees: Trees
    base: Base
    places: Checkouts
    runs: Runs
    inside: Path
    """The workspace, from the top of the repository."""
    turns: asyncio.Semaphore
    tell: Callable[[str], None]
    _places: Iterator[int] = field(default_factory=lambda: count(_FIRST))

    async def exchanged(self, candidates: Sequence[Made], known: frozenset[str]) -> tuple[Handed, ...]:
        """What becomes of each one's new tests on the others; `known` are the tests that all have."""
        written = [(one, _own(one, known)) for one in sorted(candidates, key=_name)]
        asked = [self._of_author(one, own, candidates) for one, own in written if own]
        if not asked or len(candidates) < 2:
            for one in asked:
                one.close()
            return ()
        self.tell("tests of each candidate on the others")
        return tuple(handed for rows in await each(asked) for handed in rows)

    async def _of_author(self, author: Made, own: Sequence[str], candidates: Sequence[Made]) -> list[Handed]:
        given = author.measured.given
        at_base = await self._endings(given, own, self.base.tree)
        told = [test for test in own if at_base.get(test) is not Ending.PASSED]
        others = [one for one in sorted(candidates, key=_name) if one is not author]
        found = await each(self._on(given, told, one) for one in others if told)
        return [one for one in found if one.passed or one.failed]

    async def _on(self, author: Given, tests: Sequence[str], other: Made) -> Handed:
        endings = await self._endings(author, tests, other.measured.given.tree)
        passed = tuple(test for test in tests if endings.get(test) is Ending.PASSED)
        failed = tuple(test for test in tests if endings.get(test) in BAD)
        return Handed(author.name, _name(other), passed, failed)

    async def _endings(self, author: Given, tests: Sequence[str], tree: str) -> dict[str, Ending]:
        """How tests of an author end beside the code of another tree; nothing where it has them already."""
        paths = [path for path in author.changed if is_tests(path)]
        async with self.turns:
            mixed = await asyncio.to_thread(self.trees.with_files, tree, author.tree, paths)
            if mixed == tree:
                return {}
            # A checkout of its own: what the tests of one leave behind is not there for another.
            made = await asyncio.to_thread(self.places.make, next(self._places), mixed, self.base)
            try:
                return dict(await self.runs.some(made, made.files / self.inside, tests))
            finally:
                await asyncio.to_thread(self.places.remove, made)


def _name(one: Made) -> str:
    return one.measured.given.name


def _own(one: Made, known: frozenset[str]) -> list[str]:
    suite = one.measured.suite
    return sorted(suite.passing - known) if suite is not None else []
