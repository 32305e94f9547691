"""A session as a client sees it: what is shown, when, and for which version."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from type_project import Warm

from gateline.model import Change, Document, Evaluation, Finding, Novelty, Progress, Span
from gateline.services.child import ChildError
from gateline.session.judge.judging import Judging
from gateline.session.live.analysis import Analysis
from gateline.session.live.options import Published, SessionOptions
from gateline.session.live.status import StatusUpdate
from gateline.session.session import Session
from gateline.session.workspace.dependents import Surroundings
from support.repositories import Repository

BASE = '''"""A shop."""

import pickle


def load(data: bytes) -> object:
    """Read."""
    return pickle.loads(data)
'''


class Client:
    """Keeps what a session tells."""

    def __init__(self, folder: Path, options: SessionOptions | None = None) -> None:
        self.published: list[Published] = []
        self.statuses: list[StatusUpdate] = []
        self.session = Session(
            folder, publish=self.published.append, status=self.statuses.append, options=options
        )

    def shown(self, path: str) -> tuple[Finding, ...]:
        newest = [p for p in self.published if p.path == path][-1:]
        return newest[0].findings if newest else ()

    def new(self, path: str) -> list[str]:
        return [f.code for f in self.shown(path) if f.novelty is Novelty.NEW]

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not holds():
                await asyncio.sleep(0.01)


@pytest.fixture
def shop(repository: Repository, warm: Warm) -> Repository:
    warm(repository.folder)
    repository.commit("base", **{"shop.py": BASE})
    return repository


@pytest_asyncio.fixture
async def client(shop: Repository) -> AsyncIterator[Client]:
    client = Client(shop.folder)
    await client.session.start()
    yield client
    await client.session.stop()


async def test_what_the_base_has_is_old(client: Client) -> None:
    client.session.open("shop.py", BASE, 1)
    await client.session.settled("shop.py", 1, "all")
    assert [f.code for f in client.shown("shop.py")] == ["GTL301"]
    assert client.new("shop.py") == []


async def test_a_document_that_is_opened_before_the_session_is_ready_is_analysed_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse, parsed = Analysis.syntax, []

    async def counted(analysis: Analysis, document: Document) -> bool:
        parsed.append(document.path)
        return await parse(analysis, document)

    monkeypatch.setattr(Analysis, "syntax", counted)
    client.session.open("shop.py", BASE, 1)
    await client.session.settled("shop.py", 1, "all")
    assert parsed == ["shop.py"]
    client.session.open("later.py", BASE, 1)
    await client.session.settled("later.py", 1, "all")
    assert parsed == ["shop.py", "later.py"]


async def test_findings_follow_the_typing(client: Client) -> None:
    client.session.open("shop.py", BASE, 1)
    client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "x: int = ''\n")], 2)
    await client.until(lambda: "GTL110" in client.new("shop.py"))
    client.session.change("shop.py", [(Span.of(8, 0, 9, 0), "y = (\n")], 3)
    await client.until(lambda: "GTL101" in client.new("shop.py"))
    client.session.change("shop.py", [(Span.of(8, 0, 9, 0), "")], 4)
    await client.session.settled("shop.py", 4, "all")
    assert client.new("shop.py") == []


async def test_the_first_that_is_said_of_a_mended_text_is_that_it_parses(client: Client) -> None:
    """Even after the worker, too, has found that the broken one does not."""
    client.session.open("shop.py", BASE, 1)
    client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "y = (\n")], 2)
    await client.session.settled("shop.py", 2, "inspected")
    client.session.change("shop.py", [(Span.of(8, 5, 8, 5), ")")], 3)
    await client.session.settled("shop.py", 3, "all")
    first = next(p for p in client.published if p.path == "shop.py" and p.version == 3)
    assert "GTL101" not in [f.code for f in first.findings]


async def test_known_findings_move_with_an_edit_at_once(client: Client) -> None:
    client.session.open("shop.py", BASE, 1)
    await client.session.settled("shop.py", 1, "all")
    client.session.change("shop.py", [(Span.of(0, 0, 0, 0), "\n\n")], 2)
    (finding,) = client.session.findings("shop.py")
    assert finding.span.start.line == 9


async def test_results_are_for_the_newest_version_only(client: Client) -> None:
    client.session.open("shop.py", BASE, 1)
    for version in range(2, 30):
        client.session.change("shop.py", [(Span.of(8, 0, 8, 0), f"# {version}\n")], version)
        await asyncio.sleep(0)
    client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "z: int = ''\n")], 30)
    await client.session.settled("shop.py", 30, "all")
    (finding,) = [f for f in client.shown("shop.py") if f.novelty is Novelty.NEW and f.code == "GTL110"]
    assert finding.span.start.line == 8
    versions = [p.version for p in client.published if p.path == "shop.py" and p.version]
    assert versions == sorted(versions)


async def test_a_closed_document_shows_nothing(client: Client) -> None:
    client.session.open("shop.py", BASE, 1)
    client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "x = (\n")], 2)
    client.session.close("shop.py")
    await client.session.settled("shop.py", 2, "all")
    assert client.shown("shop.py") == ()


async def test_a_document_closed_while_it_is_judged_shows_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict was once still drawn into the closed document, until the next one took it back."""
    judge, held, let_go = Judging.evaluate, asyncio.Event(), asyncio.Event()

    async def slow(*given: Any, **named: Any) -> Evaluation:
        evaluation = await judge(*given, **named)
        if evaluation.files and not held.is_set():
            held.set()
            await let_go.wait()
        return evaluation

    monkeypatch.setattr(Judging, "evaluate", slow)
    client.session.open("brief.py", "y = (\n", 1)
    await asyncio.wait_for(held.wait(), 60)
    client.session.close("brief.py")
    before = len(client.published)
    let_go.set()
    await client.until(lambda: bool(client.statuses) and client.statuses[-1].label == "GL –")
    assert [f for p in client.published[before:] for f in p.findings] == []


async def test_the_status_says_nothing_changed_then_a_score(client: Client) -> None:
    client.session.open("shop.py", BASE, 1)
    await client.until(lambda: bool(client.statuses) and client.statuses[-1].label == "GL –")
    client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "x: int = ''\n")], 2)
    await client.until(lambda: client.statuses[-1].score is not None)
    assert client.statuses[-1].label.startswith("GL 9")


async def test_nobody_waits_for_a_verdict_to_see_that_nothing_changed(client: Client) -> None:
    await client.until(lambda: bool(client.statuses) and client.statuses[-1].outcome is not None)
    assert [(s.label, s.outcome is None) for s in client.statuses] == [("GL –", True), ("GL –", False)]


async def test_the_status_says_why_nothing_could_be_judged(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise ChildError("the worker ended")

    monkeypatch.setattr(Judging, "evaluate", broken)
    client.session.open("shop.py", BASE, 1)
    await client.until(lambda: bool(client.statuses) and client.statuses[-1].problem != "")
    assert (client.statuses[-1].label, client.statuses[-1].problem) == ("GL ?", "the worker ended")


async def test_a_look_at_the_change_that_a_verdict_overtook_leaves_no_work_in_the_status(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.session.open("shop.py", BASE, 1)
    await client.session.settled("shop.py", 1, "all")
    await client.until(lambda: client.statuses[-1].label == "GL –")
    importers, looks, let_go = Surroundings.importers, list[Change](), threading.Event()

    def held(surroundings: Surroundings, change: Change) -> list[Document]:
        looks.append(change)
        if len(looks) == 1:
            let_go.wait(60)
        return importers(surroundings, change)

    monkeypatch.setattr(Surroundings, "importers", held)
    client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "x: int = 0\n")], 2)
    await client.until(lambda: bool(looks))
    await client.session.evaluate(None, "change", Progress.SAID)
    told = len(client.statuses)
    let_go.set()
    await client.until(lambda: len(client.statuses) > told + 1)
    assert [status.working for status in client.statuses[told:]] == [True, False]


async def test_a_file_written_by_another_program_counts(client: Client, shop: Repository) -> None:
    await client.until(lambda: bool(client.statuses) and client.statuses[-1].label == "GL –")
    shop.write("fresh.py", '"""Fresh."""\n\nVALUE: int = ""\n')
    client.session.files_changed(["fresh.py"])
    await client.until(lambda: client.statuses[-1].changed)


async def test_a_commit_moves_the_base(client: Client, shop: Repository) -> None:
    client.session.open("shop.py", BASE + "x: int = ''\n", 1)
    await client.until(lambda: "GTL110" in client.new("shop.py"))
    shop.commit("as it is", **{"shop.py": BASE + "x: int = ''\n"})
    client.session.files_changed([".git/HEAD"])
    await client.until(lambda: client.new("shop.py") == [])


async def test_a_verdict_that_is_first_to_see_a_commit_measures_all_against_it(
    client: Client, shop: Repository
) -> None:
    text = BASE + "x: int = ''\n"
    client.session.open("shop.py", text, 1)
    await client.until(lambda: "GTL110" in client.new("shop.py"))
    shop.commit("as it is", **{"shop.py": text})
    evaluation = await client.session.evaluate(None, "change", Progress.SAID)
    assert evaluation.files == ()
    await client.until(lambda: client.new("shop.py") == [])


async def test_findings_follow_an_open_document_that_is_renamed(client: Client, shop: Repository) -> None:
    """Editors open the new document before they tell of the files."""
    client.session.open("new.py", BASE, 1)
    await client.until(lambda: "GTL301" in client.new("new.py"))
    (shop.folder / "shop.py").rename(shop.folder / "new.py")
    client.session.files_changed(["shop.py", "new.py"])
    await client.until(lambda: client.new("new.py") == [])
    assert [f.code for f in client.shown("new.py")] == ["GTL301"]
    (shop.folder / "new.py").rename(shop.folder / "shop.py")
    client.session.files_changed(["shop.py", "new.py"])
    await client.until(lambda: "GTL301" in client.new("new.py"))


async def test_what_another_server_draws_is_counted_but_not_drawn(shop: Repository) -> None:
    client = Client(shop.folder, SessionOptions(drawn_elsewhere=frozenset({"mypy"})))
    await client.session.start()
    try:
        client.session.open("shop.py", BASE, 1)
        client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "x: int = ''\n")], 2)
        await client.until(lambda: bool(client.statuses) and client.statuses[-1].score is not None)
        assert client.new("shop.py") == []
        assert client.statuses[-1].score is not None and client.statuses[-1].score < 100
    finally:
        await client.session.stop()


async def test_without_git_the_base_is_the_content_at_the_start(tmp_path: Path, quiet_git: None) -> None:
    (tmp_path / "shop.py").write_text(BASE)
    client = Client(tmp_path)
    await client.session.start()
    try:
        client.session.open("shop.py", BASE, 1)
        await client.session.settled("shop.py", 1, "all")
        assert client.new("shop.py") == []
        client.session.change("shop.py", [(Span.of(8, 0, 8, 0), "x: int = ''\n")], 2)
        await client.until(lambda: client.new("shop.py") == ["GTL110"])
    finally:
        await client.session.stop()
