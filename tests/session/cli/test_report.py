"""`gateline report`: one page without anything from elsewhere, whose values are those of the store."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import Result

from gateline.cli.output.page.report import duration
from gateline.evals.run import CaseResult, Kind, run_of
from gateline.refinement.metrics import Baseline, TaskMetrics
from gateline.session.observability import history
from gateline.session.repairs.records import Happened, RepairRecords
from gateline.store.audit import AuditTrail
from gateline.store.database import Database
from gateline.store.evals import EvalRuns
from gateline.store.folders import DATABASE, state_of
from gateline.store.metrics import MetricsStore
from support.repositories import Repository
from support.typed import run as typed

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
VOID = {"meta", "line", "polyline"}


class Parsed(HTMLParser):
    """Tags that are closed in their order, the text, and every attribute that could load something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.loads: list[str] = []
        self.circles: list[float] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [
            f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset", "data", "action")
        ]
        assert tag not in ("script", "link", "iframe", "img", "object")
        if tag not in VOID:
            self.open.append(tag)
        if tag == "circle":
            self.circles.append(float(dict(attrs)["cy"] or "nan"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text.append(data.strip())


@pytest.fixture(autouse=True)
def project(workspace: Repository) -> Repository:
    workspace.commit("begin", **{"shop.py": '"""A shop."""\n'})
    return workspace


def run(*arguments: str) -> Result:
    return typed("report", *arguments)


def decide(number: int, **content: object) -> None:
    database = Database(state_of(Path.cwd()) / DATABASE)
    AuditTrail(database).add({"level": "final", "by": "check", **content}, AT + timedelta(hours=number))
    database.close()


def told() -> Parsed:
    done = run("--to", "-")
    assert done.exit_code == 0, done.output
    assert not re.search(r"https?:|//|url\(|@import", done.stdout)
    return Parsed(done.stdout)


def row_of(page: Parsed, first: str) -> list[str]:
    texts = [text for text in page.text if text]
    place = texts.index(first)
    return texts[place : place + 5]


def test_nothing_that_was_not_measured_is_a_number() -> None:
    page = told()
    assert page.text.count("not measured") == 4
    assert "Not measured: no check was timed." in page.text
    assert "Not measured: no final checkpoint has a score." in page.text
    assert page.circles == []


def test_the_values_are_those_of_the_store() -> None:
    new = {"GTL301": 2, "GTL120": 1}
    decide(
        0,
        outcome="require-iteration",
        status="FAIL",
        score=50.0,
        findings={"new": new},
        took={"types": 3.0, "whole": 12.0},
    )
    decide(1, outcome="require-iteration", status="FAIL", score=40.0, findings={"new": {"GTL301": 1}})
    decide(2, outcome="accept", status="PASS", score=100.0, took={"types": 1.0, "whole": 8.0})
    decide(3, outcome="require-iteration", status="FAIL", score=50.0, again=1)
    decide(4, outcome="require-iteration", status="FAIL", score=40.0, again=2)
    records = RepairRecords()
    for what, pattern in (
        (Happened.FOUND, ""),
        (Happened.MISSED, ""),
        (Happened.OFFERED, "none.guard"),
        (Happened.ACCEPTED, "none.guard"),
    ):
        records.note(what, pattern)
    database = Database(state_of(Path.cwd()) / DATABASE)
    EvalRuns(database).add(run_of("slugs", Kind.EXACT, AT, [CaseResult("a", 1.0), CaseResult("b", 0.0)]))
    database.close()
    page = told()
    # A score counts once, when its content was judged first: 50, 40, 100 from the top of the chart.
    assert page.circles == pytest.approx([12 + 182 * share for share in (0.5, 0.6, 0.0)], abs=0.06)
    assert row_of(page, "100.0")[1] == "newest final score"
    assert row_of(page, "2")[1] == "contents refused by a gate"
    assert row_of(page, "12 s")[1] == "time saved by the cache"
    assert "1 more answers from the cache: not measured, as the first run was not timed." in page.text
    assert row_of(page, "1 of 2")[1] == "searches with a repair found"
    assert row_of(page, "GTL301")[2:4] == ["2", "3"]
    assert row_of(page, "types")[1:3] == ["2.00 s", "2"]
    assert row_of(page, "none.guard")[1:4] == ["1", "1", "0"]
    assert row_of(page, "slugs")[1:4] == ["50.0%", "95%", "2"]
    assert "5 decisions since 2026-03-01." in " ".join(page.text)


def keep(number: int, name: str, **more: object) -> None:
    """A loop that ended."""
    begun = (AT + timedelta(hours=number)).isoformat()
    found = TaskMetrics(name, "loop", begun, "accept", completed=True, rounds=2)
    database = Database(state_of(Path.cwd()) / DATABASE)
    MetricsStore(database).keep([replace(found, **more)])
    database.close()


def test_tasks_are_drawn_over_time_beside_the_baseline_and_the_aim() -> None:
    keep(1, "b", completed=False, outcome="<b>bound", rounds=12)
    keep(0, "a")
    keep(2, "c")
    keep(3, "d", outcome="in progress")
    database = Database(state_of(Path.cwd()) / DATABASE)
    MetricsStore(database).set_baseline(Baseline("fix <once>", 1, 6))
    database.close()
    page = told()
    # Completed together, oldest first: 1 of 1, 1 of 2, 2 of 3; then rounds: 2, 12, 2 of 15.
    shares = (1.0, 0.5, 2 / 3, 2 / 15, 12 / 15, 2 / 15)
    assert page.circles == pytest.approx([12 + 182 * (1 - share) for share in shares], abs=0.06)
    assert row_of(page, "Against fix <once> (1 of 6):")[1:3] == ["4.0×", ", the target is >= 3.5."]
    assert any(text.endswith("b: <b>bound") for text in page.text)


def test_without_a_baseline_there_is_no_factor() -> None:
    keep(0, "a")
    page = told()
    assert "No baseline is recorded:" in page.text
    assert not any("×" in text for text in page.text)


def test_what_comes_from_the_workspace_is_text() -> None:
    decide(0, outcome="accept", status="PASS", score=90.0, branch="<script>alert(1)</script>")
    page = told()
    assert "<script>alert(1)</script>" in page.text


def test_it_is_written_whole_where_it_was_asked_for(tmp_path: Path) -> None:
    done = run("--to", str(tmp_path / "gate.html"))
    assert (done.exit_code, done.stdout) == (0, f"written: {tmp_path}/gate.html\n")
    Parsed((tmp_path / "gate.html").read_text())
    assert run("--to", str(tmp_path / "none" / "gate.html")).exit_code == 2


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.42, "0.42 s"), (12.4, "12 s"), (185, "3 min 5 s"), (7800, "2 h 10 min")]
)
def test_times_are_for_people(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_what_lies_before_the_newest_records_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "NEWEST", 3)
    decide(0, outcome="accept", score=90.0, took={"whole": 8.0})
    decide(1, outcome="accept", score=90.0, again=1)
    decide(2, outcome="accept", score=90.0, findings={"new": {"<b>": 1}}, status="FAIL")
    page = told()
    assert "2026-03-01." in " ".join(page.text)
    assert not any("records" in text for text in page.text)
    # A comparison is no decision at a checkpoint: it stands in the trail all the same.
    decide(3, level="", outcome="accept")
    page = told()
    assert "2 decisions since 2026-03-01, of the newest 500 records." in " ".join(page.text)
    assert any("before the newest 500 records" in text for text in page.text)
    assert "<b>" in page.text
