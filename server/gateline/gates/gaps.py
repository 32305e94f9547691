"""What was not measured though it was due, and what that means for a final decision.

Errors, security and integrity are required: without them, nothing is decided. That tests do not run is a
person's to choose, and then a condition. So is whatever else was not measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateline.gates.sources import TESTS, UNKNOWN, told, unanswered
from gateline.model.evaluation import Action, Part, Score, SourceState, TestRun
from gateline.model.finding import Dimension
from gateline.model.measure import State

_REQUIRED = (Dimension.ERRORS, Dimension.SECURITY, Dimension.INTEGRITY)
_WANTED = (Dimension.COVERAGE, Dimension.COMPLEXITY, Dimension.DOCUMENTATION, Dimension.DUPLICATION)
_DOCTOR = "run `gateline doctor`: it lists the tools and interpreters, and their problems"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that was not measured."""

    said: str
    """What, and why: `tests did not run (no pytest in .venv/bin/python)`."""
    next_step: str = ""
    """What would have it measured; empty where nobody knows."""
    required: bool = True
    """Whether nothing is decided without it; else it is a condition."""

    @property
    def reason(self) -> str:
        """Both, as a reason of a decision."""
        return "; ".join(filter(None, (self.said, self.next_step)))

    @property
    def action(self) -> Action:
        """What to do next."""
        step = self.next_step
        return Action(f"{self.said}: {step}" if step else f"measure it: {self.said}", 0.0, must=True)


def gaps(score: Score, tests: TestRun | None) -> tuple[Gap, ...]:
    """Everything that was not measured, the required ones first."""
    found = [gap for part in score.parts for gap in _of(part, tests)]
    return tuple(sorted(found, key=lambda gap: not gap.required))


def next_steps(found: Iterable[Gap]) -> tuple[Action, ...]:
    """What to do about them; what one step brings is said once."""
    by_step = {gap.next_step or gap.said: gap for gap in reversed(tuple(found))}
    return tuple(gap.action for gap in by_step.values())


def stated(part: Part) -> str:
    """A part's state in words: `coverage: no data (not yet measured)`."""
    return f"{part.dimension}: {part.state}" + (f" ({part.reason})" if part.reason else "")


def stated_gaps(score: Score) -> Iterator[str]:
    """In words what is missing: dimensions without a number, and of others the sources without an answer."""
    for part in score.parts:
        if part.state in UNKNOWN:
            yield stated(part)
        elif part.reason and unanswered(part.sources):
            yield part.reason
        else:
            yield from map(told, unanswered(part.sources))


def _of(part: Part, tests: TestRun | None) -> Iterator[Gap]:
    silent = unanswered(part.sources)
    if silent and part.state is State.MEASURED and part.dimension in _WANTED:
        yield Gap(part.reason, required=False)
    elif silent and part.dimension not in _WANTED:
        yield from (_source(source, tests) for source in silent)
    elif part.state in UNKNOWN and part.dimension in _REQUIRED:
        yield Gap(stated(part), _DOCTOR)
    elif part.state in UNKNOWN and part.dimension in _WANTED and not _is_of_no_tests(part, tests):
        yield Gap(stated(part), _coverage_step(part, tests), required=False)
    elif part.dimension is Dimension.PERFORMANCE and part.state is State.FAILED:
        yield Gap(stated(part), required=False)


def _is_of_no_tests(part: Part, tests: TestRun | None) -> bool:
    """Whether coverage is missing because the project has no tests: the evidence says so."""
    nothing = tests is not None and tests.state is State.NOTHING_TO_JUDGE
    return nothing and part.dimension is Dimension.COVERAGE and part.state is State.NO_DATA


def _source(source: SourceState, tests: TestRun | None) -> Gap:
    if source.name != TESTS:
        return Gap(told(source), _DOCTOR)
    if tests is None:
        return Gap(told(source))
    return Gap(told(source), tests.next_step, required=not tests.chosen)


def _coverage_step(part: Part, tests: TestRun | None) -> str:
    """Coverage comes with the tests: whatever has them run has it measured."""
    return tests.next_step if tests is not None and part.dimension is Dimension.COVERAGE else ""
