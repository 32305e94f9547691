"""Tests that go wild end in a clear state, cost only themselves, and leave nothing (the fixture looks)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import psutil
import pytest
from runner_project import QUIET, MakeRunner, RunnerProject

from gateline.services.tests.far.contents.texts import Texts
from gateline.services.tests.far.stack import Stack
from gateline.testing.result import Result

pytestmark = pytest.mark.timeout(90)


def said(result: Result) -> tuple[str, str]:
    assert result.failure is not None
    return result.ending.value, result.failure.problem.message


WILD = {
    "endless loop": ("while True: pass", "timeout", "it took more than 2 s"),
    "sleep": ("import time; time.sleep(100)", "timeout", "it took more than 2 s"),
    "exit": ("import os; os._exit(3)", "crashed", "the process ended (exit code 3)"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "crashed", "the process ended (killed by SIGSEGV)"),
    "abort": ("import os; os.abort()", "crashed", "the process ended (killed by SIGABRT)"),
    "memory": ("bytearray(2 << 30)", "failed", ""),
    "interrupt": ("raise KeyboardInterrupt", "crashed", ""),
    "system exit": ("raise SystemExit(1)", "failed", "1"),
    "recursion": ("def f(): f()\n    f()", "failed", "maximum recursion depth"),
}


async def test_each_runaway_costs_only_itself(make: MakeRunner) -> None:
    names = {f"test_{number}": wild for number, wild in enumerate(WILD.values())}
    text = "".join(f"def {name}():\n    {body}\n\n" for name, (body, _, _) in names.items())
    project = make(
        {"test_wild.py": text + "def test_last():\n    pass\n"}, limits={"test": 2, "memory": 512 << 20}
    )
    results = {name.split("::")[1]: result for name, result in (await project.run()).items()}
    assert results.pop("test_last").ending == "passed"
    for name, (_, ending, message) in names.items():
        assert said(results[name])[0] == ending
        assert said(results[name])[1].startswith(message)


async def test_what_hangs_is_shown_where_it_hangs(make: MakeRunner) -> None:
    project = make(
        {
            "conftest.py": """
                import time, pytest

                @pytest.fixture
                def slow():
                    time.sleep(100)
            """,
            "test_it.py": "def test_it(slow):\n    pass\n\ndef test_other():\n    pass\n",
        },
        limits={"test": 3},
    )
    results = await project.run()
    hanging = results["test_it.py::test_it"]
    assert said(hanging) == ("timeout", "it took more than 3 s")
    assert hanging.failure is not None
    frame = hanging.failure.problem.frames[-1]
    assert (frame.path, frame.line, frame.function) == ("conftest.py", 5, "slow")
    assert results["test_it.py::test_other"].ending == "passed"


async def test_a_whole_run_has_its_time_too(make: MakeRunner) -> None:
    body = "import time\n" + "".join(f"def test_{n}():\n    time.sleep(1.2)\n" for n in range(9))
    project = make({"test_it.py": body}, limits={"total": 3})
    run = await project.answer()
    assert {result.ending for result in run.results} == {"passed"}
    # Nobody knows how the one that it ended in would have ended.
    assert run.left == tuple(f"test_it.py::test_{n}" for n in range(len(run.results), 9))
    assert len(run.left) > 4


async def test_processes_that_detach_are_ended_with_the_run(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                import os, subprocess, sys

                def test_daemon():
                    code = "import os, time; os.fork() or os.setsid(); time.sleep(1000)"
                    subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
                    if not os.fork():
                        os.setsid()
                        os.execlp("sleep", "sleep", "1000")
            """
        }
    )
    assert set((await project.endings()).values()) == {"passed"}
    assert [line for line in project.processes() if "start.py" not in line] == []


async def test_a_fork_bomb_is_ended(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                import os, time

                def test_bomb():
                    end = time.time() + 20
                    while time.time() < end:
                        os.fork()
                        time.sleep(0.02)

                def test_after(): pass
            """
        },
        limits={"processes": 20},
    )
    results = await project.run()
    assert said(results["test_it.py::test_bomb"]) == ("crashed", "it started more than 20 processes")
    assert results["test_it.py::test_after"].ending == "passed"


async def test_a_flood_of_output_ends(make: MakeRunner) -> None:
    project = make(
        {
            "test_it.py": """
                def test_flood():
                    while True:
                        print("x" * 1000000)

                def test_after(): pass
            """
        },
        limits={"test": 20},
    )
    results = await project.run()
    assert results["test_it.py::test_flood"].is_bad
    failure = results["test_it.py::test_flood"].failure
    assert failure is not None and len(failure.output) < 10_000
    assert results["test_it.py::test_after"].ending == "passed"


async def test_a_newer_request_ends_what_runs_and_keeps_what_is_collected(make: MakeRunner) -> None:
    project = make({"test_it.py": "import time\ndef test_quick(): pass\ndef test_slow(): time.sleep(50)\n"})
    await project.runner.discover({})
    began: asyncio.Event = asyncio.Event()
    first = asyncio.ensure_future(
        project.answer("test_it.py::test_quick", "test_it.py::test_slow", on_result=lambda r: began.set())
    )
    await began.wait()
    (leader,) = project.runner.pids[1:]
    second = await project.answer("test_it.py::test_quick")
    replaced = await first
    assert (replaced.replaced, [r.id for r in replaced.results]) == (True, ["test_it.py::test_quick"])
    assert (second.replaced, [r.ending.value for r in second.results], second.recollected) == (
        False,
        ["passed"],
        "",
    )
    assert not psutil.pid_exists(leader)


async def test_who_stops_waiting_ends_the_run(make: MakeRunner) -> None:
    project = make({"test_it.py": "def test_quick(): pass\ndef test_loop():\n    while True: pass\n"})
    await project.runner.discover({})
    began: asyncio.Event = asyncio.Event()
    task = asyncio.ensure_future(project.answer(on_result=lambda r: began.set()))
    await began.wait()
    (leader,) = project.runner.pids[1:]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not psutil.pid_exists(leader)
    run = await project.answer("test_it.py::test_quick")
    assert [r.ending.value for r in run.results] == ["passed"]


async def test_a_collection_that_hangs_is_ended_and_shown(make: MakeRunner) -> None:
    project = make(
        {"test_it.py": "import time\ntime.sleep(100)\ndef test_it(): pass\n"}, limits={"collection": 5}
    )
    run = await project.answer()
    assert run.reason == "collecting the tests took more than 5 s"
    assert run.errors[0].failure.problem.path == "test_it.py"
    assert run.errors[0].failure.problem.line == 1


def test_a_traceback_is_waited_for(tmp_path: Path) -> None:
    stack = Stack(Texts(str(tmp_path)), str(tmp_path))
    code = f"""
        import faulthandler, signal
        faulthandler.register(signal.SIGXCPU, file={stack.fileno()})
        def hangs():
            print(flush=True)
            while True: signal.pause()
        hangs()
        """
    command = [sys.executable, "-c", dedent(code)]
    with subprocess.Popen(command, pass_fds=[stack.fileno()], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        # As on a machine on which it has to wait for its turn.
        threading.Timer(0.4, process.send_signal, [signal.SIGCONT]).start()
        stack.interrupt(process.pid)
        process.kill()
    assert "in hangs" in stack.text()


async def test_a_collection_that_dies_is_told(make: MakeRunner) -> None:
    project = make({"test_it.py": "import os\nos._exit(7)\n"})
    run = await project.answer()
    assert run.reason == "the process exited while it collected the tests (exit code 7)"


async def test_a_killed_collection_comes_back(make: MakeRunner) -> None:
    project = make({"test_it.py": "def test_it(): pass\n"})
    await project.run()
    keeper = psutil.Process(project.runner.pids[0])
    (collector,) = keeper.children()
    collector.kill()
    run = await project.answer()
    assert "has ended (killed by SIGKILL)" in run.reason
    assert await project.endings() == {"test_it.py::test_it": "passed"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_killed_keeper_takes_all_along(make: MakeRunner, number: int) -> None:
    project = make({"test_it.py": "def test_quick(): pass\ndef test_loop():\n    while True: pass\n"})
    await project.runner.discover({})
    began: asyncio.Event = asyncio.Event()
    task = asyncio.ensure_future(project.answer(on_result=lambda r: began.set()))
    await began.wait()
    os.kill(project.runner.pids[0], number)
    run = await task
    assert "ended before it answered" in run.reason
    assert await project.endings("test_it.py::test_quick") == {"test_it.py::test_quick": "passed"}


def test_a_killed_gateline_leaves_nothing(tmp_path: Path) -> None:
    project = RunnerProject(
        tmp_path / "project",
        {"test_it.py": "import subprocess\ndef test_it():\n    subprocess.run(['sleep', '1000'])\n"},
        {},
    )
    code = f"""
        import asyncio, pathlib
        from gateline.services.tests.options import TestOptions
        from gateline.services.tests.runner import TestRunner
        async def main():
            root, python = pathlib.Path({str(project.root)!r}), {sys.executable!r}
            options = TestOptions(root, python, environment={QUIET!r})
            runner = TestRunner(options)
            asyncio.get_running_loop().call_later(0.1, poll, runner)
            await runner.run(None, {{}})
        def poll(runner):
            if len(runner.pids) > 1:
                print(runner._private, flush=True)
            else:
                asyncio.get_running_loop().call_later(0.1, poll, runner)
        asyncio.run(main())
    """
    with subprocess.Popen([sys.executable, "-c", dedent(code)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        project.temporary = process.stdout.readline().strip()
        assert project.processes() != []
        process.kill()
    for _ in range(100):
        if not project.processes() and not Path(project.temporary).exists():
            break
        psutil.wait_procs([], timeout=0.1)
    project.must_have_left_nothing()
