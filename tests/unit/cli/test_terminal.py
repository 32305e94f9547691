"""Colours, widths, and what cannot harm a terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.cli.terminal import clipped, columns, harmless, progress, wants_colour


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environment", "stream", "expected"),
    [
        ("auto", {}, Terminal(), True),
        ("auto", {}, io.StringIO(), False),
        ("auto", {"TERM": "dumb"}, Terminal(), False),
        ("auto", {"NO_COLOR": "1"}, Terminal(), False),
        ("auto", {"NO_COLOR": ""}, Terminal(), True),
        ("auto", {"FORCE_COLOR": "1"}, io.StringIO(), True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, Terminal(), False),
        ("always", {"NO_COLOR": "1"}, io.StringIO(), True),
        ("never", {"FORCE_COLOR": "1"}, Terminal(), False),
    ],
)
def test_when_there_are_colours(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    environment: dict[str, str],
    stream: io.StringIO,
    expected: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(choice, stream) is expected


@given(st.text())
def test_harmless_text_is_one_line_of_the_same_length(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert not set(shown) & set("\x1b\r\n\x9b\u202e")
    assert harmless(shown) == shown


@given(st.text(), st.integers(0, 80))
def test_clipped_text_fits_and_begins_like_the_whole(text: str, room: int) -> None:
    cut = clipped(text, room)
    assert columns(cut) <= max(room, 0) or cut == text
    assert text.startswith(cut.removesuffix("…"))


def test_there_is_no_progress_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as tell:
        tell("a step")
    assert capsys.readouterr().err == ""


def test_progress_waits_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr("gateline.cli.terminal.Timer", lambda seconds, work: _Timer(begun, seconds))
    with progress() as tell:
        tell("a step [with/markup]")
    assert begun == [0.5, -1.0], "started with its patience, and cancelled"


class _Timer:
    def __init__(self, log: list[float], seconds: float) -> None:
        self.log, self.seconds, self.daemon = log, seconds, False

    def start(self) -> None:
        self.log.append(self.seconds)

    def cancel(self) -> None:
        self.log.append(-1.0)
