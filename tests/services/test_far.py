"""The far side of a child process."""

from __future__ import annotations

import pickle
import subprocess
import sys

from gateline.services.far import HEADER

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


def _said(request: object) -> tuple[list[tuple[str, object]], int]:
    """What a far side writes until its rest ends it, and how it ended."""
    body = pickle.dumps(request)
    run = subprocess.run(
        [sys.executable, "-c", _ECHO], input=HEADER.pack(len(body)) + body, stdout=subprocess.PIPE
    )
    written, messages = run.stdout, []
    while written:
        (size,) = HEADER.unpack(written[: HEADER.size])
        messages.append(pickle.loads(written[HEADER.size : HEADER.size + size]))
        written = written[HEADER.size + size :]
    return messages, run.returncode


def test_it_rests_when_the_answer_was_sent() -> None:
    assert _said("hello") == ([("part", "hello"), ("end", None)], 7)


def test_it_rests_after_a_failure_too() -> None:
    ((kind, trace),), code = _said("fail")
    assert (kind, code) == ("error", 7)
    assert "ValueError: fail" in str(trace)
