"""The worker's answers, asked in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gateline.model import (
    Analyzer,
    Change,
    Dimension,
    Document,
    FileChange,
    FileStatus,
    Inspection,
    Level,
    Report,
    State,
)
from gateline.services.requests import Clones, Index, Inspect
from gateline.services.worker import Worker
from gateline.session.judge.engine import Engine

BLOCK = "def f(a):\n    b = a + 1\n    c = b ** a\n    return [a, b, c]\n"


def only(worker: Worker, request: object) -> Any:
    (answer,) = worker.answer(request)
    return answer


@pytest.mark.parametrize(("min_tokens", "found"), [(10, 1), (40, 0)])
def test_the_shortest_clone_is_what_the_request_says(min_tokens: int, found: int) -> None:
    worker = Worker()
    assert only(worker, Index((("b.py", BLOCK),), min_tokens)) == 1
    report = only(worker, Clones(Document("a.py", BLOCK), None, min_tokens))
    assert len(report.findings) == found


def test_a_file_that_is_gone_is_no_original() -> None:
    worker = Worker()
    only(worker, Index((("b.py", BLOCK),), 10))
    only(worker, Index((("b.py", None),), 10))
    assert only(worker, Clones(Document("a.py", BLOCK), None, 10)).findings == ()


def test_only_lines_that_the_base_has_not_are_looked_at() -> None:
    worker = Worker()
    only(worker, Index((("b.py", BLOCK),), 10))
    same = Document("a.py", BLOCK)
    assert only(worker, Clones(same, same, 10)).findings == ()


def test_an_analyzer_that_crashes_loses_only_its_own_report() -> None:
    def inspect(inspection: Inspection) -> Report:
        raise ValueError("no dictionary")

    worker = Worker()
    worker.analyzers["spelling"] = Analyzer("spelling", Dimension.DOCUMENTATION, Level.FINAL, inspect)
    request = Inspect(Document("a.py", "x = (\n"), ("spelling", "syntax"))
    crashed, syntax = (part.report for part in worker.answer(request))
    assert (crashed.state, crashed.reason) == (State.FAILED, "spelling crashed: ValueError: no dictionary")
    assert [f.code for f in syntax.findings] == ["GTL101"]


def test_what_it_does_not_know_is_an_error() -> None:
    with pytest.raises(TypeError, match="unknown request str"):
        only(Worker(), "hello")


class Recorder:
    """Stands for the worker's process."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def ask(self, request: Any, timeout: float, on_part: Callable[[Any], None] | None = None) -> Any:
        self.asked.append(request)


class Answering(Recorder):
    """Answers as the worker's process does."""

    def __init__(self) -> None:
        super().__init__()
        self.worker = Worker()

    async def ask(self, request: Any, timeout: float, on_part: Callable[[Any], None] | None = None) -> Any:
        self.asked.append(request)
        part = None
        for part in self.worker.answer(request):
            if on_part is not None:
                on_part(part)
        return part


HIDING = (
    "import os\n\n# gateline: ignore[GTL501] told elsewhere\n\n\ndef run(what): {mark}\n    os.system(what)\n"
)
OLD, ADDED = "# gateline: ignore[GTL5] told elsewhere", "# gateline: ignore[GTL4,GTL5] told elsewhere"


@pytest.mark.parametrize("base", [None, OLD, ADDED])
async def test_comments_are_applied_where_the_findings_are_made(
    base: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    dimensions = {name: analyzer.dimension for name, analyzer in Worker().analyzers.items()}
    engine, recorder = Engine({}, dimensions), Answering()
    monkeypatch.setattr(engine, "_worker", recorder)
    document = Document("a.py", HIDING.replace("{mark}", ADDED))
    before = None if base is None else Document("a.py", HIDING.replace("{mark}", base))
    other = FileChange("b.py", FileStatus.MODIFIED, Document("b.py", OLD), Document("b.py", ""))
    change = Change("base", "HEAD", (other,))
    first = await engine.inspect_with_comments(document, before, lambda: change)
    again = await engine.inspect_with_comments(document, before, lambda: change)
    assert [type(request).__name__ for request in recorder.asked] == ["Inspect", "Suppress"]
    assert first == again
    whole = await engine.inspect(document, before)
    left = [await engine.suppress(document, before, one.findings, lambda: change) for one in whole]
    assert [one.findings for one in first] == left
    assert sum(map(len, left)) < sum(len(one.findings) for one in whole)


async def test_comments_that_cannot_be_read_cost_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(*_: object, **__: object) -> None:
        raise ValueError("no comments")

    monkeypatch.setattr("gateline.gates.suppress.apply", apply)
    dimensions = {name: analyzer.dimension for name, analyzer in Worker().analyzers.items()}
    engine, recorder = Engine({}, dimensions), Answering()
    monkeypatch.setattr(engine, "_worker", recorder)
    document = Document("a.py", HIDING.replace("{mark}", ADDED))
    with pytest.raises(ValueError, match="no comments"):
        await engine.inspect_with_comments(document, None, lambda: Change("base", "HEAD", ()))
    assert [type(request).__name__ for request in recorder.asked] == ["Inspect", "Suppress"]
    reports = await engine.inspect(document, None)
    assert len(recorder.asked) == 2 and any(report.findings for report in reports)
    assert State.FAILED not in {report.state for report in reports}


@pytest.mark.parametrize(("options", "size"), [({}, 40), ({"duplication": {"min_tokens": 25}}, 25)])
async def test_the_setting_reaches_the_worker(
    options: dict[str, dict[str, object]], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, recorder = Engine(options, {}), Recorder()
    monkeypatch.setattr(engine, "_worker", recorder)
    await engine.index([("b.py", BLOCK)])
    await engine.clones(Document("a.py", BLOCK), None)
    assert [request.min_tokens for request in recorder.asked] == [size, size]
