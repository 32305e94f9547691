"""Verdicts on repairs of a case: by its tests, by mypy, or by what its project declares."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from gateline.model import Origin, Problem, Proof, Span
from gateline.repairs.classify import chain
from gateline.repairs.dependencies import declared
from gateline.repairs.proof import Trial, Verdict, proof_of
from gateline.repairs.reported import SYNTAX, left_beside
from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.tested import Ran, Rewritten, of_parsed, of_run, of_tests, own_verdict
from gateline.services.repairs.far import parse_verdict, whole_verdict
from gateline_dev.autodebug.bench import Bench
from gateline_dev.autodebug.case import UNKNOWN, Case

_TEST = re.compile(r"(^|/)test_?[^/]*\.py$")
_CHECK = "AssertionError"
_FEW = 8
"""Tests whose earlier end is asked for alone."""


@dataclass
class Checks:
    """How a case is looked at. `problem` finds its error; `verdict` is asked of each repair."""

    bench: Bench
    is_quick: bool = False
    """Errors of syntax are verified without tests."""
    laid: Mapping[str, str] = field(default_factory=dict)
    """What earlier iterations repaired."""
    is_ordered: bool = False
    """A test that is run first fails with another error: what it needs is made by those before it."""
    first: float = 0.0
    """When the first repair was verified, by the clock; 0 before."""

    @property
    def case(self) -> Case:
        """What is looked at."""
        return self.bench.case

    @cached_property
    def problem(self) -> Problem | None:
        """The error to repair; None when there is nothing to see."""
        failure = failure_of(self.case.texts[self.case.target])
        if failure is not None:
            span = Span.of(failure.line, 0, failure.line + 1, 0)
            return Problem(Origin.PARSER, SYNTAX, failure.message, self.case.target, span)
        if self.case.type_arguments:
            told = self.case.told["error"]
            return next(
                (p for p in self._types if p.line + 1 == told["line"] and p.message in told["message"]), None
            )
        return self._raised or self.case.reported()

    @cached_property
    def _raised(self) -> Problem | None:
        """The first error of the tests that is of the type told, or at least says more than a check."""
        if not self.case.test_arguments:
            return None
        found = self.bench.run({}, self.case.test_arguments, first=self.case.failing, short=True).problems
        if found and self._fits(found[0]):
            return found[0]
        others = self._before.problems
        likely = [p for p in others if self._fits(p)] or [p for p in others if p.type != _CHECK]
        chosen = next(iter([*likely, *found]), None)
        self.is_ordered = bool(found and chosen) and _is_another(found[0], chosen)
        return chosen

    def _fits(self, problem: Problem) -> bool:
        """Whether an error, or what led to it, is of the type told; of some nothing but the type is known."""
        kind = self.case.told["error"]["type"]
        if not problem.frames:
            return False
        return problem.type != _CHECK if kind == UNKNOWN else kind in {link.type for link in chain(problem)}

    @cached_property
    def _before(self) -> Ran:
        return self.bench.run({}, self._tests)

    @cached_property
    def _types(self) -> tuple[Problem, ...]:
        return self.bench.check({})

    @cached_property
    def _tests(self) -> list[str]:
        """What pytest is given to run every test of the case."""
        if self.case.test_arguments:
            return list(self.case.test_arguments)
        return [path for path in self.case.texts if _TEST.search(path)]

    def verdict(self, trial: Trial) -> Verdict:
        """What becomes of the case with a repair."""
        texts = {**self.laid, **trial.texts}
        if parse_verdict(trial) is not None:
            return Verdict(parses=False, gone=False)
        verdict = self._kind(trial.problem)(trial, texts)
        if proof_of(verdict) is not None and whole_verdict(trial) is not None:
            return Verdict(parses=False, gone=False)
        if not self.first and proof_of(verdict) is not None:
            self.first = time.perf_counter()
        return verdict

    def holds(self, texts: Mapping[str, str]) -> bool:
        """Whether all tests pass with these texts."""
        return proof_of(of_parsed(self.bench.run(texts, self.case.test_arguments))) is Proof.V3

    def _kind(self, problem: Problem) -> Callable[[Trial, Mapping[str, str]], Verdict]:
        if problem.origin is Origin.PARSER:
            return self._parsed
        return self._typed if self.case.type_arguments else self._run

    def _parsed(self, trial: Trial, texts: Mapping[str, str]) -> Verdict:
        if self.is_quick or not self.case.test_arguments:
            return Verdict(parses=True, gone=True)
        return of_parsed(self.bench.run(texts, self.case.test_arguments))

    def _typed(self, trial: Trial, texts: Mapping[str, str]) -> Verdict:
        reported = self.bench.check(texts)
        now, then = (Counter(p.message for p in rows) for rows in (reported, self._types))
        added = now - then
        if added or not now[trial.problem.message] < then[trial.problem.message]:
            return Verdict(parses=True, gone=False, reason=f"mypy reports {next(iter(added or now))}")
        if not self._tests:
            return Verdict(parses=True, gone=True)
        after = self.bench.run(texts, self._tests)
        verdict = of_tests(self._earlier(after), after, trial.problem.path)
        return replace(verdict, failing=verdict.failing + left_beside(trial.problem, reported))

    def _run(self, trial: Trial, texts: Mapping[str, str]) -> Verdict:
        if not any(path.endswith(".py") for path in trial.texts):
            more = all(
                len(declared(path, text)) == len(declared(path, trial.before[path])) + 1
                for path, text in trial.texts.items()
            )
            return Verdict(parses=more, gone=more)
        assert self.problem is not None
        own = [test for test in trial.problem.tests if not test.endswith(".py") and not self.is_ordered]
        after = self.bench.run(texts, self.case.test_arguments, first=own)
        changed = Rewritten(trial.before, trial.texts)
        verdict = own_verdict(trial.problem, after, changed)
        if verdict is not None:
            return verdict
        return of_run(self.problem, trial.problem, self._earlier(after), after, changed)

    def _earlier(self, after: Ran) -> Ran:
        """How tests ended before the repair, as far as a verdict asks for it.

        Where all pass, none was broken, whatever they were before: that would only make more of the proof.
        Where some fail, it is mostly soon seen that they passed before.
        """
        if not after.failed and not after.is_late:
            return Ran()
        few = sorted(test for test in after.failed if not test.endswith(".py"))[:_FEW]
        if "_before" not in vars(self) and few and not after.is_late:
            seen = self.bench.run({}, self._tests, only=few)
            if seen.passed.issuperset(few):
                return seen
        return self._before


def _is_another(one: Problem, chosen: Problem | None) -> bool:
    """Whether the same test failed in another way."""
    if chosen is None or one.tests != chosen.tests:
        return False
    return (one.type, one.path, one.line) != (chosen.type, chosen.path, chosen.line)
