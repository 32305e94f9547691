"""What a client is shown of a version, and from when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.model import (
    Decision,
    Dimension,
    Evaluation,
    Finding,
    Level,
    Outcome,
    Progress,
    Score,
    Span,
    Status,
    Weight,
)
from gateline.session.live.options import Published, SessionOptions
from gateline.session.live.state import LiveState

PATH = "shop.py"


class Desk:
    """What an open document, its stages and a client see of each other."""

    def __init__(self) -> None:
        self.published: list[Published] = []
        self.live = LiveState(SessionOptions(), self.published.append)
        self.documents, self.board, self.stages = self.live.documents, self.live.board, self.live.stages
        self.documents.open(PATH, "x = (\n", 1)

    def parsed(self, *codes: str) -> None:
        self.board.put(PATH, "syntax", [self.found(code) for code in codes])
        document = self.documents.get(PATH)
        assert document is not None
        self.stages.done(document, "syntax")
        self.live.show(PATH)

    def found(self, code: str) -> Finding:
        return Finding(code, PATH, Span.of(0, 0, 0, 1), "m", Dimension.ERRORS, Weight.COUNTS)

    @property
    def shown(self) -> list[tuple[int | None, list[str]]]:
        return [(p.version, [f.code for f in p.findings]) for p in self.published]


def test_a_verdict_on_an_edited_text_waits_for_its_parser() -> None:
    desk = Desk()
    desk.parsed("GTL101")
    desk.documents.change(PATH, [(None, "x = 1\n")], 2)
    desk.live.say("gate", {PATH: [desk.found("GTL902")]})
    assert desk.shown == [(1, ["GTL101"])]
    desk.parsed()
    assert desk.shown[1:] == [(2, ["GTL902"])]


def test_a_document_that_is_not_open_is_shown_at_once() -> None:
    desk = Desk()
    desk.live.say("gate", {PATH: [desk.found("GTL902")], "other.py": [desk.found("GTL902")]})
    assert [p.path for p in desk.published] == ["other.py"]


def test_what_is_left_out_is_said_of_a_version_that_nobody_parses() -> None:
    desk = Desk()
    document = desk.documents.get(PATH)
    assert document is not None
    desk.stages.skip(document)
    desk.live.say_left_out(document, "it is too large", unread=False)
    assert desk.shown == [(1, ["GTL904"])]


@pytest.mark.parametrize(("unread", "shown"), [(True, ["GTL101"]), (False, ["GTL904"])])
def test_what_a_verdict_said_of_an_unread_file_is_said_of_it_opened(unread: bool, shown: list[str]) -> None:
    desk = Desk()
    document = desk.documents.get(PATH)
    assert document is not None
    desk.stages.skip(document)
    desk.board.put(PATH, "types", [desk.found("GTL110")])
    desk.live.say("verdict", {PATH: [desk.found("GTL101")]})
    desk.live.say_left_out(document, "it cannot be decoded", unread=unread)
    assert desk.shown[-1] == (1, shown)


def verdict(level: Level, *codes: str, path: str = "other.py") -> Evaluation:
    found = tuple(
        Finding(code, path, Span.of(0, 0, 0, 1), "m", Dimension.ERRORS, Weight.FLOOR, identity=code)
        for code in codes
    )
    decision = Decision(Outcome.CONTINUE, Status.PASS)
    return Evaluation(level, Progress.SAID, "b", "HEAD", Score(59, 90, 1.0), decision, found)


def test_what_is_shown_is_of_final_until_something_is_edited() -> None:
    desk = Desk()
    desk.parsed("GTL101")
    desk.live.say_verdict(verdict(Level.FINAL, "GTL110"), None, {PATH})
    assert {p.path: p.level for p in desk.published} == {PATH: Level.FINAL, "other.py": Level.FINAL}
    desk.live.edited()
    assert {p.path: p.level for p in desk.published} == {PATH: Level.EARLY, "other.py": Level.EARLY}


def test_a_closed_file_is_shown_until_its_own_analysis_has_told_all() -> None:
    desk = Desk()
    desk.live.say_verdict(verdict(Level.EARLY, "GTL110", "GTL301"), None, {PATH})
    desk.documents.open("other.py", "x = 1\n", 1)
    other = desk.documents.get("other.py")
    assert other is not None
    desk.stages.done(other, "syntax")
    desk.board.put("other.py", "types", [replace(desk.found("GTL110"), path="other.py", identity="GTL110")])
    desk.live.show("other.py")
    desk.live.say_verdict(verdict(Level.EARLY), None, {PATH})
    assert desk.shown[-1] == (1, ["GTL110", "GTL301"])
    for stage in ("types", "inspected"):
        desk.stages.done(other, stage)
    desk.live.show("other.py")
    assert desk.shown[-1] == (1, ["GTL110"])


def test_what_a_verdict_found_in_an_open_document_is_told_by_its_own_analysis() -> None:
    desk = Desk()
    desk.parsed()
    desk.live.say_verdict(verdict(Level.EARLY, "GTL110", path=PATH), None, {PATH})
    assert desk.shown == [(1, [])]
