"""What to do next: the steps that win most points first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gateline.gates import floors
from gateline.gates.due import is_due
from gateline.gates.inputs import GateInput
from gateline.gates.score import score
from gateline.gates.values import function_value, weighed
from gateline.model.evaluation import Action, FunctionChange, Part, Score
from gateline.model.finding import Dimension, Finding
from gateline.model.level import Level
from gateline.model.policy import Policy


def possible_actions(policy: Policy, level: Level, given: GateInput, current: Score) -> tuple[Action, ...]:
    """Every step that fixes something that counts, most points to win first.

    The points of a broken floor are what fixing all broken floors wins: one alone wins nothing. So it is
    with integrity findings that cap the score.
    """
    found = [
        *_caps(policy, level, given, current),
        *_findings(policy, level, given, current),
        *_functions(policy, given, current),
        *_documentation(given, current),
        *_coverage(policy, given, current),
    ]
    return tuple(sorted(found, key=_order))


def required_actions(policy: Policy, possible: Sequence[Action]) -> tuple[Action, ...]:
    """At most `policy.required_actions` of the possible ones, in their order.

    What must be done is never cut off in favour of a step that wins more.
    """
    chosen = sorted(possible, key=lambda step: not step.must)[: policy.required_actions]
    return tuple(sorted(chosen, key=_order))


def _order(step: Action) -> tuple[float, str, int, str]:
    return (-step.points, step.path, step.line, step.text)


def _caps(policy: Policy, level: Level, given: GateInput, current: Score) -> Iterator[Action]:
    for capping in (floors.broken, floors.capping):
        found = capping(policy, level, given.findings)
        if not found:
            continue
        fixed = score(policy, level, _without(given, found))
        points = (fixed.value or 0) - (current.value or 0)
        for finding in found:
            yield _mend(finding, round(points, 1), must=True)


def _findings(policy: Policy, level: Level, given: GateInput, current: Score) -> Iterator[Action]:
    """Errors and security findings: each wins its share of what all of its dimension would win."""
    broken = set(floors.broken(policy, level, given.findings))
    for dimension in (Dimension.ERRORS, Dimension.SECURITY):
        part = _part(current, dimension)
        counting = given.counting(policy, dimension)
        if not counting or not is_due(dimension, level):
            continue
        # Without a value, as while a text does not parse, it is still the next thing to do.
        lost = 0.0 if part.value is None else 100 - part.value
        points = round(part.weight * lost / len(counting), 1)
        yield from (_mend(finding, points) for finding in counting if finding not in broken)


def _functions(policy: Policy, given: GateInput, current: Score) -> Iterator[Action]:
    judged = [f for f in given.functions if f.complexity_after is not None]
    share = _part(current, Dimension.COMPLEXITY).weight
    for function in judged:
        points = round(share * (100 - function_value(policy, function)) / len(judged), 1)
        if points > 0:
            yield _simplify(policy, given, function, points)


def _simplify(policy: Policy, given: GateInput, function: FunctionChange, points: float) -> Action:
    target = max(policy.complexity_best, function.complexity_before or 0)
    step = f"reduce cyclomatic complexity from {function.complexity_after:g} to {target:g}"
    text = f"simplify `{function.symbol}`: {step}"
    identity = _identity(given, Dimension.COMPLEXITY, function.path, function.symbol, function.line)
    return Action(text, points, identity, function.path, function.line)


def _documentation(given: GateInput, current: Score) -> Iterator[Action]:
    share = _part(current, Dimension.DOCUMENTATION).weight
    for item in given.documented:
        points = round(share * 100 / len(given.documented), 1)
        if not item.after and points > 0:
            name = f"`{item.symbol}`" if item.symbol else "the module"
            identity = _identity(given, Dimension.DOCUMENTATION, item.path, item.symbol, item.line)
            yield Action(f"document {name}", points, identity, item.path, item.line)


def _coverage(policy: Policy, given: GateInput, current: Score) -> Iterator[Action]:
    """Each gap wins its share, by its lines, of what is not covered."""
    found = given.counting(policy, Dimension.COVERAGE)
    if given.coverage is None or not found:
        return
    missing = given.coverage.executable - given.coverage.covered
    whole = _part(current, Dimension.COVERAGE).weight * 100 * missing / weighed(policy, given.coverage)
    lines = [finding.span.end.line - finding.span.start.line + 1 for finding in found]
    for finding, number in zip(found, lines, strict=True):
        points = round(whole * number / sum(lines), 1)
        if points > 0:
            text = f"cover with a test: {finding.message}"
            yield Action(text, points, finding.identity, finding.path, finding.span.start.line)


def _mend(finding: Finding, points: float, *, must: bool = False) -> Action:
    text = f"fix {finding.code}: {finding.message}"
    return Action(text, points, finding.identity, finding.path, finding.span.start.line, must)


def _identity(given: GateInput, dimension: Dimension, path: str, symbol: str, line: int) -> str:
    """The identity of the finding about a function or public name; "" when there is none."""
    found = (f for f in given.findings if f.dimension is dimension and f.path == path)
    places = (f for f in found if f.span.start.line == line or (symbol and f.symbol == symbol))
    return next((f.identity for f in places), "")


def _part(current: Score, dimension: Dimension) -> Part:
    return next(part for part in current.parts if part.dimension is dimension)


def _without(given: GateInput, findings: tuple[Finding, ...]) -> GateInput:
    gone = set(findings)
    return replace(given, findings=tuple(f for f in given.findings if f not in gone))
