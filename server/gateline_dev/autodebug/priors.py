"""How often each cost of `repairs/priors.toml` decides: proposals for the text cases, and those chosen.

A cost is a number that remembers its keys, so that what is added up of several tells which they were. Every
verification fails: a search goes on to its end, and what it tries first is what it would have chosen.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from operator import add, mul, sub
from pathlib import Path
from typing import Any, Self

from gateline.model import Repair
from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.priors import priors
from gateline.repairs.proof import Trial, Verdict
from gateline.repairs.result import Outcome

_TESTS = Path(__file__).parents[3] / "tests"
"""Where the text cases are, with the modules that read them."""
_LIMIT = ("-limit", "-per-cost")
"""How a key ends whose number is compared with a cost or divides a count, and is part of none."""


class Traced(float):
    """A number with the keys of the table that it was made of; those of an addend that is 0 are left out."""

    keys: frozenset[str]

    def __new__(cls, value: float, keys: frozenset[str]) -> Self:
        """A float cannot be given more after it was made."""
        made = super().__new__(cls, value)
        made.keys = keys if value else frozenset()
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return (Traced, (float(self), self.keys))

    def __neg__(self) -> Traced:
        return Traced(-float(self), self.keys)


def _operation(
    operate: Callable[[float, float], float], *, turned: bool
) -> Callable[[Traced, float], Traced]:
    def traced(self: Traced, other: float) -> Traced:
        mine, its = float(self), float(other)
        value = operate(its, mine) if turned else operate(mine, its)
        return Traced(value, self.keys | getattr(other, "keys", frozenset()))

    return traced


for _name, _operate in (("add", add), ("sub", sub), ("mul", mul)):
    setattr(Traced, f"__{_name}__", _operation(_operate, turned=False))
    setattr(Traced, f"__r{_name}__", _operation(_operate, turned=True))


@dataclass(frozen=True, slots=True)
class Counts:
    """Proposals by the keys of their costs."""

    offered: Counter[str] = field(default_factory=Counter)
    """That the house rules let through."""
    chosen: Counter[str] = field(default_factory=Counter)
    """That came first in their case."""


def counted() -> tuple[dict[str, float], Counts]:
    """The table, and what the text cases say of it; costs of this process are traced from then on."""
    costs = dict(priors())
    priors().update({key: Traced(cost, frozenset({key})) for key, cost in costs.items()})
    counts = Counts()
    for tried in _searches():
        for repair in tried:
            counts.offered.update(_keys(repair))
        counts.chosen.update(_keys(tried[0]) if tried else ())
    return costs, counts


def _keys(repair: Repair) -> frozenset[str]:
    return getattr(repair.cost, "keys", frozenset())


def _searches() -> Iterator[list[Repair]]:
    """What is verified for each text case, in that order."""
    sys.path.insert(0, str(_TESTS))
    reader: Any = import_module("support.text_cases")
    cases: Any = import_module("support.repair_cases")
    repairers = load().repairers
    for file in cases.FILES:
        case = reader.read(file.read_text(encoding="utf-8"))
        texts = {f.name: f.text for f in case.files if not f.name.startswith("after/")}
        clean, problem = cases.problem_of(texts)
        job = Job(cases.World(clean), repairers, lambda path: False, Budget(lambda: 0.0))
        attempts = drive(debug(problem, job), _refused).attempts
        yield [a.repair for a in attempts if a.outcome is Outcome.FAILED]


def _refused(trial: Trial) -> Verdict:
    return Verdict(parses=True, gone=False, reason="the error is still there")


def table() -> str:
    """The table as Markdown, with its counts, and below it the keys that decide nothing there."""
    costs, counts = counted()
    rows = [
        f"| {key} | {cost:g} | {counts.offered[key]} | {counts.chosen[key]} |" for key, cost in costs.items()
    ]
    idle = [key for key in costs if not counts.offered[key] and not key.endswith(_LIMIT)]
    never = [key for key in costs if counts.offered[key] and not counts.chosen[key]]
    return "\n".join(
        [
            "## Costs of proposals\n",
            "| key | cost | offered | chosen |\n|---|---:|---:|---:|",
            *rows,
            f"\n{len(costs)} keys. Never offered ({len(idle)}): {', '.join(idle) or 'none'}.",
            f"\nOffered and never chosen ({len(never)}): {', '.join(never) or 'none'}.",
        ]
    )
