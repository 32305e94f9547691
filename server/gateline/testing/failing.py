"""From failing tests to findings: at the line of the test, and where the project's own code raised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from gateline.model import Dimension, Finding, Measure, Related, Report, Span, Weight
from gateline.model.problem import Frame
from gateline.testing.losses import Loss
from gateline.testing.result import Ending, Failure, Item, Result

FAILING, FLAKY = "GTL201", "GTL202"
NAME = "tests"
_ORIGIN = "pytest"
_MOST = 300
"""Characters of what a failure says."""
_NAMED = 3
"""Tests that are named where several fail at one place."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of the tests that were run."""

    items: Mapping[str, Item]
    """Every collected test, by identifier."""
    results: tuple[Result, ...]
    flaky: frozenset[str] = frozenset()
    """Identifiers of those that failed, and passed when they were run once more."""
    passed_before: frozenset[str] = frozenset()
    """Identifiers of those that pass at the base."""
    lost: tuple[Loss, ...] = ()
    """Files of which no test is collected."""
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The lines of the files that failures speak of, by path."""

    def span(self, frame: Frame) -> Span:
        """The expression that failed, or else the visible part of its line."""
        lines = self.lines.get(frame.path, ())
        text = lines[frame.line] if frame.line < len(lines) else ""
        return frame.span or Span.of_line(frame.line, text)


def reports_of(outcomes: Outcomes) -> dict[str, Report]:
    """One report for each file with tests that ran, and for each in which one of them was raised."""
    found: dict[str, list[Finding]] = defaultdict(list)
    run: dict[str, int] = defaultdict(int)
    for result in outcomes.results:
        item = outcomes.items.get(result.id)
        if item is not None and result.ending is not Ending.SKIPPED:
            run[item.path] += 1
            if result.is_bad:
                found[item.path].append(_of_test(item, result, outcomes))
    for loss in outcomes.lost:
        found[loss.path].append(_of_loss(loss, outcomes))
        # They are due, and fail: the share of failing tests is of these as well.
        run[loss.path] += max(1, loss.tests)
    for finding in _of_places(outcomes):
        found[finding.path].append(finding)
    return {path: _report(found[path], run[path]) for path in sorted({*found, *run})}


def _report(findings: Iterable[Finding], run: int) -> Report:
    measures = (Measure("tests_run", float(run)),) if run else ()
    ordered = tuple(sorted(findings, key=lambda finding: finding.sort_key))
    return Report(NAME, Dimension.ERRORS, findings=ordered, measures=measures)


def _of_test(item: Item, result: Result, outcomes: Outcomes) -> Finding:
    frames = _frames(result.failure)
    at = _in_test(frames, item)
    flaky = result.id in outcomes.flaky
    weight = Weight.FLOOR if result.id in outcomes.passed_before else Weight.COUNTS
    return Finding(
        code=FLAKY if flaky else FAILING,
        path=item.path,
        span=outcomes.span(at) if at else Span.of(item.line, 0, item.line, 0),
        message=_message(item, result, flaky=flaky),
        dimension=Dimension.ERRORS,
        weight=Weight.ADVICE if flaky else weight,
        origin=_ORIGIN,
        symbol=item.function,
        # A failing test is known by its name, wherever in it the failure is.
        line_text=result.id,
        related=tuple(_related(frame, outcomes) for frame in frames if frame.ours and frame.line >= 0),
    )


def _of_loss(loss: Loss, outcomes: Outcomes) -> Finding:
    frames = _frames(loss.failure)
    return Finding(
        code=FAILING,
        path=loss.path,
        span=next((outcomes.span(f) for f in reversed(frames) if f.path == loss.path), Span.of(0, 0, 0, 0)),
        message=_told_of(loss),
        dimension=Dimension.ERRORS,
        weight=Weight.FLOOR if loss.tests else Weight.COUNTS,
        origin=_ORIGIN,
        line_text=loss.id,
        stands_for=max(1, loss.tests),
        related=tuple(_related(frame, outcomes) for frame in frames if frame.ours and frame.line >= 0),
    )


def _told_of(loss: Loss) -> str:
    tests = "its test was" if loss.tests == 1 else f"its {loss.tests} tests were"
    dead = "does not run" if loss.tests == 1 else "do not run"
    if loss.failure is None:
        return f"{tests} collected at the base and {dead} now: pytest collects nothing in {loss.path}"
    ended = f"; {tests} collected at the base and {dead} now" if loss.tests else ""
    return f"{loss.id} cannot be imported: {said(loss.failure)}{ended}"


def of_start(path: str, failure: Failure | None, reason: str, tests: int) -> Report:
    """Nothing can be run any more, of tests that the base collects."""
    frames = _frames(failure)
    outcomes = Outcomes({}, ())
    finding = Finding(
        code=FAILING,
        path=path,
        span=next((outcomes.span(f) for f in reversed(frames) if f.path == path), Span.of(0, 0, 0, 0)),
        message=f"tests cannot start: {reason}; the base collects {tests} test{'s' * (tests != 1)}",
        dimension=Dimension.ERRORS,
        weight=Weight.FLOOR,
        origin=_ORIGIN,
        line_text="start",
        stands_for=max(1, tests),
        related=tuple(_related(frame, outcomes) for frame in frames if frame.ours and frame.line >= 0),
    )
    return _report([finding], tests)


def said(failure: Failure) -> str:
    """An exception's type and text, and the place of what does not parse."""
    problem = failure.problem
    text = " ".join(problem.message.split())
    if not problem.type or problem.type in _OF_RUNNER:
        return text or _first_line(failure.explanation)
    place = ""
    if problem.type in _OF_TEXTS and problem.frames and problem.frames[-1].line >= 0:
        place = f" ({problem.frames[-1].path}, line {problem.frames[-1].line + 1})"
    return (f"{problem.type}: {text}" if text else problem.type) + place


_OF_RUNNER = frozenset({"Crash", "Timeout", "UsageError"})
"""What nothing was raised of: the runner itself says it."""
_OF_TEXTS = frozenset({"SyntaxError", "IndentationError", "TabError"})
"""What is raised of a text that does not parse: it has a place, and no traceback."""


def _message(item: Item, result: Result, *, flaky: bool) -> str:
    name = result.id.rpartition("::")[2]
    said = _words(result.failure.explanation if result.failure else "") or result.ending.value
    if flaky:
        return f"{name} failed and passed when it was run again: {said}"
    return f"{name} {_VERBS.get(result.ending, 'fails')}: {said}"


_VERBS = {
    Ending.ERROR: "cannot be set up or cleaned up",
    Ending.TIMEOUT: "exceeds its time limit",
    Ending.CRASHED: "crashes its process",
}


def _of_places(outcomes: Outcomes) -> Iterable[Finding]:
    """One finding for each line of the project's code, outside of tests, where tests end that fail."""
    places: dict[tuple[str, int], list[Result]] = defaultdict(list)
    for result in outcomes.results:
        item = outcomes.items.get(result.id)
        deepest = _deepest(_frames(result.failure)) if result.is_bad and item else None
        if deepest is not None and item is not None and deepest.path != item.path:
            places[deepest.path, deepest.line].append(result)
    return [_of_place(places[place], outcomes) for place in sorted(places)]


def _of_place(results: Sequence[Result], outcomes: Outcomes) -> Finding:
    frame = _deepest(_frames(results[0].failure))
    assert frame is not None, "only places with a frame are told"
    names = [result.id.rpartition("::")[2] for result in results]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    said = _words(results[0].failure.explanation if results[0].failure else "")
    tests = (outcomes.items[result.id] for result in results[:_NAMED])
    return Finding(
        code=FAILING,
        path=frame.path,
        span=outcomes.span(frame),
        message=f"{', '.join(names[:_NAMED])}{more} fail{'s' if len(names) == 1 else ''} here: {said}",
        dimension=Dimension.ERRORS,
        # The tests count, each where it stands.
        weight=Weight.ADVICE,
        origin=_ORIGIN,
        symbol=frame.function,
        related=tuple(Related(t.path, Span.of(t.line, 0, t.line, 0), t.function) for t in tests),
    )


def _words(text: str) -> str:
    """What a failure says, on one line; of an assertion with a message all of it, as the project has it."""
    first = _first_line(text)
    if not first.startswith("AssertionError: ") or first.startswith("AssertionError: assert "):
        return first
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(takewhile(lambda line: not line.startswith("assert "), lines))[:_MOST]


def _frames(failure: Failure | None) -> tuple[Frame, ...]:
    return failure.problem.frames if failure else ()


def _in_test(frames: Sequence[Frame], item: Item) -> Frame | None:
    """The last call that is still in the test's own function; else in its file."""
    name = item.function.rpartition(".")[2]
    here = [frame for frame in frames if frame.path == item.path and frame.line >= 0]
    own = [frame for frame in here if frame.function.rpartition(".")[2] == name]
    return next(iter(reversed(own or here)), None)


def _deepest(frames: Sequence[Frame]) -> Frame | None:
    return next((frame for frame in reversed(frames) if frame.ours and frame.line >= 0), None)


def _related(frame: Frame, outcomes: Outcomes) -> Related:
    where = f"in {frame.function}" if frame.function else "here"
    return Related(frame.path, outcomes.span(frame), f"{where}: {frame.text}" if frame.text else where)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
