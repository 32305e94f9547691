"""All tests of a base: run once, kept by its tree, and believed only as far as they came to their end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from gateline.model import Change, Document, FileChange, FileStatus
from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Collection, Run
from gateline.session.tests.base_results import BaseTests
from gateline.session.tests.base_whole import KeptBases
from gateline.session.tests.trees import Tree
from gateline.testing.base_coverage import Counted
from gateline.testing.outline import Outline, Outlined
from gateline.testing.result import Ending, Item, Result
from gateline.testing.trace import Executed, Trace

PASSING, FAILING, FLAKY = "test_a.py::test_it", "test_a.py::test_bad", "test_a.py::test_flaky"
TEXT = "def f():\n    return 1\n"
CHANGE = Change(
    "c" * 40,
    "HEAD",
    (FileChange("a.py", FileStatus.MODIFIED, Document("a.py", TEXT), Document("a.py", "x = 2\n")),),
)


@dataclass
class Service:
    """Answers with what it was told to, and notes what it was asked."""

    asked: list[str] = field(default_factory=list)
    answer: Run = field(default_factory=Run)
    collection: Collection | None = None

    async def run_whole(self, overlay: Overlay) -> Run:
        self.asked.append("whole")
        return self.answer

    async def discover(self, overlay: Overlay, *, arcs: Sequence[str] = ()) -> Run:
        self.asked.append("collect")
        return Run()

    async def run(self, ids: Sequence[str] | None, overlay: Overlay, **options: object) -> Run:
        self.asked.append(f"run {' '.join(ids or ())}")
        ending = {FAILING: Ending.FAILED}
        return Run(tuple(Result(test, ending.get(test, Ending.PASSED)) for test in ids or ()))

    async def outlines(self, texts: dict[str, str]) -> dict[str, Outlined]:
        return {path: Outline(frozenset({0, 1})) for path in texts}

    async def interrupt(self) -> None: ...

    async def stop(self) -> None: ...


def service() -> Service:
    results = (
        Result(PASSING, Ending.PASSED, 0.5, 1000),
        Result(FAILING, Ending.FAILED),
        Result(FLAKY, Ending.FAILED),
    )
    digest = Document("a.py", TEXT).digest
    trace = Trace("", {"a.py": Executed(digest, 0b11, frozenset({(-1, 1)}))})
    items = tuple(Item(result.id, "test_a.py", 0, "test_it") for result in results)
    imported = Trace("", {"a.py": Executed(digest, 0b01, frozenset())})
    return Service(answer=Run(results, traces=(trace,)), collection=Collection(items, imported=imported))


class Desk:
    """Bases of one project, and what is asked about them by one command after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree = Tree({"a.py": TEXT.encode()})
        self.surroundings = "python 3.11"

    async def ask(self, service: Service, change: Change = CHANGE) -> BaseTests:
        kept = KeptBases(self.folder / "bases", lambda: self.surroundings, lambda change: change.base)
        tests = BaseTests(service, None, lambda change: self.tree, kept, self.folder)  # type: ignore[arg-type]
        tests.begin(change)
        await tests.ready()
        return tests

    @property
    def files(self) -> list[Path]:
        folder = self.folder / "bases"
        return sorted(folder.iterdir()) if folder.exists() else []


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


async def test_what_is_kept_is_not_run_again(desk: Desk) -> None:
    before, after = await desk.ask(service()), await desk.ask(other := service())
    assert other.asked == []
    assert after.times(CHANGE) == before.times(CHANGE)
    assert [(r.id, r.seconds, r.memory) for r in after.times(CHANGE).values()] == [(PASSING, 0.5, 1000)]
    assert (await after.collected(CHANGE)).items == service().collection.items  # type: ignore[union-attr]
    assert other.asked == []
    coverage = after.coverage(CHANGE)
    assert coverage is not None and coverage == before.coverage(CHANGE)
    assert coverage.total == Counted(2, 2)


async def test_a_test_that_passed_there_is_believed_and_others_run_again(desk: Desk) -> None:
    tests = await desk.ask(one := service())
    found = await tests.results(CHANGE, [PASSING, FAILING, FLAKY])
    assert one.asked == ["whole", f"run {FAILING} {FLAKY}"]
    # One that fails there now and then is neither old nor broken by the change.
    assert {r.id: r.ending for r in found} == {PASSING: Ending.PASSED, FAILING: Ending.FAILED}


async def test_a_change_is_accused_of_nothing_that_was_only_kept(desk: Desk) -> None:
    """A file that git ignores may be gone since: then the test fails at the base, too."""
    await desk.ask(service())
    tests = await desk.ask(other := service())
    await tests.results(CHANGE, [PASSING])
    assert other.asked == [f"run {PASSING}"]
    assert (await tests.collected(CHANGE)).items
    await tests.confirmed(CHANGE)
    assert other.asked == [f"run {PASSING}", "collect"]
    assert [r.id for r in tests.remembered(CHANGE, [PASSING])] == [PASSING]


@pytest.mark.parametrize("what", ["base", "surroundings"])
async def test_another_tree_or_interpreter_is_run(desk: Desk, what: str) -> None:
    await desk.ask(service())
    if what == "surroundings":
        desk.surroundings = "python 3.12"
    await desk.ask(other := service(), replace(CHANGE, base="d" * 40) if what == "base" else CHANGE)
    assert other.asked == ["whole"]
    assert len(desk.files) == 2


UNSETTLED = {
    "interrupted": replace(service().answer, replaced=True),
    "out of time": replace(service().answer, left=(FLAKY,)),
    "unable to start": Run(reason="pytest is not installed"),
}


@pytest.mark.parametrize("answer", UNSETTLED.values(), ids=UNSETTLED)
async def test_a_run_without_its_end_is_not_kept(desk: Desk, answer: Run) -> None:
    tests = await desk.ask(Service(answer=answer, collection=service().collection))
    assert (desk.files, tests.times(CHANGE), tests.coverage(CHANGE)) == ([], {}, None)


async def test_a_run_that_did_not_see_all_files_is_not_kept(desk: Desk) -> None:
    desk.tree = replace(desk.tree, unlaid=("data.bin: kept elsewhere",))
    tests = await desk.ask(service())
    assert (desk.files, tests.times(CHANGE)) == ([], {})


async def test_a_crash_loses_the_coverage_alone(desk: Desk) -> None:
    one = service()
    one.answer = replace(one.answer, results=(*one.answer.results, Result("t", Ending.CRASHED)))
    tests = await desk.ask(one)
    assert tests.coverage(CHANGE) is None
    assert tests.times(CHANGE)


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"collected": 1}', b"\xff"])
async def test_a_damaged_file_is_made_anew(
    desk: Desk, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.ask(service())
    desk.files[0].write_bytes(damage)
    await desk.ask(other := service())
    assert other.asked == ["whole"]
    assert "cannot be read" in caplog.text
    await desk.ask(third := service())
    assert third.asked == []


async def test_the_oldest_are_dropped(desk: Desk) -> None:
    for number in range(22):
        await desk.ask(service(), replace(CHANGE, base=f"{number:040}"))
        os.utime(max(desk.files, key=lambda file: file.stat().st_mtime_ns), (number, number))
    assert len(desk.files) == 20


async def test_where_nothing_tells_the_surroundings_it_is_run_and_not_kept(desk: Desk) -> None:
    desk.surroundings = ""
    tests = await desk.ask(other := service())
    assert (other.asked, desk.files) == (["whole"], [])
    assert tests.times(CHANGE)
