"""Rules of integrity that take the worker down, or never answer, cost themselves and not the verdict."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gateline.gates.case import Case
from gateline.model import Change, Dimension, Level, Policy, Progress, Report
from gateline.services.child import ChildDiedError, ChildError, ChildFailedError, ChildTimeoutError
from gateline.services.requests import Judge, Missing
from gateline.session.judge.engine import Engine

CASE = Case(Policy(), Level.FINAL, Progress.SAID, Change("base", "HEAD"))


class ScriptedWorker:
    """Fails as it was told, then answers."""

    def __init__(self, *errors: ChildError) -> None:
        self.errors, self.asked = list(errors), []
        self.answers: list[object] = []

    async def ask(self, message: Judge, *_: object) -> object:
        self.asked.append(message)
        if self.errors:
            raise self.errors.pop(0)
        return self.answers.pop(0) if self.answers else SimpleNamespace(of=message)


def engine(*errors: ChildError) -> tuple[Engine, ScriptedWorker]:
    made = Engine({}, {})
    worker = ScriptedWorker(*errors)
    made._worker = worker  # type: ignore[assignment]
    return made, worker


@pytest.mark.parametrize("error", [ChildDiedError("it died"), ChildTimeoutError("no answer within 120 s")])
async def test_what_takes_the_worker_down_is_left_out(error: ChildError) -> None:
    made, worker = engine(error)
    await made.judge(CASE)
    assert [asked.without_integrity for asked in worker.asked] == ["", f"integrity: {error}"]


async def test_what_fails_without_integrity_as_well_is_told() -> None:
    made, _ = engine(ChildDiedError("once"), ChildDiedError("twice"))
    with pytest.raises(ChildDiedError, match="twice"):
        await made.judge(CASE)


async def test_a_verdict_that_raises_is_not_asked_again() -> None:
    made, worker = engine(ChildFailedError("Traceback"))
    with pytest.raises(ChildFailedError):
        await made.judge(CASE)
    assert len(worker.asked) == 1


async def test_what_the_worker_does_not_have_is_sent_along() -> None:
    made, worker = engine()
    one, other = (Report(name, Dimension.ERRORS) for name in ("types", "syntax"))
    made._reports.put("1", one)
    made._reports.put("2", other)
    worker.answers = [Missing(("1",)), Missing(("2",))]
    await made.judge(replace(CASE, reports={"a.py": (one, other)}))
    assert [asked.sent for asked in worker.asked] == [{}, {"1": one}, {"1": one, "2": other}]
    assert {asked.reports["a.py"] for asked in worker.asked} == {("1", "2")}
