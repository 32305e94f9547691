"""The server ends with the process of its client, whatever holds the connection open."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import psutil
import pytest
from editor import REAL, SCRIPTED
from real_project import committed
from test_process import INITIALIZE, INITIALIZED, SHUTDOWN, Process

from gateline.lsp import client_process
from gateline.lsp.client_process import find_client, is_alive, look, watch

SOON = 10.0
"""Seconds within which the server has to be gone, with all that it started."""


def sleeper() -> subprocess.Popen[bytes]:
    """A process that stands for an editor."""
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])


def initialize(pid: int | None, root: str | None = None) -> dict[str, object]:
    return {**INITIALIZE, "params": {"processId": pid, "rootUri": root, "capabilities": {}}}


def ended(pid: int) -> int:
    """The number of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert process.pid != pid
    return process.pid


@pytest.fixture
def editor() -> Iterator[subprocess.Popen[bytes]]:
    running = sleeper()
    yield running
    running.kill()
    running.wait()


@pytest.fixture
def server() -> Iterator[Process]:
    running = Process(*SCRIPTED, "--brisk")
    yield running
    running.process.kill()
    running.process.communicate()


def test_it_ends_with_the_editor_and_all_that_it_started(
    tmp_path: Path, editor: subprocess.Popen[bytes]
) -> None:
    committed(tmp_path, {"a.py": "X = 1\n"})
    uri = (tmp_path / "a.py").as_uri()
    opened = {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": "X: str = 1\n"}}
    server = Process(*REAL)
    try:
        server.send(initialize(editor.pid, tmp_path.as_uri()), INITIALIZED)
        server.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened})
        server.said("textDocument/publishDiagnostics")
        below = psutil.Process(server.process.pid).children(recursive=True)
        assert below
        editor.kill()
        began = time.monotonic()
        assert server.process.wait(SOON) == 1
        _, alive = psutil.wait_procs(below, timeout=SOON - (time.monotonic() - began))
        assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []
    finally:
        server.process.kill()
        server.process.communicate()


def test_a_zombie_is_no_client(server: Process, editor: subprocess.Popen[bytes]) -> None:
    server.send(initialize(editor.pid), INITIALIZED)
    server.answer(1)
    editor.kill()  # and nobody waits for it
    assert server.process.wait(SOON) == 1


def test_it_stays_while_the_editor_lives(server: Process, editor: subprocess.Popen[bytes]) -> None:
    server.send(initialize(editor.pid), INITIALIZED)
    server.answer(1)
    with pytest.raises(subprocess.TimeoutExpired):
        server.process.wait(2)
    server.send(SHUTDOWN)
    assert server.answer(99)["result"] is None


@pytest.mark.parametrize("known", [True, False], ids=["a process that cannot be seen", "null"])
def test_a_client_that_speaks_lives_though_its_process_is_not_there(server: Process, known: bool) -> None:
    """As from another container, where the number of the process means nothing."""
    server.send(initialize(ended(server.process.pid) if known else None), INITIALIZED)
    server.answer(1)
    with pytest.raises(subprocess.TimeoutExpired):
        server.process.wait(4)
    server.send(SHUTDOWN)
    assert server.answer(99)["result"] is None


def test_a_client_that_was_dead_at_the_start_ends_it(server: Process) -> None:
    server.send(initialize(ended(server.process.pid)))
    server.answer(1)
    assert server.process.wait(SOON) == 1


def test_a_child_of_ours_with_the_client_s_number_is_not_the_client(
    editor: subprocess.Popen[bytes],
) -> None:
    assert find_client(editor.pid) is None
    assert find_client(os.getpid()) is None


def test_the_process_that_started_us_is() -> None:
    found = find_client(os.getppid())
    assert found is not None
    assert is_alive(found)


def test_another_process_of_the_same_number_is_not_the_client(editor: subprocess.Popen[bytes]) -> None:
    process = look(editor.pid)
    assert process is not None
    assert is_alive(process)
    assert not is_alive(replace(process, began=process.began - 1))


def test_what_is_seen_without_psutil_is_what_that_sees(editor: subprocess.Popen[bytes]) -> None:
    seen, wanted = look(editor.pid), client_process._by_psutil(editor.pid)
    assert seen is not None
    assert (seen.pid, seen.parent, seen.is_zombie) == (wanted.pid, wanted.parent, wanted.is_zombie)
    assert wanted.parent == os.getpid()
    with pytest.raises(LookupError):
        client_process._by_psutil(ended(0))


@pytest.mark.skipif(shutil.which("unshare") is None or os.geteuid() != 0, reason="needs a namespace")
def test_in_another_namespace_the_number_says_nothing(tmp_path: Path) -> None:
    """Of two processes in the namespace one has the number that the client has outside."""
    code = (
        "import subprocess, sys; from gateline.lsp.client_process import find_client;"
        "beside = int(sys.argv[1]); print(find_client(beside) is None)"
    )
    line = f"sleep 20 & exec {sys.executable} -c '{code}' $!"
    command = ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", line]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr:
        pytest.skip(done.stderr)
    assert done.stdout.strip() == "True", done.stderr


def test_nothing_is_told_while_the_client_lives(editor: subprocess.Popen[bytes]) -> None:
    told: list[str] = []
    heard = Event()
    heard.set()
    watch(editor.pid, heard, lambda: told.append("gone"), lambda: told.append("unseen"))
    time.sleep(0.5)
    assert told == ["unseen"]  # a child of this process, which is no client
