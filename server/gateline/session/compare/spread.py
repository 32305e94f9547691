"""A comparison whose trees are measured by others: any executor that carries values, as a cluster has.

Each candidate and the base is one unit, and all of them are asked at once. What comes back is put together as
if it had been measured here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from gateline.ranking.values import Isolation
from gateline.services.cluster import Cluster
from gateline.services.together import each
from gateline.session.compare.behaviour import Made
from gateline.session.compare.evidence import is_refused
from gateline.session.compare.measured import Measured
from gateline.session.compare.measuring import Pooled
from gateline.session.compare.project_checks import with_checks
from gateline.session.compare.stamp import Stamp, differences, stamp
from gateline.session.compare.unit import How, Outcome, Unit, UnitError, measure
from gateline.session.errors import UndecidedError, UsageError
from gateline.store.candidates.checkouts import Checkouts
from gateline.store.candidates.packs import packed
from gateline.store.candidates.trees import Base

_BASE = "the base"
_LEVELS = tuple(Isolation)


def refuse_others(cluster: Cluster, here: Stamp) -> None:
    """Raise UsageError where a worker would not measure what this machine does. Blocks."""
    for worker, there in sorted(cluster.everywhere(stamp, here.python).items()):
        if isinstance(there, ModuleNotFoundError):
            raise UsageError(
                f"worker {worker} has no gateline ({there}); install the same version, {here.gateline}, there"
            )
        if isinstance(there, Exception):
            raise UsageError(
                f"worker {worker} does not answer ({type(there).__name__}: {there}); see its log"
            )
        found = list(differences(here, there))
        if found:
            raise UsageError(f"worker {worker} {'; it '.join(found)}")


@dataclass(frozen=True, slots=True)
class Spread:
    """Where units are measured, and of what they are made."""

    executor: Executor
    how: How
    base: Base
    places: Checkouts
    tell: Callable[[str], None]

    async def measured(self, known: Sequence[Measured], level: Isolation) -> Pooled:
        """Measure candidates and the base; `level` is that of this machine.

        Raises UsageError where a worker cannot measure, and UndecidedError where the work is lost.
        """
        found = await each(
            (
                self._outcome(_BASE, self.base.tree, ()),
                *(self._outcome(one.given.name, one.given.tree, one.given.changed) for one in known),
            )
        )
        of_base, *outcomes = found
        pairs = list(zip(known, outcomes, strict=True))
        return Pooled(
            [self._made(place, one, outcome, of_base) for place, (one, outcome) in enumerate(pairs, 1)],
            of_base.suite,
            of_base.checked,
            {one.given.name: outcome.checked for one, outcome in pairs if outcome.checked is not None},
            max((level, *(one.level for one in found)), key=_LEVELS.index),
        )

    def _made(self, place: int, known: Measured, outcome: Outcome, base: Outcome) -> Made:
        """A candidate as it would have been measured here. It is not checked out."""
        looked = outcome.looked
        assert looked is not None
        measured = replace(
            looked, given=known.given, blobs=known.blobs, text=known.text, planned=known.planned
        )
        if outcome.checked is not None and base.checked is not None:
            measured = with_checks(measured, outcome.checked, base.checked)
        # A unit does not know what the base does: its tests ran also where its build fails.
        if not is_refused(measured):
            measured = replace(measured, suite=outcome.suite)
        checkout = self.places.at(place)
        return Made(measured, checkout, checkout.files / self.how.inside)

    async def _outcome(self, name: str, tree: str, changed: tuple[str, ...]) -> Outcome:
        pack = await asyncio.to_thread(packed, self.places.shadow, (self.base.tree, tree))
        work = self.executor.submit(measure, Unit(self.how, pack, self.base.tree, tree, changed))
        try:
            found = await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if work.cancelled() and task is not None and not task.cancelling():
                raise UndecidedError(
                    f"the connection to the scheduler was lost while {name} was measured; "
                    "see its log, and run it again"
                ) from None
            raise
        except UnitError as error:
            raise UsageError(f"a worker cannot measure {name}: it {error}") from error
        except Exception as error:  # other machines: whatever fails there
            raise UndecidedError(
                f"{name} could not be measured by a worker: {type(error).__name__}: {error}"
            ) from error
        self.tell(f"{name}: measured by a worker, isolation {found.level}")
        return found
