"""From what was measured of all candidates to what they are ranked by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gateline.model import Dimension, Evaluation, Finding, Novelty, Weight
from gateline.ranking.agreement import shingles, similarities
from gateline.ranking.values import Blocked, Candidate, Exchange, Isolation, Pool
from gateline.session.compare.exchange import Handed
from gateline.session.compare.measured import Measured, Suite
from gateline.testing.naming import is_test
from gateline.testing.result import BAD

_SHOWN = 3
_DIMENSIONS: Mapping[Dimension, str] = {
    Dimension.COMPLEXITY: "complexity",
    Dimension.DOCUMENTATION: "documentation",
    Dimension.SECURITY: "security",
}


def pool_of(
    candidates: Sequence[Measured], base: Suite | None, isolation: Isolation, handed: Sequence[Handed] = ()
) -> Pool:
    """The candidates as they are ranked; `handed` are their tests on each other."""
    visible = visible_tests(candidates, base)
    exchanged = _exchanged(handed)
    found = tuple(
        replace(_candidate(one, base, visible, isolation), exchanged=exchanged.get(one.given.name, {}))
        for one in candidates
    )
    return Pool(found, similarities({one.given.name: shingles(one.text) for one in candidates}))


def regressions(suite: Suite, base: Suite) -> list[str]:
    """The tests that pass at the base, and do not with a candidate: failed, skipped or gone."""
    return sorted(base.passing - suite.passing)


def visible_tests(candidates: Sequence[Measured], base: Suite | None) -> frozenset[str]:
    """The tests of the task: those that the base does not pass, and that it or all candidates have.

    What fails a blocking check has no say: it may have removed, or not written, what the others have. Tests
    of one name in files that differ are not the same test.
    """
    if base is None:
        return frozenset()
    asked = [one for one in candidates if not any(_blocked(one, base))]
    asked = [one for one in asked if one.suite is not None and one.suite.collected]
    suites = [one.suite.collected for one in asked if one.suite is not None]
    shared = frozenset.intersection(*suites) if suites else frozenset()
    same = {test for test in shared if len({one.blobs.get(_file(test)) for one in asked}) == 1}
    return frozenset((same | base.collected) - base.passing)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _exchanged(handed: Sequence[Handed]) -> dict[str, dict[str, Exchange]]:
    """By candidate, how it does with the tests of each author."""
    confirmed: dict[str, set[str]] = {}
    for one in handed:
        confirmed.setdefault(one.author, set()).update(one.passed)
    found: dict[str, dict[str, Exchange]] = {}
    for one in handed:
        ran = (*one.passed, *one.failed)
        known = len(confirmed[one.author].intersection(ran))
        found.setdefault(one.candidate, {})[one.author] = Exchange(len(one.passed), len(ran), known)
    return found


def _candidate(one: Measured, base: Suite | None, visible: frozenset[str], isolation: Isolation) -> Candidate:
    evaluation, suite = one.evaluation, one.suite
    integrity = tuple(_findings(evaluation, Dimension.INTEGRITY))
    broken = regressions(suite, base) if suite is not None and base is not None and suite.collected else None
    passed = len(visible & suite.passing) if suite is not None else 0
    return Candidate(
        one.given.name,
        tuple(_blocked(one, base)),
        tuple(_floors(evaluation)),
        integrity,
        regressions=None if broken is None else len(broken),
        visible_passed=passed,
        visible_total=len(visible) or None,
        behaviour=one.behaviour,
        criteria=dict(_criteria(one, base, broken, passed, len(visible))),
        remarks=tuple(_remarks(one)),
        isolation=isolation,
    )


def _remarks(one: Measured) -> Iterator[str]:
    if one.api:
        yield f"breaks the interface: {_several(one.api)}"
    left = [path for path, is_changed in one.planned.items() if not is_changed]
    if left:
        yield f"does not change what the plan of the task names: {_several(left)}"


def _blocked(one: Measured, base: Suite | None) -> Iterator[Blocked]:
    """The blocking checks that a candidate fails."""
    if one.problem:
        yield Blocked("gates", one.problem)
    syntax, types = _errors(one.evaluation)
    if syntax:
        yield Blocked("parses", _several(syntax))
    if types:
        yield Blocked("types", _several(types))
    if one.lint:
        yield Blocked("lint", _several(one.lint))
    if one.build:
        yield Blocked("build", _several(one.build))
    if one.suite is not None:
        yield from _of_tests(one.suite, base)


def is_refused(one: Measured) -> bool:
    """Whether a check before the tests fails: what follows is skipped then."""
    return any(_blocked(one, None))


def _of_tests(suite: Suite, base: Suite | None) -> Iterator[Blocked]:
    if suite.reason:
        yield Blocked("tests", suite.reason)
        return
    before = base or Suite()
    gone = sorted(before.passing - suite.collected)
    if gone:
        yield Blocked("tests", f"fewer collected: {_several(gone)}")
        return
    if suite.refused_by:
        yield Blocked("tests", f"passed at the base: {suite.refused_by}")
        return
    lost = [test for test in regressions(suite, before) if test in suite.collected]
    if lost:
        yield Blocked("tests", f"passed at the base: {_several(lost)}")
    own = sorted(test for test in suite.endings.keys() - before.collected if suite.endings[test] in BAD)
    if own:
        yield Blocked("tests", f"its own fail: {_several(own)}")


def _errors(evaluation: Evaluation | None) -> tuple[list[str], list[str]]:
    """New errors of the parser, and of the type checker."""
    syntax: list[str] = []
    types: list[str] = []
    for finding in _new(evaluation):
        if finding.dimension is Dimension.ERRORS:
            (types if finding.origin else syntax).append(_told(finding))
    return syntax, types


def _floors(evaluation: Evaluation | None) -> Iterator[str]:
    for finding in _new(evaluation):
        if finding.weight is Weight.FLOOR and finding.dimension is not Dimension.ERRORS:
            yield _told(finding)


def _findings(evaluation: Evaluation | None, dimension: Dimension) -> Iterator[str]:
    for finding in _new(evaluation):
        if finding.dimension is dimension and finding.weight is not Weight.ADVICE:
            yield _told(finding)


def _new(evaluation: Evaluation | None) -> Iterator[Finding]:
    if evaluation is not None:
        yield from (one for one in evaluation.findings if one.novelty is Novelty.NEW)


def _criteria(
    one: Measured, base: Suite | None, broken: list[str] | None, passed: int, total: int
) -> Iterator[tuple[str, float]]:
    if one.suite is not None and one.suite.collected:
        share = passed / total if total else float(not broken)
        # How far a suite that refuses it ran tells nothing more.
        yield "tests", 0.0 if any(_of_tests(one.suite, base)) else share
    if broken is not None:
        yield "regressions", float(not broken)
    for check, troubles in (("api", one.api), ("lint", one.lint), ("build", one.build)):
        if troubles is not None:
            yield check, float(not troubles)
    if one.planned:
        yield "requirements met", sum(one.planned.values()) / len(one.planned)
    if one.evaluation is not None:
        yield from _judged(one.evaluation)
        yield "tests of new code", float(any(is_test(path) for path in one.given.changed))


def _judged(evaluation: Evaluation) -> Iterator[tuple[str, float]]:
    """The criteria that the gates measure."""
    yield "types", float(not _errors(evaluation)[1])
    yield "integrity", float(not any(_findings(evaluation, Dimension.INTEGRITY)))
    yield "duplication", float(not any(_findings(evaluation, Dimension.DUPLICATION)))
    for part in evaluation.score.parts:
        name = _DIMENSIONS.get(part.dimension)
        if name and part.value is not None:
            yield name, part.value / 100


def _told(finding: Finding) -> str:
    return f"{finding.code} {finding.path}:{finding.span.start.line + 1}: {finding.message}"


def _several(rows: Sequence[str]) -> str:
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return "; ".join(rows[:_SHOWN]) + more
