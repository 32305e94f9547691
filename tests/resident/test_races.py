"""What goes wrong between processes: nothing hangs, and nothing is lost."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gateline.resident import places, starting
from gateline.resident.connection import Connection, GoneError, LateError, RefusedError, connect
from gateline.resident.framing import LONGEST
from gateline.resident.registration import Registration, registrations
from support.repositories import Repository


@pytest.fixture
def root(shop: Repository) -> str:
    return str(shop.folder)


def alive(connection: Connection) -> bool:
    answer = connection.ask("gateline/check", {"level": "early", "patience": 60_000}, 60)
    return bool(answer["fresh"])


def kill(number: int) -> None:
    os.kill(number, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(number, 0)
    until = time.monotonic() + 10
    while Path(f"/proc/{number}").exists() and time.monotonic() < until:
        time.sleep(0.01)


def raw(registration: Registration, *data: bytes) -> bytes:
    """What the socket says to these bytes, until it closes or says nothing more."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(10)
        channel.connect(registration.address)
        for part in data:
            channel.sendall(part)
        return channel.recv(1 << 16)


def test_two_that_start_it_at_once_are_answered_by_one(root: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: connect(root, seconds=30), range(4)))
    assert len({connection.registration.pid for connection in made}) == 1
    assert all(map(alive, made))
    for connection in made:
        connection.close()


def test_one_that_was_killed_is_replaced(root: str) -> None:
    with connect(root, seconds=30) as first:
        kill(first.registration.pid)
        with pytest.raises(GoneError, match="ended"):
            first.ask("gateline/check", {}, 5)
    assert registrations(root), "it could not take back what it wrote"
    with connect(root, seconds=30) as second:
        assert second.registration.pid != first.registration.pid
        assert alive(second)


def test_a_socket_that_nobody_listens_on_is_passed_over(root: str) -> None:
    folder = Path(places.workspace_folder(root))
    folder.mkdir(mode=0o700, exist_ok=True)
    with connect(root, seconds=30) as running:
        stale = running.registration._replace(
            kind="editor", pid=4_000_000, address=str(folder / "editor.sock")
        )
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(stale.address)
    (folder / "editor-4000000.json").write_text(json.dumps(stale._asdict()))
    with connect(root) as found:
        assert found.registration.kind == "engine"
    assert not (folder / "editor-4000000.json").exists() and not Path(stale.address).exists()


def test_what_is_written_there_and_is_no_registration_is_passed_over(root: str) -> None:
    folder = Path(places.workspace_folder(root))
    folder.mkdir(mode=0o700, exist_ok=True)
    for name, text in (("a", ""), ("b", "[]"), ("c", '{"kind": 1}'), ("d", "\0")):
        (folder / f"{name}.json").write_text(text)
    with connect(root, seconds=30) as found:
        assert alive(found)


def test_a_listener_that_says_nothing_is_not_waited_for(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateline.resident.connection._HELLO", 0.1)
    folder = Path(places.workspace_folder(root))
    with connect(root, seconds=30) as running:
        mute = running.registration._replace(
            kind="editor", pid=os.getpid(), address=str(folder / "mute.sock")
        )
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(mute.address)
        silent.listen()
        (folder / f"editor-{os.getpid()}.json").write_text(json.dumps(mute._asdict()))
        with connect(root) as found:
            assert found.registration.kind == "engine"
    (folder / f"editor-{os.getpid()}.json").unlink()


def test_an_engine_that_stands_still_is_given_up_in_time(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with connect(root, seconds=30) as running:
        os.kill(running.registration.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises((LateError, GoneError)):
                connect(root, seconds=1)
            with pytest.raises(LateError):
                running.ask("gateline/check", {}, 0.2)
            assert time.monotonic() - began < 5
        finally:
            os.kill(running.registration.pid, signal.SIGCONT)
        assert alive(running)


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(starting, "make_own", full)
    with pytest.raises(GoneError, match="No space left"):
        connect(str(tmp_path))


def test_an_engine_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "_spawned", _fails)
    with pytest.raises(GoneError, match="ended while starting: No module named 'pygls'"):
        connect(str(tmp_path), seconds=10)


def _fails(root: str, folder: str) -> Any:
    import subprocess
    import sys

    Path(folder, starting.LOG).write_text("first line\nNo module named 'pygls'\n")
    return subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])


def test_a_folder_that_others_can_enter_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_one = tmp_path / "gateline"
    open_one.mkdir(mode=0o755)
    open_one.chmod(0o755)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not places.run_folder().startswith(str(tmp_path))
    open_one.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    open_one.symlink_to(tmp_path / "elsewhere")
    assert not places.run_folder().startswith(str(tmp_path))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "begin with Content-Length"),
        (b"Content-Length: %d\r\n\r\n" % (LONGEST + 1), "a message has at most"),
        (b"Content-Length: -1\r\n\r\n", "a message has at most"),
        (b"Content-Length: 3\r\n\r\n{]}", "must be JSON"),
        (b"Content-Length: 2\r\n\r\n[]", "JSON object"),
        (b'Content-Length: 37\r\n\r\n{"id": 1, "method": "gateline/check"}', "token"),
    ],
)
def test_who_does_not_know_the_token_is_told_nothing_else(root: str, data: bytes, told: str) -> None:
    with connect(root, seconds=30) as running:
        assert told in raw(running.registration, data).decode()
        assert alive(running)


def test_a_wrong_token(root: str) -> None:
    with connect(root, seconds=30) as running:
        stranger = running.registration._replace(token="guessed")
        body = json.dumps(
            {"id": 1, "method": "gateline/resident/open", "params": {"token": "guessed"}}
        ).encode()
        said = raw(stranger, b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert b"not that of this session" in said


def test_a_client_that_goes_takes_its_questions_along(root: str) -> None:
    gone = connect(root, seconds=30)
    with pytest.raises(LateError):
        gone.ask("gateline/checkpoint/evaluate", {"level": "final"}, 0.01)
    gone.close()
    with connect(root) as running:
        assert alive(running)


def test_many_ask_at_once(root: str) -> None:
    def ask(_: int) -> bool:
        with connect(root, seconds=30) as one:
            return alive(one)

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(24)))
    assert threading.active_count() < 20


def test_an_error_of_ours_is_an_answer(root: str) -> None:
    with connect(root, seconds=30) as running, pytest.raises(RefusedError):
        running.ask("gateline/task/show", {"task": "\0"}, 20)


@pytest.fixture(autouse=True)
def nothing_stands_still(root: str) -> Iterator[None]:
    yield
    for registration in registrations(root):
        if registration.kind == "engine" and Path(f"/proc/{registration.pid}").exists():
            os.kill(registration.pid, signal.SIGCONT)
