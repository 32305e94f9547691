"""What runs of tests say of a repair: whether its problem is gone, and what it broke."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from gateline.model import Problem
from gateline.repairs.proof import Suite, Verdict

LATE = "the tests took too long"
_UNSEEN = 0.1
"""The share of the tests that passed before which a late run may leave out, and still verify a repair."""
_Print = tuple[str, str]
_VARYING = re.compile(r"0x[0-9a-fA-F]+|/[\w./-]+|\d+")
_OF_NAMES = frozenset({"ImportError", "ModuleNotFoundError", "NameError"})
_OF_THE_MACHINE = frozenset({"FileNotFoundError", "PermissionError", "OSError", "ConnectionError"})
_OF_THE_MACHINE |= {"CalledProcessError", "TimeoutError", "TimeoutExpired"}
"""Errors of tests that miss something where they run, which another error hid."""
_OF_CODE = frozenset({"TypeError", "AttributeError", "NameError", "UnboundLocalError"})
"""Errors of the code itself, whatever they happened beside."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What some tests came to. A file that could not be collected counts as a failed test of its name."""

    passed: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()
    """Why the first of them failed, in order."""
    is_late: bool = False
    """They took too long, or broke the process they ran in: there are more, of which nothing is known."""
    unknown: frozenset[str] = frozenset()
    """Tests that were asked for and are not collected."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a repair changes, as it was and as it is with it."""

    before: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)

    def is_same_line(self, path: str, then: int, now: int) -> bool:
        """Whether a line is the one that stood at `then`: a repair may have moved it or set it further in."""
        if then == now:
            return True
        old, new = (_lines(texts.get(path, "")) for texts in (self.before, self.after))
        if then >= len(old) or now >= len(new):
            return False
        return old[then] == new[now] and old.count(old[then]) == 1


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


_UNKNOWN = Rewritten()


def own_verdict(problem: Problem, after: Ran, texts: Rewritten = _UNKNOWN) -> Verdict | None:
    """The verdict when a test that fails with the problem still fails; None when none does."""
    own = {test for test in problem.tests if test in after.failed}
    is_open = any(not _was_run(test, after) for test in problem.tests)
    if not own and not is_open and not (after.is_late and not _has_passed(problem, after)):
        return None
    # A file that cannot be collected any more has no failing tests: what stands in its way is what fails now.
    own = own or {test.partition("::")[0] for test in problem.tests}
    now = next((p for p in after.problems if own.intersection(p.tests) or not p.tests), None)
    if now is not None or own & after.failed:
        return _still(problem, now, texts)
    return Verdict(parses=True, gone=False, reason=LATE if after.is_late else "the test was not run")


def _was_run(test: str, after: Ran) -> bool:
    """Whether a test passed; of a file that could not be collected, whether any test of it came to an end."""
    if not test.endswith(".py"):
        return test in after.passed
    return any(one.startswith(f"{test}::") for one in after.passed | after.failed)


def of_run(first: Problem, problem: Problem, before: Ran, after: Ran, texts: Rewritten = _UNKNOWN) -> Verdict:
    """The verdict on a repair of an error that was raised; `first` is the one that the run began with.

    Where a file could not be collected before, nothing is known of its tests: those that fail now may
    have failed before, for reasons of their own.
    """
    if after.is_late:
        return _of_late(problem, before, after)
    if not after.failed:
        is_seen = bool(after.passed or problem.tests)
        reason = "" if is_seen else "no test was run"
        tests = Suite.PASSED if is_seen else Suite.NOT_RUN
        return Verdict(parses=True, gone=is_seen, tests=tests, mended=is_seen, reason=reason)
    if before.failed <= after.failed and after.passed <= before.passed:
        return _still(problem, next(iter(after.problems), None), texts)
    is_import = any(test.endswith(".py") for test in before.failed)
    broken = sorted(_broken(before, after, is_import=is_import))
    if broken:
        return Verdict(parses=True, gone=True, tests=Suite.FAILED, reason=f"{broken[0]} fails")
    rest = tuple(_remaining(first, before.problems, after.problems, is_import=is_import))
    if rest:
        reason = f"other tests fail with {_told(rest[0])}"
        return Verdict(parses=True, gone=True, tests=Suite.FAILED, remaining=rest, reason=reason)
    return Verdict(parses=True, gone=True, tests=Suite.PASSED, mended=True, failing=_mendable(after))


def led_on(problem: Problem, before: Ran, after: Ran, verdict: Verdict) -> Verdict:
    """The verdict where there may be several faults: one is repaired, what is left is another's business.

    Its problem is gone, a test passes that did not, and none fails that passed. Of those that failed with the
    problem, how many still do for another reason counts when repairs are compared; of files that could not be
    collected that is not known of any single test, so that all count.
    """
    mended = after.passed - before.passed
    if not verdict.gone or after.is_late or not mended or after.failed & before.passed:
        return verdict
    is_import = any(test.endswith(".py") for test in problem.tests)
    left = after.failed if is_import else after.failed.intersection(problem.tests)
    return Verdict(parses=True, gone=True, tests=Suite.PASSED, mended=True, failing=len(left))


def sampled(problem: Problem, most: int) -> Problem:
    """The same with at most so many of its tests, from the whole range of them."""
    tests = problem.tests
    if len(tests) <= most:
        return problem
    return replace(problem, tests=tuple(tests[at * len(tests) // most] for at in range(most)))


def _mendable(after: Ran) -> int:
    """How many tests fail that another repair might mend; none that lacks something where it runs."""
    hopeless = {test for p in after.problems if _is_of_the_machine(p) for test in p.tests}
    return len(after.failed - hopeless)


def _is_of_the_machine(problem: Problem) -> bool:
    """Whether a test lacks something where it runs; what is raised for that may have a name of its own."""
    link: Problem | None = problem
    while link is not None and link.type not in _OF_CODE:
        if link.type in _OF_THE_MACHINE:
            return True
        link = link.cause
    return False


def _broken(before: Ran, after: Ran, *, is_import: bool) -> frozenset[str]:
    """The tests that a repair broke; of files that could not be collected before, those known to pass."""
    new = after.failed - before.failed
    return frozenset(t for t in new if not is_import or t in before.passed or t.endswith(".py"))


def _of_late(problem: Problem, before: Ran, after: Ran) -> Verdict:
    """Verified where the tests of the problem pass and nearly all that passed before do, with none broken."""
    broken = sorted(after.failed - before.failed)
    unseen = before.passed - after.passed
    if not _has_passed(problem, after) or broken or len(unseen) > _UNSEEN * len(before.passed):
        return Verdict(parses=True, gone=False, reason=f"{broken[0]} fails" if broken else LATE)
    return Verdict(parses=True, gone=True)


def _has_passed(problem: Problem, after: Ran) -> bool:
    """Whether every test that failed with a problem passes."""
    return bool(problem.tests) and after.passed.issuperset(problem.tests)


def of_tests(before: Ran, after: Ran, path: str = "") -> Verdict:
    """The verdict of tests on a repair of what a type checker reports, in the file at `path`.

    Tests that fail there as they did before may fail because of it: another repair may mend them, too.
    Of late ones those that ended count. Where less than half of those that passed came as far with the
    repair, it made them slow.
    """
    broken = sorted(after.failed & before.passed if before.is_late else after.failed - before.failed)
    if broken or (after.is_late and 2 * len(after.passed & before.passed) < len(before.passed)):
        reason = f"{broken[0]} fails" if broken else LATE
        return Verdict(parses=True, gone=True, tests=Suite.FAILED, reason=reason)
    if after.is_late or (before.is_late and after.failed):
        return Verdict(parses=True, gone=True)
    mended = bool(before.failed & after.passed)
    tests = Suite.PASSED if after.passed else Suite.NOT_RUN
    there = [p for p in after.problems if any(f.path == path for f in p.frames)]
    return Verdict(parses=True, gone=True, tests=tests, mended=mended, failing=len(there))


def of_parsed(after: Ran) -> Verdict:
    """The verdict of tests on a repair of syntax: none could run before, so failing ones only count less."""
    if after.is_late or after.failed:
        return Verdict(parses=True, gone=True, failing=max(len(after.failed), 1))
    tests = Suite.PASSED if after.passed else Suite.NOT_RUN
    return Verdict(parses=True, gone=True, tests=tests, mended=bool(after.passed))


def _remaining(
    first: Problem, before: Collection[Problem], after: Collection[Problem], *, is_import: bool
) -> list[Problem]:
    """Errors that follow from the first: the same one elsewhere, and those that were hidden by it."""
    known = {_print(p) for p in before}
    there = {(test, _blurred(p)) for p in before for test in p.tests}
    own = _print(first)

    def is_old(problem: Problem) -> bool:
        if is_import and _is_of_a_kind(first, problem):
            return False
        if _print(problem) in known or _is_of_the_machine(problem):
            return True
        if is_import and problem.type == "AssertionError":
            # A name that is found again changes no value; any other repair may be why it is wrong now.
            return first.type in _OF_NAMES
        return any((test, _blurred(problem)) in there for test in problem.tests)

    return [p for p in after if _print(p) == own or not is_old(p)]


def _is_of_a_kind(first: Problem, problem: Problem) -> bool:
    """Whether a file that cannot be collected, as others could not, fails with the rest of one mistake."""
    is_file = any(test.endswith(".py") for test in problem.tests)
    return is_file and problem.type == first.type and first.type not in _OF_NAMES


def _still(problem: Problem, now: Problem | None, texts: Rewritten) -> Verdict:
    """A test still fails: with the same error, or with another one that may be what remains."""
    if now is None:
        return Verdict(parses=True, gone=False, reason="the test still fails")
    same_place = now.path == problem.path and texts.is_same_line(now.path, problem.line, now.line)
    if _print(now) == _print(problem) and same_place:
        return Verdict(parses=True, gone=False, reason="the test still fails with the same error")
    reason = f"now the test fails with {_told(now)}"
    remaining = (now,) if now.frames else ()
    return Verdict(parses=True, gone=True, tests=Suite.FAILED, remaining=remaining, reason=reason)


def _blurred(problem: Problem) -> _Print:
    """The same without what differs from run to run: addresses, numbers, temporary folders."""
    return problem.type, _VARYING.sub("#", problem.message)


def _print(problem: Problem) -> _Print:
    return problem.type, problem.message


def _told(problem: Problem) -> str:
    first = problem.message.partition("\n")[0][:100]
    return f"{problem.type}: {first}" if first else problem.type
