"""Whether a repair holds: asked of the type checker and the analyzers, about texts nobody has applied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gateline.model import Dimension, Document, Finding, Origin, Problem, Report, State
from gateline.repairs.proof import Verdict
from gateline.repairs.reported import problem_of
from gateline.services.repairs.messages import Asked
from gateline.session.engine import Engine
from gateline.session.reading import is_python
from gateline.session.types import Reports, Types

_PLACE = re.compile(r"\bline \d+")
_DANGERS = frozenset({Dimension.ERRORS, Dimension.SECURITY, Dimension.INTEGRITY})
"""A repair may add a branch, or leave a function without documentation, but no error and no danger."""
_NOT_REPORTED = "it is not reported for the text as it is now"

_Print = tuple[str, str, str]


@dataclass(frozen=True)
class Verification:
    """Asks about texts of one workspace; nothing of it is remembered there."""

    types: Types
    engine: Engine

    async def verdict(self, asked: Asked, before: Mapping[str, str]) -> Verdict:
        """What is found with repaired texts, which parse, and was not with those `before`."""
        then, now = await self.types.peek(before, asked.texts)
        if (reason := _failure(asked, now)) is not None:
            return Verdict(parses=True, gone=False, reason=f"types could not be checked: {reason}")
        is_syntax = asked.problem.origin is Origin.PARSER
        verdict = _of_parser(asked, now) if is_syntax else _of_types(asked.problem, then, now)
        if not verdict.gone or verdict.added:
            return verdict
        return Verdict(parses=True, gone=True, added=_problems(await self._dangers(asked, before)))

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


def _of_parser(asked: Asked, now: Reports) -> Verdict:
    """Of a text that did not parse nothing was known: only the lines that a repair made count against it."""
    found = [f for path, report in now.items() for f in report.findings if path in asked.touched]
    added = [f for f in found if f.span.start.line in asked.touched[f.path]]
    return Verdict(parses=True, gone=True, added=_problems(added))


def _of_types(problem: Problem, then: Reports, now: Reports) -> Verdict:
    """By number of equal messages: where one stands moves with every repair."""
    before, after = (_count(f for r in reports.values() for f in r.findings) for reports in (then, now))
    found = {_print(f): f for report in now.values() for f in report.findings}
    added = [found[one] for one in after - before]
    wanted = [_print(f) for r in then.values() for f in r.findings if _is_of(f, problem)]
    gone = any(after[one] < before[one] for one in wanted)
    return Verdict(
        parses=True, gone=gone, added=_problems(added), reason="" if wanted or added else _NOT_REPORTED
    )


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
