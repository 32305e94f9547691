"""Which lessons are put before work unasked, and what recurs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gateline.memory.lesson import Anchor, Lesson, Note, Source
from gateline.memory.recurring import Fix, lesson_of
from gateline.memory.reminders import Occasion, reminders

AT = datetime(2026, 3, 1, tzinfo=UTC)
OCCASION = Occasion(("refinement",), ("a.py",), "tax")


def lesson(
    name: str, *tags: str, anchor: str = "", source: Source = Source.PERSON, **detail: object
) -> Lesson:
    at = AT + timedelta(minutes=ord(name[0]))
    return Lesson(name, 1, Note(name, tags, Anchor(anchor), source, detail), at, at)


def test_regressions_come_first_then_failures_fixes_and_the_rest_of_the_files() -> None:
    known = [
        lesson("d", anchor="a.py"),
        lesson("e", "fix", anchor="a.py", source=Source.FIX),
        lesson("f", "eval-failure", "refinement", source=Source.EVAL),
        lesson("g", "regression", "score", source=Source.REGRESSION, branch="tax"),
        lesson("h", "eval-failure", "slugs", "regression", anchor="a.py", source=Source.EVAL),
    ]
    found = reminders(known, OCCASION)
    assert [(one.lesson.id, one.why) for one in found] == [
        ("h", ("a regression about a.py",)),
        ("g", ("a regression on tax",)),
        ("f", ("an eval failed of refinement",)),
        ("e", ("a fix about a.py",)),
        ("d", ("about a.py",)),
    ]


def test_what_concerns_other_operations_branches_and_files_is_not_told() -> None:
    others = [
        lesson("a", anchor="b.py"),
        lesson("b", "eval-failure", "slugs", "regression", source=Source.EVAL),
        lesson("c", "regression", "score", source=Source.REGRESSION, branch="main"),
        lesson("d", "refinement"),
    ]
    assert reminders(others, OCCASION) == []
    assert reminders([lesson("c", "regression", source=Source.REGRESSION, branch="")], Occasion()) == []


def test_the_same_failure_and_fix_have_one_fingerprint_whatever_the_numbers_are() -> None:
    one = Fix("IndexError: 3 is out of range", "Guard against an empty list", "a.py")
    assert one.fingerprint == Fix("IndexError:  17 is out of range", one.way, "b.py").fingerprint
    assert one.fingerprint != Fix(one.failure, "Catch it").fingerprint
    note = lesson_of(one, 2, frozenset({"a.py"}))
    assert note.anchor == Anchor("a.py")
    assert note.text == (
        "Recurring failure: IndexError: 3 is out of range. "
        "It was fixed 2 times the same way: Guard against an empty list"
    )
