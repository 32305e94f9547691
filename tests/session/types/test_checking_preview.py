"""What is said of one function before the rest is checked."""

from __future__ import annotations

import asyncio

import pytest

from support.checking_desk import BAD, GOOD, WORSE, Desk, lines, report, settle


async def test_a_preview_is_shown_at_once_and_the_whole_is_checked_after_a_rest(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    document = desk.type("a.py", BAD)
    checked = asyncio.ensure_future(desk.checking.check(document))
    await settle()
    assert desk.shown("a.py") == ["1 mypy new"]
    assert not desk.is_done(document)
    assert desk.service.asked == [("a.py", GOOD)]
    desk.clock.wake()
    await checked
    assert desk.is_done(document)
    assert desk.service.asked == [("a.py", GOOD), ("a.py", BAD)]


async def test_a_newer_text_is_previewed_and_only_it_is_checked_as_a_whole(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checks = []
    for text in (BAD, WORSE):
        checks.append(asyncio.ensure_future(desk.checking.check(desk.type("a.py", text))))
        await settle()
    assert desk.shown("a.py") == ["1 mypy new", "2 mypy new"]
    desk.clock.wake()
    await asyncio.gather(*checks)
    assert desk.service.asked == [("a.py", GOOD), ("a.py", WORSE)]


async def test_a_verdict_does_not_wait_for_the_rest_and_is_made_of_the_whole(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checked = asyncio.ensure_future(desk.checking.check(desk.type("a.py", BAD)))
    await settle()
    assert await desk.known() == {"a.py": ["1 mypy"]}
    assert desk.service.asked == [("a.py", GOOD), ("a.py", BAD)]
    desk.clock.wake()
    await checked
    assert len(desk.service.asked) == 2


async def test_without_a_preview_nothing_rests(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    await desk.checking.check(document)
    assert desk.is_done(document)
    assert desk.service.previewed == [BAD]


async def test_where_an_edit_is_taken_back_the_checker_goes_back_too(desk: Desk) -> None:
    """Else the next edit elsewhere would be one in two places, which no preview knows."""
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checked = asyncio.ensure_future(desk.checking.check(desk.type("a.py", BAD)))
    await settle()
    document = desk.type("a.py", GOOD)
    await desk.checking.check(document)
    assert desk.shown("a.py") == []
    assert desk.is_done(document)
    assert desk.service.previewed == [GOOD, BAD, GOOD]
    desk.clock.wake()
    await checked
    assert desk.service.asked == [("a.py", GOOD)]


async def test_what_is_known_is_not_asked_again(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    for _ in range(2):
        await desk.checking.check(document)
    assert (desk.service.previewed, desk.service.asked) == ([BAD], [("a.py", BAD)])


async def test_where_the_way_back_is_no_preview_the_whole_is_checked(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checked = asyncio.ensure_future(desk.checking.check(desk.type("a.py", BAD)))
    await settle()
    desk.service.can_preview = False
    await desk.checking.check(desk.type("a.py", GOOD))
    assert desk.shown("a.py") == []
    assert desk.service.asked == [("a.py", GOOD), ("a.py", GOOD)]
    desk.clock.wake()
    await checked
    assert len(desk.service.asked) == 2


async def test_what_is_closed_during_the_rest_is_asked_about_no_more(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checked = asyncio.ensure_future(desk.checking.check(desk.type("a.py", BAD)))
    await settle()
    desk.documents.close("a.py")
    await desk.checking.close("a.py")
    desk.clock.wake()
    await checked
    assert desk.service.asked == [("a.py", GOOD)]


@pytest.mark.parametrize("is_first", [False, True], ids=["the whole", "a first answer"])
async def test_of_a_text_that_does_not_parse_only_lines_that_are_as_they_were_keep_types(
    desk: Desk, is_first: bool
) -> None:
    document = desk.open("a.py", WORSE, base=BAD)
    found = report("a.py", WORSE).findings
    if is_first:
        await desk.analysis.take_first_types(document, found)
        assert lines(desk.board.of("a.py", "types")) == ["2 mypy"], "of lines that the base does not have"
    else:
        await desk.analysis.take_types(document, found, ())
    assert not await desk.analysis.syntax(desk.type("a.py", "x = ''\ny = (\n"))
    assert lines(desk.board.of("a.py", "types")) == ([] if is_first else ["1 mypy"])


async def test_a_text_that_parses_keeps_types_until_the_checker_answers(desk: Desk) -> None:
    await desk.analysis.take_types(desk.open("a.py", WORSE), report("a.py", WORSE).findings, ())
    assert await desk.analysis.syntax(desk.type("a.py", "x = ''\ny = 'a'\n"))
    assert lines(desk.board.of("a.py", "types")) == ["1 mypy", "2 mypy"]
