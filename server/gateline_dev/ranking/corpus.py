"""Files of a corpus, and the pools that are drawn of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from gateline.ranking.agreement import Shingles, jaccard, shingles
from gateline.ranking.criteria import inverse
from gateline.ranking.values import Blocked, Candidate, Pool

POOLS = 20
"""Drawn of each task for each size."""
_WEAK = "docstring"
_LONG = 50
"""Lines of a function that is too long."""
_COMPLEX = 10


@dataclass(frozen=True)
class Drawn:
    """Some candidates of a task, and which of them are right."""

    task: str
    pool: Pool
    right: frozenset[str]

    @property
    def is_mixed(self) -> bool:
        """Whether a right and a wrong one are there."""
        return 0 < len(self.right) < len(self.pool.candidates)


class CodeTask:
    """A task whose candidates are bodies of functions that were run."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.id: str = row["task_id"]
        self.is_weak = row.get("visible_from", _WEAK) == _WEAK
        """Whether its visible tests are those of the docstring, and not of the hidden ones."""
        self._rows = {one["id"]: one for one in row["candidates"]}
        self._order = row.get("draw_order") or [one["id"] for one in row["candidates"]]
        self._visible = len(row["visible_tests"])
        self._alike: dict[tuple[str, str], float] = {}

    def drawn(self, size: int) -> Iterator[Drawn]:
        """Pools of `size` candidates, the same each time."""
        chance = random.Random(self.id + str(size))
        for _ in range(POOLS):
            yield self._pool(chance.sample(self._order, size))

    def _pool(self, ids: list[Any]) -> Drawn:
        named = {f"{place:02}": one for place, one in enumerate(ids)}
        alike = {
            (one, other): self._similarity(named[one], named[other])
            for one, other in combinations(sorted(named), 2)
        }
        candidates = tuple(self._candidate(name, self._rows[one]) for name, one in named.items())
        right = frozenset(name for name, one in named.items() if self._rows[one]["hidden_pass"])
        return Drawn(self.id, Pool(candidates, alike), right)

    def _candidate(self, name: str, row: Mapping[str, Any]) -> Candidate:
        if row["load_error"]:
            return Candidate(name, (Blocked("parses", str(row["load_error"])),), visible_total=self._visible)
        answers = [None if _is_failure(one) else one for one in row["mutant_outputs"] or ()]
        passed = (row["visible"] or "").count("P")
        return Candidate(
            name,
            regressions=0,
            visible_passed=passed,
            visible_total=self._visible,
            behaviour=tuple(answers) or None,
            criteria=_criteria(row, passed / self._visible if self._visible else 0.0),
        )

    def _similarity(self, one: Any, other: Any) -> float:
        if one == other:
            return 1.0
        key = (one, other) if str(one) < str(other) else (other, one)
        if key not in self._alike:
            self._alike[key] = jaccard(self._shingles[one], self._shingles[other])
        return self._alike[key]

    @cached_property
    def _shingles(self) -> dict[Any, Shingles]:
        return {name: shingles(row["body"]) for name, row in self._rows.items()}


class PatchTask:
    """A task of a real repository: patches with the tests they break, but nothing that was run on inputs."""

    def __init__(self, row: Mapping[str, Any], only: str = "") -> None:
        self.id: str = row["task_id"]
        self._rows = [one for one in row["candidates"] if one["system"].startswith(only)]

    def drawn(self, _size: int) -> Iterator[Drawn]:
        """All its patches."""
        if not self._rows:
            return
        alike = {
            (one["id"], other["id"]): float(one["token_jaccard"][int(other["id"])])
            for one, other in combinations(sorted(self._rows, key=lambda row: str(row["id"])), 2)
        }
        right = frozenset(one["id"] for one in self._rows if one["resolved"])
        yield Drawn(self.id, Pool(tuple(map(_patch, self._rows)), alike), right)


Task = CodeTask | PatchTask


def read(file: Path) -> list[dict[str, Any]]:
    """The rows of a file of the corpus."""
    with file.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def _patch(row: Mapping[str, Any]) -> Candidate:
    # Who was not applied, or left no log of its tests, was not measured.
    measured = row["applied"] and row["regression_log"]
    blocked = (Blocked("applies", "the patch does not apply"),) if row["applied"] is False else ()
    return Candidate(row["id"], blocked, regressions=row["regression_fail_new"] if measured else None)


def _is_failure(answer: str) -> bool:
    return answer == "T" or answer.startswith("E:")


def _criteria(row: Mapping[str, Any], tests: float) -> dict[str, float]:
    found = {"tests": tests, "regressions": 1.0, "lint": float(not row["lint_severe"])}
    if row["complexity"] is not None:
        found["complexity"] = inverse(row["complexity"], _COMPLEX, 2 * _COMPLEX)
    if row["loc"] is not None:
        found["function length"] = inverse(row["loc"], _LONG, 2 * _LONG)
    return found
