"""A process that is begun before anybody knows who will ask it."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from gateline.services import spawning
from gateline.services.child import Child, ChildFailedError
from gateline.services.types.messages import FAR, Foresee
from gateline.session.compare import service as comparing
from gateline.session.refinement import service as refining

pytestmark = pytest.mark.timeout(30)


async def answers(child: Child) -> bool:
    """Whether a question comes back, if only as one that nobody understands."""
    with pytest.raises(ChildFailedError, match="unknown request"):
        await child.ask(object(), 20)
    return True


async def test_the_first_who_asks_takes_it() -> None:
    await spawning.begin(FAR)
    first, second = Child(FAR), Child(FAR)
    (early,) = (one.process.pid for one in spawning._begun.values())
    assert await answers(first)
    assert first.pid == early
    assert await answers(second)
    assert second.pid != early
    await asyncio.gather(first.stop(), second.stop())


async def test_one_with_another_priority_is_not_taken() -> None:
    await spawning.begin(FAR)
    patient = Child(FAR, nice=5)
    await patient.warm()
    assert FAR in spawning._begun
    await asyncio.gather(patient.stop(), spawning.end())


async def test_one_with_the_same_priority_is() -> None:
    await spawning.begin(FAR, 5)
    early = spawning._begun[FAR].process
    patient = Child(FAR, nice=5)
    assert await answers(patient)
    assert patient.pid == early.pid
    await patient.stop()


async def test_one_that_died_meanwhile_is_replaced() -> None:
    await spawning.begin(FAR)
    early = spawning._begun[FAR].process
    early.kill()
    await early.wait()
    child = Child(FAR)
    assert await answers(child)
    await child.stop()


async def test_one_that_nobody_takes_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawning, "UNWANTED", 0.05)
    await spawning.begin(FAR)
    early = spawning._begun[FAR].process
    assert await asyncio.wait_for(early.wait(), 10) == -9
    assert not spawning._begun


async def test_what_it_started_is_ended_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(flush=True); input()'])"
    monkeypatch.setattr(spawning, "command_of", lambda _: [sys.executable, "-c", code])
    await spawning.begin(FAR)
    output = spawning._begun[FAR].process.stdout
    assert output is not None
    await output.readline()
    await spawning.end()
    assert await asyncio.wait_for(output.read(), 10) == b"", "nobody has it any more"


async def test_what_it_is_told_has_no_answer() -> None:
    spawning.tell(FAR, "nobody is there to hear it")
    await spawning.begin(FAR)
    spawning.tell(FAR, Foresee("/no/such/record", trusted=False))
    child = Child(FAR)
    assert await answers(child)
    await child.stop()


@pytest.mark.parametrize("module", [comparing.FAR, refining.FAR])
def test_what_works_for_minutes_starts_and_ends_with_its_pipe(module: str) -> None:
    """Tests of sessions fork these two: whether an interpreter can import them is seen here."""
    done = subprocess.run(spawning.command_of(module), input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
