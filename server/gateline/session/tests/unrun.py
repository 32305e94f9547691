"""Why tests that are due did not run, and what makes them run: the `TestRun` of a change without results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateline.model import State, TestRun

NO_TESTS = "there are no tests"
NOT_RUN = "tests were not run"
NOBODY_ASKED = "consent to run tests here was not given yet"
NEVER = "running tests was refused for this workspace"
UNTRUSTED = "tests are not run in a workspace that is not trusted"
SWITCHED_OFF = "switched off"
_NO_RUNNER = "No module named 'pytest'"
_AFTER = "or skip them: `gateline check --tests none`"


def none_there() -> TestRun:
    """The project has no tests."""
    return TestRun("none", state=State.NOTHING_TO_JUDGE, reason=NO_TESTS)


def not_wanted() -> TestRun:
    """`--tests none`."""
    return _unrun("`--tests none`", "run `gateline check --tests all`", chosen=True)


def switched_off() -> TestRun:
    """A setting says that no tests are run."""
    return _unrun(
        "`tests.enabled` is false", "set `tests.enabled = true` in gateline's settings", chosen=True
    )


def untrusted() -> TestRun:
    """Nothing of the project is run."""
    step = (
        "a person must trust the workspace in the editor, or run `gateline trust` in a terminal; "
        "an agent must ask them to"
    )
    return _unrun(UNTRUSTED, step)


def refused(command: Sequence[str]) -> TestRun:
    """The person said that they are never to be run."""
    return _unrun(NEVER, f"run `gateline check` in a terminal: it runs `{' '.join(command)}`", chosen=True)


def unagreed(command: Sequence[str]) -> TestRun:
    """The person did not say yet whether they may be run."""
    step = f"allow `{' '.join(command)}` in the editor, or run `gateline check` in a terminal"
    return _unrun(NOBODY_ASKED, step)


def not_yet() -> TestRun:
    """They may be run, and were not so far."""
    return _unrun("tests have not run yet", "save a file, or run `gateline check`")


def outdated(last: TestRun) -> TestRun:
    """They ran, with other contents than those there are now."""
    reason, step = "files changed since tests ran", "save a file, or run `gateline check`"
    return replace(last, state=State.STALE, reason=reason, next_step=step, failing=None)


def unlaid(which: str, reason: str) -> TestRun:
    """What is judged cannot be shown to tests."""
    step = "judge the work tree (without `--staged`), or use a system with user namespaces"
    return _unrun(f"tests cannot be run on the judged content: {reason}", step, which)


def ended(which: str) -> TestRun:
    """Somebody ended the run, or a newer one took its place."""
    return _unrun("the run was stopped before all tests had run", "run the tests again", which)


def unknown_runs(which: str, total: int) -> TestRun:
    """The change reaches no test, and none ran before."""
    reason, step = "no test was chosen, and none ran here before", "run `gateline check --tests all`"
    return TestRun(which, 0, total, state=State.NO_DATA, reason=reason, next_step=step)


def unmeasured(about: TestRun, number: int) -> TestRun:
    """Tests ran, and others that may be affected were never measured."""
    is_one = number == 1
    never = f"{number} test{' was' if is_one else 's were'} never run with coverage"
    reason = f"{never}, so the change may affect {'it' if is_one else 'them'}"
    return replace(about, state=State.STALE, reason=reason, next_step="run `gateline check --tests all`")


def too_late(which: str, run: int, total: int, late: Sequence[str]) -> TestRun:
    """The time was over; the first of the `late` is the one that it was over in."""
    over = f"{len(late)} of {total} tests had not run when the time limit was reached"
    reason = f"{over}, the first is {late[0]} (`tests.total-timeout`)"
    step = f"raise `tests.total-timeout`, {_AFTER}"
    return TestRun(which, run, total, state=State.NO_DATA, reason=reason, next_step=step)


def nothing_collected(which: str, command: Sequence[str]) -> TestRun:
    """Pytest finds no test, though there are files that hold some."""
    reason = "pytest collects no tests, although there are test files"
    told = " ".join((*command, "--collect-only"))
    return _unrun(reason, f"run `{told}` and fix the test selection, {_AFTER}", which)


def cannot_start(which: str, python: str, reason: str) -> TestRun:
    """Pytest could not start or collect."""
    if _NO_RUNNER in reason:
        step = f"install it: `{python} -m pip install pytest`, {_AFTER}"
        return _unrun(f"{python} has no pytest", step, which)
    return _unrun(
        f"the tests cannot start: {reason}",
        f"run `{python} -m pytest` and fix that, {_AFTER}",
        which,
        state=State.FAILED,
    )


def not_compared(about: TestRun, failing: int, reason: str) -> TestRun:
    """Tests fail, and whether they do at the base is not known."""
    told = f"{failing} test{'s fail' if failing > 1 else ' fails'}, and the base could not be run: {reason}"
    step = f"fix the failing test{'s' * (failing > 1)}"
    return replace(about, state=State.FAILED, reason=told, next_step=step)


def _unrun(
    reason: str, step: str, which: str = "none", *, chosen: bool = False, state: State = State.NO_DATA
) -> TestRun:
    return TestRun(which, state=state, reason=reason, next_step=step, chosen=chosen)
