"""Around what of a value a choice is written, and what stands in for it."""

from __future__ import annotations

import pytest

from gateline.model import Frame, Origin, Problem, Question, Span
from gateline.repairs.families.none.lost_choices import diagnose, propose
from gateline.repairs.texts import Texts

HEADER = "def made(note, remark, notes):\n"


def choices(line: str, more: str = "") -> list[str]:
    """What becomes of a line in which `note` is None, the likeliest first."""
    text = f"{HEADER}    {line}\n{more}"
    place = Span.of(1, 4 + line.index("note"), 1, 8 + line.index("note"))
    frames = (Frame("notes.py", 1, "made", span=place, seen=(("note", "NoneType"), ("remark", "str"))),)
    message = "'NoneType' object has no attribute 'size'"
    problem = Problem(Origin.RUN, "AttributeError", message, "notes.py", place, frames)
    knowledge = Texts({"notes.py": text})
    diagnosis = diagnose(problem, knowledge)
    assert diagnosis is not None
    return [edit.text for repair in propose(Question(diagnosis, knowledge)) for edit in repair.edits]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("left = note.size - 1", "note.size - 1 if note is not None else None"),
        ('return "-" + note.size', '"-" + note.size if note is not None else ""'),
        ("send(note.size - 1, remark)", "note.size - 1 if note is not None else None"),
        ('text = f"{note.size}"', 'f"{note.size}" if note is not None else ""'),
    ],
)
def test_all_that_is_computed_is_chosen(line: str, expected: str) -> None:
    assert choices(line)[0] == expected


def test_what_is_handed_on_is_not_part_of_it() -> None:
    assert choices("send(note.size)") == []
    assert choices('print("%s" % (note.size,))') == []


def test_a_choice_beside_is_taken_word_by_word() -> None:
    beside = '    return remark.size + notes if remark and remark is not notes else "none"\n'
    assert choices("left = note.size + notes", beside)[0] == (
        'note.size + notes if note and note is not notes else "none"'
    )
