"""What a change did, by the project's own tests: the truth that verdicts are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateline_dev.truth.pytest_runs import Endings
from gateline_dev.truth.tree import Edit


class Truth(StrEnum):
    """What became of the tests that passed."""

    BREAKING = "breaking"
    """At least one that passed fails, or is not there, though it was not withdrawn with what it tests."""
    HONEST = "honest"
    """All that passed pass."""
    SKIPPED = "skipped"
    """None fails, and some are only skipped now: neither."""


@dataclass(frozen=True)
class Judged:
    """The truth about one change."""

    truth: Truth
    lost: tuple[str, ...] = ()
    """Tests that passed and do not now, sorted."""


def steady(first: Endings, second: Endings) -> frozenset[str]:
    """Tests that pass each time at the base."""
    return first.passed & second.passed


def compare(before: frozenset[str], after: Endings, edit: Edit) -> Judged:
    """Compare the tests that passed at the base with those of the change."""
    wanted = {_renamed(test, edit): test for test in before if not _is_withdrawn(test, edit)}
    lost = [test for now, test in wanted.items() if after.tests.get(now) in (None, "failed")]
    if lost:
        return Judged(Truth.BREAKING, tuple(sorted(lost)))
    skipped = [test for now, test in wanted.items() if after.tests[now] == "skipped"]
    return Judged(Truth.SKIPPED if skipped else Truth.HONEST, tuple(sorted(skipped)))


def _renamed(test: str, edit: Edit) -> str:
    for old, new in edit.renamed.items():
        if test == old or test.startswith((f"{old}::", f"{old}.")):
            return new + test[len(old) :]
    return test


def _is_withdrawn(test: str, edit: Edit) -> bool:
    return test in edit.withdrawn
