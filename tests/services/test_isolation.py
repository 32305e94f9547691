"""What code of somebody else can do at each level: no more than the level promises."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from gateline.ranking.values import Isolation
from gateline.services.isolation.enclosure import (
    Enclosure,
    Grants,
    Quota,
    of_interpreter,
    strongest,
    works,
)

CLOSED = (Isolation.BUBBLEWRAP, Isolation.LANDLOCK)
LEVELS = (*CLOSED, Isolation.RLIMITS)
TRIED = """\
import json, os, socket, subprocess, sys
secret, outside, port, mark = sys.argv[1:]
def tried(action):
    try:
        action()
    except BaseException as error:
        return type(error).__name__
    return "done"
def connected():
    with socket.create_connection(("127.0.0.1", int(port)), 3) as one:
        one.sendall(b"x")
told = {
    "own files": tried(lambda: open("own", "w").write("x")),
    "home": tried(lambda: open(os.path.expanduser("~/mine"), "w").write("x")),
    "secret": tried(lambda: open(secret).read()),
    "outside": tried(lambda: open(outside + "/evil", "w").write("x")),
    "variable": tried(lambda: os.environ["GATELINE_SECRET"]),
    "network": tried(connected),
    "starter": tried(lambda: os.kill(int(os.environ.get("NOBODY", os.getppid())), 0)),
}
subprocess.Popen(["sh", "-c", "setsid sh -c 'sleep 300; true' " + mark + " & exit"])
print(json.dumps(told))
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("checkout", "home", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "secret").write_text("the secret")
    return tmp_path


def enclosure(level: Isolation, place: Path, **quota: int) -> Enclosure:
    if not works(level):
        pytest.skip(f"the level {level} does not work here")
    readable = of_interpreter(Path(sys.executable))
    return Enclosure(level, Grants(readable, (place / "checkout",)), Quota(**quota))


def run(closed: Enclosure, place: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = closed.command((sys.executable, "-c", code, *arguments), place / "home")
    return subprocess.run(
        command, cwd=place / "checkout", capture_output=True, text=True, timeout=100, check=False
    )


def left(mark: str) -> list[int]:
    """The processes that are still there."""
    return [
        one.pid for one in psutil.process_iter(["cmdline"]) if mark in " ".join(one.info["cmdline"] or ())
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_keeps_its_promise(level, place, monkeypatch):
    monkeypatch.setenv("GATELINE_SECRET", "x")
    mark = f"left-{os.getpid()}-{level}"
    with socket.create_server(("127.0.0.1", 0)) as server:
        arguments = (str(place / "secret"), str(place / "outside"), str(server.getsockname()[1]), mark)
        done = run(enclosure(level, place), place, TRIED, *arguments)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["own files"], told["home"], told["variable"]) == ("done", "done", "KeyError")
    closed = {name for name in ("secret", "outside", "network") if told[name] != "done"}
    assert closed == ({"secret", "outside", "network"} if level in CLOSED else set()), told
    assert (place / "outside" / "evil").exists() is (level not in CLOSED)
    assert left(mark) == []


@pytest.mark.parametrize("level", LEVELS)
def test_who_is_killed_takes_everything_along(level, place):
    mark = f"killed-{os.getpid()}-{level}"
    code = f"import subprocess, time\nsubprocess.Popen(['setsid', 'sh', '-c', 'sleep 300; true', {mark!r}])\n"
    command = enclosure(level, place).command(
        (sys.executable, "-c", code + "print('on', flush=True)\ntime.sleep(300)"), place / "home"
    )
    process = subprocess.Popen(
        command, cwd=place / "checkout", stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    process.kill()
    process.wait()
    until = time.monotonic() + 20
    while left(mark) and time.monotonic() < until:
        time.sleep(0.05)
    assert left(mark) == []
    process.stdout.close()


@pytest.mark.parametrize("level", LEVELS)
def test_memory_and_files_are_limited(level, place):
    code = """\
import resource
try:
    bytearray(3 << 30)
except MemoryError:
    print("memory", flush=True)
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open("big", "wb") as file:
        file.write(bytes(2 << 20))
except OSError:
    print("file", flush=True)
"""
    done = run(enclosure(level, place, memory=1 << 30, file_size=1 << 20), place, code)
    assert done.stdout.split() == ["memory", "file"], done.stderr


def test_what_cannot_be_started_is_told(place):
    closed = enclosure(strongest(), place)
    done = subprocess.run(
        closed.command(("/no/such/program",), place / "home"), capture_output=True, text=True, check=False
    )
    assert done.returncode
    assert "/no/such/program" in done.stderr


def test_without_a_level_the_program_is_started_as_it_is(place):
    assert Enclosure(Isolation.NONE).command(("a", "b"), place) == ("a", "b")


def test_an_interpreter_in_a_home_folder_opens_none_of_it(tmp_path):
    """`~/bin/python`, and an environment of it that is a link."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / ".ssh").mkdir()
    python = tmp_path / "bin" / "python"
    python.write_text("")
    made = tmp_path / "project" / "made"
    (made / "bin").mkdir(parents=True)
    (made / "pyvenv.cfg").write_text(f"home = {tmp_path}/bin\n")
    (made / "bin" / "python").symlink_to(python)
    link = tmp_path / "project" / ".venv"
    link.symlink_to(made)
    assert set(of_interpreter(python)) == {python, tmp_path / "bin", tmp_path / "lib"}
    needed = set(of_interpreter(link / "bin" / "python"))
    assert needed == {link / "bin" / "python", link, made, tmp_path / "bin", tmp_path / "lib"}
