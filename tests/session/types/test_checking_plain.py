"""Ordinary runs of the type checker, a base that cannot be checked, and files written by others."""

from __future__ import annotations

import asyncio

from gateline.model import Dimension, Report, State
from support.checking_desk import BAD, GOOD, WORSE, Desk, report, settle

# Reconciliation


def plain(path: str, text: str) -> Report:
    """An ordinary run that sees a second finding on the last line."""
    return report(path, f"{text}z = ''\n", by="plain")


async def test_an_ordinary_run_replaces_what_the_engine_said(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    await desk.checking.check(document)
    desk.service.plain_report = plain
    await desk.checking.reconcile()
    assert [line.partition(" n")[0] for line in desk.shown("a.py")] == ["1 plain", "2 plain"]
    assert await desk.known() == {"a.py": ["1 plain", "2 plain"]}, "the verdict follows"
    assert len(desk.service.asked) == 1


async def test_what_the_two_agree_on_is_not_shown_again(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    desk.shows.clear()
    await desk.checking.reconcile()
    assert desk.shows == []


async def test_an_ordinary_run_about_an_older_text_changes_nothing(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    await desk.checking.check(desk.open("still.py", BAD))
    desk.service.plain_report = plain
    desk.service.hold()
    reconciling = asyncio.ensure_future(desk.checking.reconcile())
    await settle()
    desk.type("a.py", "\n" + BAD)
    desk.service.go_on()
    await reconciling
    assert "plain" not in " ".join(desk.shown("a.py"))
    assert "1 plain new" in desk.shown("still.py")


async def test_an_ordinary_run_takes_nothing_back_that_came_while_it_ran(desk: Desk) -> None:
    for path in ("a.py", "b.py", "still.py"):
        await desk.checking.check(desk.open(path, BAD))
    desk.service.plain_report = plain
    run = asyncio.Event()
    desk.service.late.append(run)
    reconciling = asyncio.ensure_future(desk.checking.reconcile())
    await settle()
    # The edit of one document changes what is found in another, of which the text stays.
    desk.service.elsewhere = {"b.py": BAD}
    desk.service.changed = {"b.py": report("b.py", BAD, by="imported")}
    await desk.checking.check(desk.type("a.py", "\n" + BAD))
    run.set()
    await reconciling
    assert desk.shown("b.py") == ["1 imported new"]
    assert "1 plain new" in desk.shown("still.py")


async def test_a_text_that_was_never_checked_is_laid_and_not_told_of(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    desk.open("b.py", BAD)
    desk.open("broken.py", "x = (''\n")
    desk.service.plain_report = plain
    await desk.checking.reconcile()
    # What the first imports may stand in the second, and in no file.
    assert {"a.py": BAD, "b.py": BAD} in desk.service.plainly
    assert desk.shown("b.py") == [] and desk.shown("broken.py") == []


async def test_where_nothing_was_checked_yet_nothing_is_asked(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    asked = len(desk.service.plainly)
    desk.type("a.py", WORSE)
    desk.open("b.py", BAD)
    await desk.checking.reconcile()
    assert len(desk.service.plainly) == asked


async def test_a_failed_ordinary_run_takes_nothing_away(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    desk.service.plain_report = lambda path, text: Report("types", Dimension.ERRORS, State.FAILED, "died")
    await desk.checking.reconcile()
    assert desk.shown("a.py") == ["1 mypy new"]


# A base that cannot be checked


def dies(path: str, text: str) -> Report:
    return Report("types", Dimension.ERRORS, State.FAILED, "died")


async def test_what_stands_on_lines_of_a_base_that_could_not_be_checked_is_not_new(desk: Desk) -> None:
    desk.service.plain_report = dies
    await desk.checking.check(desk.open("a.py", f"{GOOD}{BAD}z = ''\n", base=f"{GOOD}{BAD}"))
    assert desk.shown("a.py") == ["2 mypy old", "3 mypy new"]


async def test_a_base_that_could_not_be_checked_is_asked_about_when_runs_are_answered_again(
    desk: Desk,
) -> None:
    desk.service.plain_report = dies
    await desk.checking.check(desk.open("a.py", f"w = ''\n{BAD}", base=BAD.replace("x", "w")))
    await desk.checking.reconcile()
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    await desk.checking.check(desk.type("a.py", f"w = 1; w = ''\n{BAD}"))
    assert desk.shown("a.py") == ["1 mypy new", "2 mypy new"], "the checker could not say"
    asked = len(desk.service.plainly)
    await desk.checking.check(desk.type("a.py", f"w = 2; w = ''\n{BAD}"))
    assert len(desk.service.plainly) == asked, "no keystroke waits for what failed a moment ago"
    desk.service.plain_report = report
    await desk.checking.reconcile()
    await desk.known()
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]


# Files


async def test_files_written_by_others_have_every_open_document_checked_again(desk: Desk) -> None:
    desk.open("a.py", BAD)
    desk.open("b.py", BAD)
    await desk.known()
    desk.service.asked.clear()
    await desk.checking.files_changed(["closed.py", "a.py"])
    assert desk.service.files == ["closed.py"], "a text lies over the other"
    assert sorted(desk.service.asked) == [("a.py", BAD), ("b.py", BAD)]


async def test_saving_an_open_document_asks_nothing(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    await desk.checking.files_changed(["a.py"])
    assert desk.service.files == [] and len(desk.service.asked) == 1


async def test_files_written_by_others_may_change_what_the_base_had(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.files_changed(["a.py"])
    await desk.checking.check(desk.type("a.py", WORSE))
    assert desk.service.plainly == [{"a.py": BAD}]
