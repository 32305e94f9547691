"""What a verdict is made of, of a type checker's answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from gateline.model import Change, Document, FileChange, FileStatus, Report
from gateline.services.types.checked import Checked
from support.checking_desk import BAD, GOOD, WORSE, Desk, Service, lines, report, settle


async def test_a_row_of_the_change_has_no_version_and_is_asked_about_all_the_same(desk: Desk) -> None:
    """An open document's row was once taken for an older text, and the score was 100."""
    desk.open("a.py")
    assert desk.type("a.py", BAD).version == 2
    (row,) = desk.disk.change(desk.documents.bases, desk.documents.buffers).files
    assert row.current is not None and row.current.version is None
    assert await desk.known() == {"a.py": ["1 mypy"]}
    assert desk.shown("a.py") == ["1 mypy new"], "what a verdict counts is shown"


async def test_a_verdict_does_not_ask_again_what_the_typing_asked(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    assert await desk.known() == await desk.known() == {"a.py": ["1 mypy"]}
    assert len(desk.service.asked) == 1


async def test_closed_files_of_the_change_are_asked_about(desk: Desk) -> None:
    desk.disk.write("closed.py", BAD, base=GOOD)
    assert await desk.known() == await desk.known() == {"closed.py": ["1 mypy"]}
    assert desk.service.asked == [("closed.py", BAD)]
    assert desk.shows == []


async def test_of_a_closed_file_that_no_longer_parses_nothing_is_told(desk: Desk) -> None:
    """Twin: while somebody types, the types of the last text that parses stay."""
    desk.disk.write("closed.py", BAD, base=GOOD)
    desk.open("open.py")
    desk.type("open.py", BAD)
    assert await desk.known() == {"closed.py": ["1 mypy"], "open.py": ["1 mypy"]}
    desk.disk.write("closed.py", "x = (\n", base=GOOD)
    desk.type("open.py", "x = (\n")
    assert await desk.known() == {"open.py": ["1 mypy"]}


async def test_the_verdict_knows_both_sides(desk: Desk) -> None:
    desk.disk.write("closed.py", WORSE, base=BAD)
    desk.disk.write("added.py", BAD)
    typed = await desk.checking.known(desk.disk.change({}, {}))
    assert lines(typed.base["closed.py"].findings) == ["1 mypy"]
    assert desk.service.plainly == [{"closed.py": BAD, "added.py": None}], "what is new is not in the base"


async def test_the_same_documents_of_another_base_are_asked_about(desk: Desk) -> None:
    """They may import what was deleted in a commit since; a write alone changes nothing that they import."""
    desk.disk.write("closed.py", WORSE, base=BAD)
    await desk.known()
    await desk.checking.files_changed(["imported.py"])
    await desk.known()
    assert desk.service.plainly == [{"closed.py": BAD}]
    desk.disk.commit = "another"
    await desk.known()
    assert desk.service.plainly == [{"closed.py": BAD}] * 2


async def test_no_change_is_nothing_to_ask(desk: Desk) -> None:
    desk.open("a.py")
    assert await desk.known() == {}
    assert desk.service.asked == desk.service.plainly == []


async def test_importers_are_asked_about_where_the_change_only_deletes(desk: Desk) -> None:
    """Twin: without importers nobody is asked about what is there now."""
    gone = FileChange("gone.py", FileStatus.DELETED, Document("gone.py", GOOD), None)
    change = Change("base", "base", (gone,))
    assert (await desk.checking.known(change)).current == {}
    assert desk.service.asked == []
    importer = Document("importer.py", "import gone\n")
    desk.service.changed = {"importer.py": report("importer.py", BAD)}
    typed = await desk.checking.known(change, [importer])
    assert lines(typed.current["importer.py"].findings) == ["1 mypy"]
    assert desk.service.asked == [("importer.py", "import gone\n")]


async def test_importers_that_are_closed_are_told_together(desk: Desk) -> None:
    """Each alone may bring so many modules that the checker is built anew: 30 files of tests cost 30 s."""
    told: list[dict[str, str | None]] = []

    class Expecting(Service):
        def expect(self, texts: Mapping[str, str | None]) -> None:
            self.elsewhere |= {path: text for path, text in texts.items() if text is not None}

        async def plain_soon(self, texts: Mapping[str, str | None]) -> Mapping[str, Report]:
            return await self.plain(texts)

        async def update(self, texts: Mapping[str, str | None]) -> Checked:
            told.append(dict(texts) | self.elsewhere)
            return await super().update(texts)

    desk.checking.types.service = Expecting()
    importers = [Document(f"{name}.py", BAD) for name in "bcd"]
    await desk.checking.known(Change("base", "base"), importers)
    assert desk.checking.seen(importers) == importers
    assert told == [{"b.py": BAD, "c.py": BAD, "d.py": BAD}]


async def test_importers_that_are_seen_are_open_or_were_checked(desk: Desk) -> None:
    opened, closed = desk.open("b.py"), Document("c.py", GOOD)
    assert desk.checking.seen([opened, closed]) == [opened]
    await desk.checking.known(Change("base", "base"), [opened, closed])
    assert desk.checking.seen([opened, closed, Document("c.py", BAD)]) == [opened, closed]


async def test_texts_of_closed_files_are_taken_back_when_the_change_has_them_no_more(desk: Desk) -> None:
    for path in ("one.py", "two.py"):
        desk.disk.write(path, BAD, base=GOOD)
    await desk.known()
    del desk.disk.rows["one.py"]
    await desk.known()
    assert desk.service.closed == ["one.py"]
    del desk.disk.rows["two.py"]
    await desk.known()
    await desk.known()
    assert desk.service.closed == ["one.py", "two.py"]


async def test_a_closed_file_that_was_opened_since_is_not_taken_back(desk: Desk) -> None:
    desk.disk.write("one.py", BAD, base=GOOD)
    await desk.known()
    desk.open("one.py")
    del desk.disk.rows["one.py"]
    await desk.known()
    assert desk.service.closed == []


async def test_a_closed_document_s_file_is_asked_about_anew(desk: Desk) -> None:
    desk.disk.write("a.py", WORSE, base=GOOD)
    await desk.checking.check(desk.open("a.py", BAD))
    desk.documents.close("a.py")
    await desk.checking.close("a.py")
    assert await desk.known() == {"a.py": ["1 mypy", "2 mypy"]}
    assert desk.service.closed == ["a.py"]
    assert desk.service.asked == [("a.py", BAD), ("a.py", WORSE)]


async def test_a_text_closed_while_it_was_checked_is_not_known_when_it_is_opened_again(desk: Desk) -> None:
    desk.service.hold()
    checking = asyncio.ensure_future(desk.checking.check(desk.open("a.py", BAD)))
    await settle()
    desk.documents.close("a.py")
    closing = asyncio.ensure_future(desk.checking.close("a.py"))
    await settle()
    desk.service.go_on()
    await asyncio.gather(checking, closing)
    assert desk.shown("a.py") == []
    await desk.checking.check(desk.open("a.py", BAD))
    assert desk.service.asked == [("a.py", BAD)] * 2, "the service was told to forget the text"
    assert desk.shown("a.py") == ["1 mypy new"]


async def test_what_is_open_is_checked_again_when_an_unsaved_text_is_closed(desk: Desk) -> None:
    for path in ("a.py", "b.py"):
        await desk.checking.check(desk.open(path))
    desk.service.unsaved.add("a.py")
    desk.documents.close("a.py")
    await desk.checking.close("a.py")
    assert desk.service.asked == [("a.py", GOOD), ("b.py", GOOD), ("b.py", GOOD)]


async def test_nothing_is_checked_again_when_a_saved_text_is_closed(desk: Desk) -> None:
    for path in ("a.py", "b.py"):
        await desk.checking.check(desk.open(path))
    desk.documents.close("a.py")
    await desk.checking.close("a.py")
    assert desk.service.asked == [("a.py", GOOD), ("b.py", GOOD)]
