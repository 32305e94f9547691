"""What tasks are handed for models and agents, counted in tokens, and how much it may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gateline.store.worklogs import Worklogs
from gateline.worklog.task import EventKind, Task, Tier
from gateline.worklog.tokens import Handed, budget, warning, weighted_mean, within


class Handing:
    """Of the tasks of one workspace. Methods block, and raise StoreError.

    `batching`: agents ask for several things at once, so that less is enough.
    """

    def __init__(self, worklogs: Worklogs, *, batching: bool = True) -> None:
        self._worklogs = worklogs
        self._batching = batching

    def handed(self, task: Task) -> Mapping[str, int]:
        """How many tokens a task was handed, by operation."""
        counted: Counter[str] = Counter()
        for event in self._worklogs.events(task.id, EventKind.HANDED):
            counted[event.text("operation")] += event.number("tokens")
        return counted

    def within(self, task: Task, text: str) -> Handed:
        """As much of a text as a task may still be handed."""
        return within(text, task.tier, self._used(task), batching=self._batching)

    def warning(self, task: Task) -> str:
        """That the bound of a task comes near or was passed; empty while it is far."""
        return warning(task.tier, self._used(task), batching=self._batching)

    def bound(self, task: Task) -> int:
        """How many tokens a task may be handed."""
        return budget(task.tier, 0, batching=self._batching).bound

    def mean(self, tasks: Iterable[Task]) -> float:
        """How many tokens tasks are handed, over the default distribution of tiers."""
        used: dict[Tier, list[int]] = {tier: [] for tier in Tier}
        for task in tasks:
            used[task.tier].append(self._used(task))
        return weighted_mean({tier: sum(each) / len(each) for tier, each in used.items() if each})

    def _used(self, task: Task) -> int:
        return sum(self.handed(task).values())
