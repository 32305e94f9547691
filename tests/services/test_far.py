"""The far side of a child process."""

from __future__ import annotations

import pickle
import subprocess
import sys

from gateline.services.far import HEADER, Told, framed

_ECHO = """
from gateline.services import far

def answer(request):
    if request == "fail":
        raise ValueError(request)
    yield request

def rest():
    raise SystemExit(7)

far.serve(answer, rest)
"""


_HEARING = """
import queue
from gateline.services import far

heard = queue.SimpleQueue()

def answer(request):
    yield "what is it?"
    yield heard.get(timeout=20)

far.serve(answer, hear=heard.put, hears_at_work=True)
"""


def _said(request: object) -> tuple[list[tuple[str, object]], int]:
    """What a far side writes until its rest ends it, and how it ended."""
    run = subprocess.run([sys.executable, "-c", _ECHO], input=framed(request), stdout=subprocess.PIPE)
    return _messages(run.stdout), run.returncode


def _messages(written: bytes) -> list[tuple[str, object]]:
    messages = []
    while written:
        (size,) = HEADER.unpack(written[: HEADER.size])
        messages.append(pickle.loads(written[HEADER.size : HEADER.size + size]))
        written = written[HEADER.size + size :]
    return messages


def test_it_rests_when_the_answer_was_sent() -> None:
    assert _said("hello") == ([("part", "hello"), ("end", None)], 7)


def test_it_rests_after_a_failure_too() -> None:
    ((kind, trace),), code = _said("fail")
    assert (kind, code) == ("error", 7)
    assert "ValueError: fail" in str(trace)


def test_it_hears_while_it_works_and_ends_with_its_input() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", _HEARING], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert program.stdin is not None and program.stdout is not None
    program.stdin.write(framed("begin"))
    program.stdin.flush()
    (size,) = HEADER.unpack(program.stdout.read(HEADER.size))
    assert pickle.loads(program.stdout.read(size)) == ("part", "what is it?")
    written, _ = program.communicate(framed(Told("a reply")), timeout=30)
    assert _messages(written) == [("part", "a reply"), ("end", None)]
    assert program.returncode == 0
