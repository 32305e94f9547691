"""What is shown and remembered of a type checker's answers, with a checker that answers as told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from gateline.model import Document, FileChange, FileStatus, Report
from gateline.session.types.checking import TypeChecking
from gateline.session.types.types import Types
from support.checking_desk import BAD, GOOD, WORSE, Desk, Texts, report, settle


async def test_findings_are_told_new_from_old(desk: Desk) -> None:
    document = desk.open("a.py", WORSE, base=BAD)
    await desk.checking.check(document)
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    assert desk.is_done(document)


INSERTED = GOOD + "y = ''\n"


@pytest.mark.parametrize(
    ("text", "soon", "then"),
    [
        (INSERTED, ["2 mypy new"], ["2 mypy new"]),
        (BAD, [], ["1 mypy new"]),  # what stood there before may have been as bad
    ],
    ids=["inserted", "replaced"],
)
async def test_while_the_base_is_looked_at_inserted_lines_are_shown(
    desk: Desk, text: str, soon: list[str], then: list[str]
) -> None:
    document = desk.open("a.py", text, base=GOOD)
    desk.service.answers = asyncio.Semaphore(1)
    check = asyncio.ensure_future(desk.checking.check(document))
    await asyncio.sleep(0.05)  # nothing more may come of it; what must come may take longer
    async with asyncio.timeout(30):
        while desk.shown("a.py") != soon:
            await asyncio.sleep(0.01)
    assert not desk.is_done(document)
    desk.service.go_on()
    await check
    assert desk.shown("a.py") == then and desk.is_done(document)


async def test_what_was_known_stays_while_the_base_is_looked_at(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", WORSE, base=BAD))
    desk.documents.set_bases({"a.py": Document("a.py", BAD + "\n")})
    desk.service.answers = asyncio.Semaphore(0)
    check = asyncio.ensure_future(desk.checking.check(desk.documents.buffers["a.py"]))
    await asyncio.sleep(0.05)
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    desk.service.go_on()
    await check


async def test_what_waited_for_a_base_that_moved_is_not_shown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, gate = asyncio.Event(), asyncio.Event()
    plain = desk.service.plain

    async def slow(texts: Texts) -> Mapping[str, Report]:
        if texts["a.py"] == GOOD:
            asked.set()
            await gate.wait()
        return await plain(texts)

    monkeypatch.setattr(desk.service, "plain", slow)
    document = desk.open("a.py", BAD, base=GOOD)
    late = asyncio.ensure_future(desk.checking.check(document))
    await asked.wait()
    desk.documents.forget_bases()
    desk.documents.set_bases({"a.py": Document("a.py", BAD)})
    await desk.checking.check(document)
    assert desk.shown("a.py") == ["1 mypy old"]
    gate.set()
    await late
    assert desk.shown("a.py") == ["1 mypy old"]


async def test_the_base_is_asked_about_once(desk: Desk) -> None:
    desk.open("a.py", base=BAD)
    for number in range(3):
        await desk.checking.check(desk.type("a.py", WORSE + "\n" * number))
    assert desk.service.plainly == [{"a.py": BAD}]


async def test_what_was_said_while_nothing_differed_is_the_base(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    assert desk.service.plainly == []


def write(desk: Desk) -> None:
    desk.disk.write("other.py", "y = 2\n", base="y = 1\n")


def add(desk: Desk) -> None:
    desk.open("other.py", "y = 2\n", base=None)


def move(desk: Desk) -> None:
    desk.open("other.py", "y = 1\n")
    desk.documents.set_bases({"other.py": Document("old.py", "y = 1\n")})


def leave_out(desk: Desk) -> None:
    desk.open("other.py", "y = 1\n", base="y = 1\n")
    desk.disk.rows["other.py"] = FileChange("other.py", FileStatus.MODIFIED, None, None, "too large")


@pytest.mark.parametrize("differ", [write, add, move, leave_out])
async def test_what_was_said_while_something_differed_is_not_the_base(
    desk: Desk, differ: Callable[[Desk], None]
) -> None:
    differ(desk)
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert [texts["a.py"] for texts in desk.service.plainly] == [BAD]


@pytest.mark.parametrize(
    "leave", [lambda d: d.type("b.py", GOOD), lambda d: d.documents.close("b.py")], ids=["undo", "close"]
)
async def test_what_differed_and_does_no_more_is_forgotten(desk: Desk, leave: Callable[[Desk], None]) -> None:
    desk.open("untitled:1", BAD, base=None)
    desk.open("b.py", BAD)
    leave(desk)
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert desk.service.plainly == []


async def test_bases_that_were_forgotten_may_differ(desk: Desk) -> None:
    desk.open("b.py")
    desk.documents.forget_bases()
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert [texts["a.py"] for texts in desk.service.plainly] == [BAD]


async def test_an_answer_about_an_older_text_is_not_shown(desk: Desk) -> None:
    desk.open("a.py")
    desk.service.hold()
    older = desk.type("a.py", WORSE)
    checks = [asyncio.ensure_future(desk.checking.check(older))]
    await settle()
    newest = desk.type("a.py", "\n" + BAD)
    checks.append(asyncio.ensure_future(desk.checking.check(newest)))
    await settle()
    desk.service.answers.release()
    await checks[0]
    assert desk.shown("a.py") == [] and desk.shows == [] and not desk.is_done(newest)
    desk.service.go_on()
    await checks[1]
    assert desk.shown("a.py") == ["2 mypy new"]
    assert desk.is_done(older) and desk.is_done(newest)


async def test_in_a_burst_only_the_newest_text_that_waits_is_asked_about(desk: Desk) -> None:
    desk.open("a.py")
    desk.service.hold()
    typed = [desk.type("a.py", BAD + "\n" * number) for number in range(10)]
    checks = [asyncio.ensure_future(desk.checking.check(document)) for document in typed]
    await settle()
    desk.service.go_on()
    await asyncio.gather(*checks)
    assert desk.service.asked == [("a.py", typed[-1].text)]
    assert all(map(desk.is_done, typed))


async def test_what_an_edit_does_to_another_document_is_shown_there(desk: Desk) -> None:
    other = desk.open("other.py", BAD)
    desk.service.elsewhere = {"other.py": BAD, "closed.py": BAD}
    await desk.checking.check(desk.open("a.py"))
    assert desk.shown("other.py") == ["1 mypy new"]
    assert desk.is_done(other)
    assert desk.shown("closed.py") == [] and "closed.py" not in desk.shows


async def test_what_an_edit_does_to_a_document_edited_since_is_not_shown_there(desk: Desk) -> None:
    desk.open("other.py", BAD)
    desk.service.elsewhere = {"other.py": WORSE}
    await desk.checking.check(desk.open("a.py"))
    assert desk.shown("other.py") == []


async def test_an_older_answer_about_the_same_text_is_not_shown_after_a_newer_one(desk: Desk) -> None:
    """The base's findings take long, and meanwhile another document's edit fixes this one."""
    run = asyncio.Event()
    desk.service.late = [run]
    checking = asyncio.ensure_future(desk.checking.check(desk.open("a.py", BAD, base=WORSE)))
    await asyncio.sleep(0.1)
    desk.service.elsewhere, desk.service.changed = {"a.py": BAD}, {"a.py": report("a.py", GOOD)}
    await desk.checking.check(desk.open("b.py", GOOD))
    run.set()
    await checking
    assert desk.shown("a.py") == []


async def test_types_are_done_when_the_later_of_two_checks_of_a_text_has_shown_them(desk: Desk) -> None:
    """At a start a document is checked twice: when it is opened, and when the tools are there."""
    desk.service.late = [early, late] = [asyncio.Event(), asyncio.Event()]
    document = desk.open("a.py", BAD, base=GOOD)
    checks = [asyncio.ensure_future(desk.checking.check(document)) for _ in range(2)]
    async with asyncio.timeout(30):
        while desk.service.late:
            await asyncio.sleep(0.01)
    early.set()
    await asyncio.sleep(0.05)  # the first one is over, and has left it to the second to show anything
    assert (desk.shown("a.py"), desk.is_done(document)) == ([], False)
    late.set()
    await asyncio.gather(*checks)
    assert (desk.shown("a.py"), desk.is_done(document)) == (["1 mypy new"], True)


async def test_types_are_done_when_the_answer_that_overtook_was_not_shown(desk: Desk) -> None:
    desk.service.late = [early, _] = [asyncio.Event(), asyncio.Event()]
    document = desk.open("a.py", BAD, base=GOOD)
    checks = [asyncio.ensure_future(desk.checking.check(document)) for _ in range(2)]
    async with asyncio.timeout(30):
        while desk.service.late:
            await asyncio.sleep(0.01)
    early.set()
    checks[1].cancel()
    await checks[0]
    assert desk.is_done(document)


@pytest.mark.parametrize("text", [GOOD, BAD, "x = (\n", ""])
async def test_each_version_has_its_types_done(desk: Desk, text: str) -> None:
    desk.open("a.py")
    for _ in range(3):
        document = desk.type("a.py", text)
        await desk.checking.check(document)
        assert desk.is_done(document)


async def test_a_version_has_its_types_done_even_when_the_service_fails(desk: Desk) -> None:
    desk.open("a.py")
    desk.service.fault = RuntimeError("a fault of ours")
    document = desk.type("a.py", BAD)
    with pytest.raises(RuntimeError):
        await desk.checking.check(document)
    assert desk.is_done(document)


async def test_without_a_service_there_is_nothing_to_wait_for(desk: Desk) -> None:
    checking = TypeChecking(Types(None), desk.disk, desk.documents, desk.analysis)  # type: ignore[arg-type]
    document = desk.open("a.py", BAD)
    await checking.check(document)
    assert desk.is_done(document) and desk.shown("a.py") == []


async def test_the_last_good_types_stay_while_a_text_does_not_parse(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    await desk.checking.check(desk.type("a.py", BAD + "(\n"))
    assert await desk.known() == {"a.py": ["1 mypy"]}


async def test_a_text_that_comes_back_is_not_asked_about_again(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    await desk.checking.check(document)
    again = desk.type("a.py", BAD)
    await desk.checking.check(again)
    assert desk.service.asked == [("a.py", BAD)]
    assert desk.is_done(again)
