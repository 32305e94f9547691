"""Lessons travel as JSON lines, with all of their versions, and nothing is taken in by halves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateline.memory.lesson import Anchor
from gateline.session.errors import UsageError
from gateline.session.memory.exchange import Imported, exported, imported
from support.memory_desk import MemoryDesk

LINE = {
    "format": 1,
    "id": "3f9c1a2b",
    "versions": [
        {"version": 1, "at": "2026-03-01T09:30:00+00:00", "text": "Prices are rounded", "source": "person"}
    ],
}


def changed(**values: object) -> str:
    return json.dumps({**LINE, **values})


def version(**values: object) -> list[dict[str, object]]:
    return [{**LINE["versions"][0], **values}]  # type: ignore[dict-item, index]


@pytest.fixture
def filled(desk: MemoryDesk) -> MemoryDesk:
    desk.remember("The upload job times out after 30 seconds", "jobs", anchor=Anchor(symbol="upload"))
    desk.remember("The upload job times out after 60 seconds", anchor=Anchor(symbol="upload"))
    desk.remember("Prices are rounded half up")
    return desk


def test_what_was_exported_comes_in_as_it_was(filled: MemoryDesk, tmp_path: Path) -> None:
    lines = list(exported(filled.memory))
    other = MemoryDesk(tmp_path / "other")
    assert imported(other.memory, lines, "lessons") == Imported(created=2)
    assert list(exported(other.memory)) == lines
    assert imported(other.memory, lines, "lessons") == Imported(known=2)
    other.close()


def test_a_newer_version_of_elsewhere_is_taken_in(filled: MemoryDesk, tmp_path: Path) -> None:
    other = MemoryDesk(tmp_path / "other")
    imported(other.memory, list(exported(filled.memory)), "lessons")
    filled.remember("The upload job times out after 90 seconds", anchor=Anchor(symbol="upload"))
    lines = list(exported(filled.memory))
    assert imported(other.memory, lines, "lessons") == Imported(updated=1, known=1)
    assert list(exported(other.memory)) == lines
    other.close()


def test_what_says_the_same_is_known(filled: MemoryDesk) -> None:
    line = changed(versions=version(text="prices are rounded half up."))
    assert imported(filled.memory, [line], "lessons") == Imported(known=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no JSON", "lessons:2 is not a lesson that gateline exported"),
        ("[]", "lessons:2 is not a lesson that gateline exported"),
        ("{}", "no 'format'"),
        (changed(format=2), "format 2 is not 1: update gateline"),
        (changed(id=""), "must not be empty"),
        (changed(id=7), "must not be empty"),
        (changed(versions=[]), "must not be empty"),
        (changed(versions=version(source="nobody")), "'nobody' is not a valid Source"),
        (changed(versions=version(at="yesterday")), "yesterday"),
        (changed(versions=version(at="2026-03-01T09:30:00")), "no time zone"),
        (changed(versions=version(text="")), "lessons:2: the lesson is empty"),
        (changed(versions=version(anchor={"place": "x"})), "place"),
        (
            changed(versions=version(text="key AKIA" + "IOSFODNN7REALKEY")),
            "lessons:2: the lesson seems to contain a secret",
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_nothing_comes_in(
    desk: MemoryDesk, line: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        imported(desk.memory, [json.dumps(LINE), line], "lessons")
    assert desk.memory.lessons.count() == 0
