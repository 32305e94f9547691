"""Lessons are stored once, superseded without a loss, found, handed out within bounds, and forgotten."""

from __future__ import annotations

import pytest

from gateline.memory.lesson import Anchor, Note, Outcome
from gateline.session.errors import UsageError
from gateline.session.memory.memory import LONGEST
from gateline.session.memory.requests import Recall
from support.memory_desk import MemoryDesk

ROUNDING = "Prices are rounded half up: the bank refuses other totals"
BANK = Anchor("src/bank.py", "transfer")
SECRET = "the key is AKIA" + "IOSFODNN7REALKEY"


def texts(desk: MemoryDesk, query: Recall) -> list[str]:
    return [one.lesson.note.text for one in desk.memory.recall(query).found]


def test_the_same_content_is_stored_once(desk: MemoryDesk) -> None:
    first = desk.remember(ROUNDING)
    again = desk.remember("prices  are rounded half up: the bank refuses other totals.")
    assert [first.outcome, again.outcome] == [Outcome.CREATE, Outcome.NOOP]
    assert again.lesson == first.lesson
    assert desk.memory.lessons.count() == 1


def test_a_new_version_keeps_the_old_one(desk: MemoryDesk) -> None:
    first = desk.remember("The upload job times out after 30 seconds", "jobs")
    second = desk.remember("The upload job times out after 60 seconds", "limits")
    assert second.outcome is Outcome.UPDATE
    assert second.lesson.id == first.lesson.id
    assert second.lesson.note.tags == ("jobs", "limits")
    lesson, versions = desk.memory.history(first.lesson.id)
    assert lesson == second.lesson
    assert [(one.number, one.note.text) for one in versions] == [
        (1, "The upload job times out after 30 seconds"),
        (2, "The upload job times out after 60 seconds"),
    ]


def test_another_subject_is_another_lesson(desk: MemoryDesk) -> None:
    desk.remember(ROUNDING)
    assert desk.remember("Run the migrations before the worker is started").outcome is Outcome.CREATE


def test_the_same_words_about_another_place_are_another_lesson(desk: MemoryDesk) -> None:
    said = "Never retry this call: it books twice"
    assert desk.remember(said, anchor=BANK).outcome is Outcome.CREATE
    assert desk.remember(said, anchor=Anchor("src/mail.py")).outcome is Outcome.CREATE
    assert desk.remember(said, anchor=BANK).outcome is Outcome.NOOP
    assert desk.memory.lessons.count() == 2


def test_a_place_that_was_not_named_before_is_a_new_version(desk: MemoryDesk) -> None:
    said = "Never retry this call: it books twice"
    desk.remember(said)
    placed = desk.remember(said, anchor=BANK)
    assert (placed.outcome, placed.lesson.version, placed.lesson.note.anchor) == (Outcome.UPDATE, 2, BANK)
    assert desk.remember(said).outcome is Outcome.NOOP


def test_the_lesson_of_a_place_is_found_among_many_that_say_the_same_elsewhere(desk: MemoryDesk) -> None:
    for number in range(60):
        desk.remember(
            "The job waits for 10 seconds before it gives up", anchor=Anchor(symbol=f"job_{number}")
        )
    newer = "The job waits for 30 seconds before it gives up"
    for number in range(0, 60, 7):
        assert desk.remember(newer, anchor=Anchor(symbol=f"job_{number}")).outcome is Outcome.UPDATE
    assert desk.memory.lessons.count() == 60


def test_a_lesson_is_found_by_words_and_by_place(desk: MemoryDesk) -> None:
    desk.root.joinpath("src").mkdir()
    desk.root.joinpath("src/bank.py").write_text("async def transfer():\n    pass\n")
    desk.remember(ROUNDING)
    desk.remember("Never retry this call: it books twice", anchor=BANK)
    assert texts(desk, Recall("how are prices rounded"))[0] == ROUNDING
    assert texts(desk, Recall(anchor=Anchor("src/bank.py"))) == ["Never retry this call: it books twice"]
    assert texts(desk, Recall(anchor=Anchor("src/cart.py"))) == []


def test_what_is_about_something_that_is_gone_is_not_handed_out(desk: MemoryDesk) -> None:
    desk.remember("Never retry this call: it books twice", anchor=BANK)
    out = desk.memory.recall(Recall("retry a call that books"))
    assert out.found == ()
    assert [one.stale for one in out.stale] == ["src/bank.py is gone"]
    desk.root.joinpath("src").mkdir()
    desk.root.joinpath("src/bank.py").write_text("def other(): ...\n")
    assert desk.memory.recall(Recall("retry a call that books")).stale[0].stale == (
        "transfer is gone from src/bank.py"
    )
    desk.root.joinpath("src/bank.py").write_text("class Bank:\n    def transfer(self): ...\n")
    assert len(desk.memory.recall(Recall("retry a call that books")).found) == 1


def test_no_more_is_handed_out_than_was_asked_for(desk: MemoryDesk) -> None:
    for number in range(8):
        desk.remember(f"Prices of country {number} are rounded", anchor=Anchor(symbol=f"round_{number}"))
    out = desk.memory.recall(Recall("prices rounded", most=3))
    assert (len(out.found), out.left_out) == (3, 5)
    small = desk.memory.recall(Recall("prices rounded", budget=2 * out.tokens // 3))
    assert len(small.found) == 2
    assert small.tokens <= 2 * out.tokens // 3


def test_each_use_is_noted_and_what_never_helps_sinks(desk: MemoryDesk) -> None:
    first = desk.remember("Prices are rounded half up", anchor=Anchor(symbol="one")).lesson
    second = desk.remember("Prices are rounded half even", anchor=Anchor(symbol="two")).lesson
    query = Recall("prices are rounded half", most=1)
    top = desk.memory.recall(query).found[0].lesson.id
    for _ in range(30):
        desk.memory.recall(query)
    row = desk.memory.find(top).lesson
    assert row.uses >= 5
    other = ({first.id, second.id} - {top}).pop()
    assert desk.memory.find(other).lesson.uses > 0, "the first one sank below it"
    for _ in range(60):
        desk.memory.helped([top])
    assert desk.memory.recall(query).found[0].lesson.id == top


def test_only_what_is_named_is_forgotten(desk: MemoryDesk) -> None:
    first = desk.remember(ROUNDING).lesson
    second = desk.remember("Run the migrations before the worker is started").lesson
    other = desk.another()
    assert len(other.recall(Recall("migrations worker")).found) == 1
    assert [one.id for one in desk.memory.forget([first.id])] == [first.id]
    assert texts(desk, Recall("prices rounded bank")) == []
    assert [one.lesson.id for one in other.all()] == [second.id]
    assert other.recall(Recall("prices rounded bank")).found == ()
    with pytest.raises(UsageError, match="no lesson begins with"):
        desk.memory.forget([first.id])


def test_another_process_sees_what_was_written(desk: MemoryDesk) -> None:
    other = desk.another()
    assert other.recall(Recall("prices rounded")).found == ()
    desk.remember(ROUNDING)
    assert other.remember(Note(ROUNDING)).outcome is Outcome.NOOP
    assert len(other.recall(Recall("prices rounded")).found) == 1


def test_what_was_stored_without_vectors_gets_them(desk: MemoryDesk) -> None:
    desk.another(makers=()).remember(Note("The upload job times out after 30 seconds"))
    assert desk.remember("The upload job times out after 60 seconds").outcome is Outcome.UPDATE
    assert desk.memory.lessons.without_vector(desk.makers[0].name, 10) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("  \n", "the lesson is empty"),
        ("x" * (LONGEST + 1), f"{LONGEST + 1} characters, more than the {LONGEST}"),
        (SECRET, "seems to contain a secret"),
        (f"first\n{SECRET}", "line 2 seems to contain a secret"),
    ],
    ids=["empty", "too long", "a secret", "a secret further down"],
)
def test_what_is_not_stored(desk: MemoryDesk, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        desk.remember(text)
    assert desk.memory.lessons.count() == 0


def test_a_secret_in_a_tag_is_refused(desk: MemoryDesk) -> None:
    with pytest.raises(UsageError, match="secret"):
        desk.remember(ROUNDING, SECRET)
