"""Rules of integrity that take the worker down, or never answer, cost themselves and not the verdict."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gateline.services.child import ChildDiedError, ChildError, ChildFailedError, ChildTimeoutError
from gateline.services.requests import Judge
from gateline.session.judge.engine import Engine


class ScriptedWorker:
    """Fails as it was told, then answers."""

    def __init__(self, *errors: ChildError) -> None:
        self.errors, self.asked = list(errors), []

    async def ask(self, message: Judge, *_: object) -> object:
        self.asked.append(message)
        if self.errors:
            raise self.errors.pop(0)
        return SimpleNamespace(of=message)


def engine(*errors: ChildError) -> tuple[Engine, ScriptedWorker]:
    made = Engine({}, {})
    worker = ScriptedWorker(*errors)
    made._worker = worker  # type: ignore[assignment]
    return made, worker


@pytest.mark.parametrize("error", [ChildDiedError("it died"), ChildTimeoutError("no answer within 120 s")])
async def test_what_takes_the_worker_down_is_left_out(error: ChildError) -> None:
    made, worker = engine(error)
    await made.judge(SimpleNamespace())  # type: ignore[arg-type]
    assert [asked.without_integrity for asked in worker.asked] == ["", f"integrity: {error}"]


async def test_what_fails_without_integrity_as_well_is_told() -> None:
    made, _ = engine(ChildDiedError("once"), ChildDiedError("twice"))
    with pytest.raises(ChildDiedError, match="twice"):
        await made.judge(SimpleNamespace())  # type: ignore[arg-type]


async def test_a_verdict_that_raises_is_not_asked_again() -> None:
    made, worker = engine(ChildFailedError("Traceback"))
    with pytest.raises(ChildFailedError):
        await made.judge(SimpleNamespace())  # type: ignore[arg-type]
    assert len(worker.asked) == 1
