"""Whether a repair holds: asked of the type checker and the analyzers, about texts nobody has applied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType

from gateline.model import Dimension, Document, Finding, Origin, Problem, Report, State
from gateline.repairs.proof import Suite, Verdict, proof_of
from gateline.repairs.reported import left_beside, problem_of
from gateline.repairs.tested import Ran, Rewritten, led_on, of_parsed, of_run, of_tests, own_verdict, sampled
from gateline.services.repairs.messages import Asked
from gateline.session.judge.engine import Engine
from gateline.session.repairs.tests import RepairTests, own_ids
from gateline.session.types.services import Reports
from gateline.session.types.types import Types
from gateline.session.workspace.reading import is_python

_QUOTED = re.compile(r'"([^"]*)"')
_WORD = re.compile(r"[^\W\d]\w*")
_PLACE = re.compile(r"\bline \d+")
_DANGERS = frozenset({Dimension.ERRORS, Dimension.SECURITY, Dimension.INTEGRITY})
"""A repair may add a branch, or leave a function without documentation, but no error and no danger."""
_NOT_REPORTED = "the problem is not reported for the current text"

_SAMPLE = 6
"""Where there may be several faults, so many tests of one error speak for it before all tests run."""
_V1 = Verdict(parses=True, gone=True)

_Print = tuple[str, str, str]


@dataclass(frozen=True)
class TestsOf:
    """Tests that are run for the repair of a problem in some texts."""

    __test__ = False

    service: RepairTests
    problem: Problem
    texts: Mapping[str, str]
    """What lies over the disk without the repair."""

    def over(self, texts: Mapping[str, str]) -> dict[str, str]:
        """All texts over the disk with repaired ones."""
        return {**self.texts, **texts}


@dataclass(frozen=True)
class Verification:
    """Asks about texts of one workspace; nothing of it is remembered there."""

    types: Types
    engine: Engine
    onward: bool = False
    """There may be several faults: a repair of one is verified where others are left."""

    async def verdict(
        self,
        asked: Asked,
        before: Mapping[str, str],
        tests: TestsOf | None = None,
        laid: Mapping[str, str] = MappingProxyType({}),
    ) -> Verdict:
        """What is found with repaired texts, which parse, and was not with those `before`.

        With `tests`, they are run as well: those of an error that was raised say whether it is gone. `laid`
        are texts over those that the type checker has.
        """
        is_raised = tests is not None and asked.problem.origin is Origin.RUN
        changed = Rewritten(before, asked.texts)
        own = await self._of_run(asked, changed, tests) if tests is not None and is_raised else None
        if own is not None and proof_of(own) is None:
            return own
        found = await self._reported(asked, before, laid, is_raised=own is not None)
        if own is not None:
            return replace(own, added=found.added)
        if tests is None or proof_of(found) is None:
            return found
        tested = await self.of_tests(asked, tests)
        return replace(tested, failing=tested.failing + found.failing)

    async def _reported(
        self, asked: Asked, before: Mapping[str, str], laid: Mapping[str, str], *, is_raised: bool
    ) -> Verdict:
        """What the type checker and the analyzers say; of an error that a test saw, only what is new."""
        if not any(map(is_python, asked.texts)):
            return _of_declaration(asked, before)
        then, now = await self.types.peek(before, asked.texts, laid)
        if (reason := _failure(asked, now)) is not None:
            return Verdict(parses=True, gone=False, reason=f"types could not be checked: {reason}")
        if asked.problem.origin is Origin.PARSER:
            verdict = _of_parser(asked, now, before)
        elif is_raised:
            verdict = replace(_of_types(asked.problem, then, now), gone=True, reason="")
        else:
            verdict = _of_types(asked.problem, then, now)
        if not verdict.gone or verdict.added:
            return verdict
        return replace(verdict, added=_problems(await self._dangers(asked, before)), reason="")

    async def _of_run(self, asked: Asked, changed: Rewritten, tests: TestsOf) -> Verdict | None:
        """What the tests say of an error that one of them raised: first those that raised it.

        None where there are no tests: then the type checker is asked.
        """
        texts = tests.over(asked.texts)
        problem = sampled(asked.problem, _SAMPLE) if self.onward else asked.problem
        own = await tests.service.of_problem(problem, texts)
        verdict = own_verdict(problem, own, changed)
        if self.onward and verdict is not None and verdict.gone and len(problem.tests) > 1:
            # It led on with the first that fails: do others pass?
            own = await tests.service.of_problem(problem, texts, to_the_end=True)
        if verdict is not None and not (self.onward and own.passed.intersection(problem.tests)):
            return verdict
        ids = await tests.service.affected(texts, asked.touched)
        if ids is None and self.onward and not own_ids(asked.problem):
            after = own  # all of them ran already
        else:
            after, _ = await tests.service.after(ids, texts, asked.touched)
        if after.is_late:
            after = replace(after, passed=after.passed | own.passed)
        elif after == own == Ran():
            return None
        is_asked = after.failed or after.is_late
        before = await tests.service.before(ids, tests.texts) if is_asked else Ran()
        found = of_run(tests.problem, asked.problem, before, after, changed)
        return led_on(asked.problem, before, after, found) if self.onward else found

    async def of_tests(self, asked: Asked, tests: TestsOf) -> Verdict:
        """What the tests add to what is not reported any more. Those that cannot be run add nothing."""
        ids = await tests.service.affected(tests.over(asked.texts), asked.touched)
        after, reaches = await tests.service.after(ids, tests.over(asked.texts), asked.touched)
        if asked.problem.origin is Origin.PARSER:
            verdict = _V1 if after.is_late else of_parsed(after)
        else:
            before = await tests.service.before(ids, tests.texts)
            verdict = of_tests(before, after, asked.problem.path)
        is_silent = verdict.tests is Suite.PASSED and not (reaches or verdict.mended)
        return replace(verdict, tests=Suite.NOT_RUN) if is_silent else verdict

    async def _dangers(self, asked: Asked, before: Mapping[str, str]) -> list[Finding]:
        """What the analyzers report on the lines that a repair touched, and did not before."""
        found: list[Finding] = []
        for path in filter(is_python, asked.texts):
            known = Counter[_Print]()
            if path in before:
                known = _count(_dangerous(await self.engine.inspect(Document(path, before[path]), None)))
            reports = await self.engine.inspect(Document(path, asked.texts[path]), None)
            on_lines = [f for f in _dangerous(reports) if f.span.start.line in asked.touched[path]]
            found += [finding for finding in on_lines if not known[_print(finding)]]
        return found


def _of_parser(asked: Asked, now: Reports, before: Mapping[str, str]) -> Verdict:
    """Of a text that did not parse nothing was known: only the lines that a repair made count against it.

    What is missed of a name that stood there before was missing before.
    """
    from gateline.repairs.syntax.looks import names_in

    found = [f for path, report in now.items() for f in report.findings if path in asked.touched]
    added = [f for f in found if f.span.start.line in asked.touched[f.path]]
    written = {path: names_in(text) for path, text in before.items()}
    return Verdict(
        parses=True,
        gone=True,
        added=_problems(f for f in added if not _is_old(f, written.get(f.path, _NONE))),
    )


_NONE: frozenset[str] = frozenset()
_MISSED = frozenset({"name-defined", "attr-defined", "import-not-found", "import-untyped"})


def _is_old(finding: Finding, written: AbstractSet[str]) -> bool:
    """Whether a finding is about names alone that were written before the repair."""
    named = {word for text in _QUOTED.findall(finding.message) for word in _WORD.findall(text)}
    return problem_of(finding).type in _MISSED and bool(named) and named <= written


def _of_declaration(asked: Asked, before: Mapping[str, str]) -> Verdict:
    """A dependency that is declared is not installed yet: the project says what it needs, and that is all."""
    # Late, as below: the server keeps what it imports, and few people ask for this.
    from gateline.repairs.dependencies import declared

    rows = ((declared(p, before.get(p, "")), declared(p, text)) for p, text in asked.texts.items())
    holds = all(then < now and len(now) == len(then) + 1 for then, now in rows)
    reason = "" if holds else "the repair must add exactly one dependency"
    return Verdict(parses=True, gone=holds, reason=reason)


def _of_types(problem: Problem, then: Reports, now: Reports) -> Verdict:
    """By number of equal messages: where one stands moves with every repair."""
    before, after = (_count(f for r in reports.values() for f in r.findings) for reports in (then, now))
    found = {_print(f): f for report in now.values() for f in report.findings}
    added = [found[one] for one in after - before]
    wanted = [_print(f) for r in then.values() for f in r.findings if _is_of(f, problem)]
    gone = any(after[one] < before[one] for one in wanted)
    left = left_beside(problem, (problem_of(f) for r in now.values() for f in r.findings))
    reason = "" if wanted or added else _NOT_REPORTED
    return Verdict(parses=True, gone=gone, added=_problems(added), failing=left, reason=reason)


def _is_of(finding: Finding, problem: Problem) -> bool:
    """Whether a finding is the problem; of an exception, whether it speaks of the line that raised it."""
    if finding.path != problem.path:
        return False
    if problem.origin is Origin.RUN:
        return finding.span.start.line <= problem.line <= finding.span.end.line
    reported = problem_of(finding)
    return (reported.type, reported.message) == (problem.type, problem.message)


def _failure(asked: Asked, now: Reports) -> str | None:
    reports = (now.get(path) for path in asked.texts if is_python(path))
    return next((r.reason for r in reports if r is not None and r.state is State.FAILED), None)


def _dangerous(reports: Iterable[Report]) -> list[Finding]:
    return [f for report in reports if report.dimension in _DANGERS for f in report.findings]


def _count(findings: Iterable[Finding]) -> Counter[_Print]:
    return Counter(map(_print, findings))


def _print(finding: Finding) -> _Print:
    """What stays the same of a finding when lines move."""
    return finding.path, finding.origin or finding.code, _PLACE.sub("line", finding.message)


def _problems(findings: Iterable[Finding]) -> tuple[Problem, ...]:
    return tuple(sorted((problem_of(f) for f in findings), key=lambda problem: problem.sort_key))
