"""`gateline metrics --prometheus` and `--serve`: what was recorded, as a scrape has it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from gateline.mcp.tools import BY_NAME
from gateline.memory.lesson import Note
from gateline.refinement.state import Kind, LoopState, Round, Step, Verdict, Way
from gateline.session.judge.verdict_cache import answers
from gateline.session.memory.memory import memory_of
from gateline.session.observability.families import FAMILIES, OPERATIONS
from gateline.session.tasks.tasks import tasks_of
from gateline.store.audit import AuditTrail
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier
from support.repositories import Repository
from support.typed import run

SOURCES = ("decisions", "events", "loops")
AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(autouse=True)
def project(
    workspace: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Repository:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    workspace.commit("begin", **{"shop.py": '"""A shop."""\n'})
    return workspace


def database() -> Database:
    return Database(state_of(Path.cwd()) / DATABASE)


def samples() -> Mapping[str, float]:
    """By name and labels, parsed by the client's own parser."""
    done = run("metrics", "--prometheus", "-")
    assert done.exit_code == 0, done.output
    return {
        f"{one.name}{dict(sorted(one.labels.items())) or ''}": one.value
        for family in text_string_to_metric_families(done.stdout)
        for one in family.samples
    }


def decide(**content: object) -> None:
    AuditTrail(database()).add(content, AT)


def loop(name: str, warned: bool, kind: Kind) -> None:
    decision = "adjust-strategy" if warned else "continue"
    rounds = (
        Round(1, Way("a"), "t0", "t1", Verdict("accept", 90.0, checkpoint="early")),
        Round(2, Way("b"), "t0", "t2", Verdict("accept", 90.0, checkpoint="middle", decision=decision)),
    )
    state = LoopState(name, "goal", (Way("a"), Way("b")), "c", "t0", begun=AT.isoformat())
    loops = Loops(database())
    loops.begin(state)
    for one in rounds:
        loops.add(name, one)
    loops.update(replace(state, rounds=rounds, ended=Step(kind, "so")))


def test_decisions_scores_and_times_are_counted_once_and_stay() -> None:
    decide(level="final", outcome="accept", score=93.0, took={"types": 1.5, "whole": 4.0})
    decide(level="final", outcome="require-iteration", score=None)
    found = samples()
    assert found["gateline_decisions_total{'checkpoint': 'final', 'outcome': 'accept'}"] == 1
    assert found["gateline_quality_score_bucket{'checkpoint': 'final', 'le': '0.9'}"] == 0
    assert found["gateline_quality_score_bucket{'checkpoint': 'final', 'le': '1'}"] == 1
    assert found["gateline_quality_score_count{'checkpoint': 'final'}"] == 1
    assert found["gateline_checkpoint_evaluation_seconds_sum{'checkpoint': 'final'}"] == 4.0
    assert found["gateline_step_seconds_bucket{'le': '2.5', 'step': 'types'}"] == 1
    # What is deleted stays counted, and what is new is added.
    kept = database()
    with kept.writing() as connection:
        connection.execute("UPDATE trail SET first = 3")
        connection.execute("DELETE FROM decisions")
    decide(level="final", outcome="accept", score=70.0)
    found = samples()
    assert found["gateline_decisions_total{'checkpoint': 'final', 'outcome': 'accept'}"] == 2
    assert found["gateline_quality_score_sum{'checkpoint': 'final'}"] == pytest.approx(1.63)


def test_loops_tell_of_early_warnings_and_adjustments() -> None:
    loop("one", True, Kind.NO_PROGRESS)
    loop("two", False, Kind.ACCEPT)
    loop("three", True, Kind.ACCEPT)
    loop("four", True, Kind.CANCELLED)
    for _ in range(2):
        found = samples()
        early = {
            o: found.get(f"gateline_early_warning_total{{'outcome': '{o}'}}")
            for o in ("tp", "tn", "fp", "fn")
        }
        assert early == {"tp": 1, "tn": 1, "fp": 1, "fn": None}
        assert found["gateline_loops_total{'end': 'accept'}"] == 2
        assert found["gateline_strategy_adjustments_total{'kind': 'agent'}"] == 4
        assert found["gateline_strategy_adjustments_total{'kind': 'restored'}"] == 4


def test_records_that_cannot_be_read_are_passed_over_and_counted() -> None:
    loop("one", True, Kind.NO_PROGRESS)
    loop("two", False, Kind.ACCEPT)
    decide(level="final", outcome="accept", score=93.0)
    decide(level="final", outcome="accept", took=["types"])
    with tasks_of(Path.cwd()) as tasks:
        tasks.start("round up", InferredTier(Tier.STANDARD, "so"), "main")
        tasks.hand("main", 120, "context")
    with database().writing() as connection:
        connection.execute("UPDATE rounds SET content = '3' WHERE loop = 'one' AND number = 1")
        for text in ("{", "3"):
            connection.execute(
                "INSERT INTO decisions (number, at, content, digest)"
                " SELECT max(number) + 1, max(at), ?, '' FROM decisions",
                (text,),
            )
        connection.execute("UPDATE trail SET newest = newest + 2")
        columns = [row[1] for row in connection.execute("PRAGMA table_info(events)") if row[1] != "number"]
        values = ", ".join("'['" if name == "detail" else name for name in columns)
        connection.execute(
            f"INSERT INTO events ({', '.join(columns)}) SELECT {values} FROM events WHERE kind = 'handed'"
        )
    decide(level="final", outcome="accept", score=90.0)
    for _ in range(2):
        found = samples()
        assert found["gateline_decisions_total{'checkpoint': 'final', 'outcome': 'accept'}"] == 2
        assert found["gateline_loops_total{'end': 'accept'}"] == 1
        assert found["gateline_tokens_total{'operation': 'context'}"] == 120
        unreadable = {s: found[f"gateline_unreadable_records_total{{'source': '{s}'}}"] for s in SOURCES}
        assert unreadable == {"decisions": 3, "events": 1, "loops": 1}
    done = run("report", "--to", "report.html")
    assert done.exit_code == 0, done.output


def test_what_was_counted_by_other_bounds_is_still_scraped() -> None:
    decide(level="final", outcome="accept", score=93.0)
    samples()
    with database().writing() as connection:
        connection.execute("UPDATE observations SET buckets = '[1, 0]' WHERE buckets != '[]'")
    found = samples()
    assert found["gateline_quality_score_count{'checkpoint': 'final'}"] == 1
    assert found["gateline_quality_score_bucket{'checkpoint': 'final', 'le': '+Inf'}"] == 1


def test_what_agents_were_handed_and_what_is_remembered() -> None:
    with tasks_of(Path.cwd()) as tasks:
        tasks.start("round up", InferredTier(Tier.STANDARD, "so"), "main")
        tasks.hand("main", 120, "context", 40.0, ["shop.py"], degraded=True)
        tasks.hand("main", 30, "recall")
        tasks.hand("main", 5, "mine-1")
        tasks.hand("main", 6, "mine-2")
    with memory_of(Path.cwd()) as memory:
        memory.remember(Note("Prices are rounded for the bank"))
    found = samples()
    assert found["gateline_tokens_total{'operation': 'context'}"] == 120
    assert found["gateline_tokens_total{'operation': 'other'}"] == 11
    assert found["gateline_context_seconds_bucket{'le': '0.1'}"] == 1
    assert found["gateline_context_seconds_bucket{'le': '0.03'}"] == 0
    assert found["gateline_context_degraded_total"] == 1
    assert found["gateline_lessons"] == 1


def test_a_check_says_how_long_it_took(
    project: Repository, monkeypatch: pytest.MonkeyPatch, without_types: None
) -> None:
    # The interpreter is the one that runs these tests, in which gateline itself is editable.
    monkeypatch.setattr(answers, "editable_elsewhere", lambda places, top: False)
    project.write("shop.py", '"""A shop."""\n\nRATE = 2\n')
    run("check", "--level", "early")
    run("check", "--level", "early")
    found = samples()
    # The second is answered from what was judged before.
    assert found["gateline_checkpoint_evaluation_seconds_count{'checkpoint': 'early'}"] == 1
    assert found["gateline_step_seconds_count{'step': 'analysis'}"] == 1
    assert found["gateline_decisions_total{'checkpoint': 'early', 'outcome': 'continue'}"] == 2


def test_a_file_is_written_whole_for_another_user(tmp_path: Path) -> None:
    file = tmp_path / "gateline.prom"
    assert run("metrics", "--prometheus", str(file)).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o644
    assert not list(tmp_path.glob(".*"))
    assert "# TYPE gateline_quality_score histogram" in file.read_text()


def _interruptible() -> None:
    """A shell's background jobs, and all that they start, ignore Ctrl+C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
def test_served_on_this_machine_and_counted_at_each_scrape(ending: signal.Signals) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gateline", "metrics", "--serve", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=_interruptible)
    try:
        assert process.stderr is not None
        assert "/metrics; press Ctrl+C to stop" in process.stderr.readline()
        for expected in (1.0, 2.0):
            decide(level="final", outcome="accept", score=93.0)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
                assert f'outcome="accept"}} {expected}' in answer.read().decode()
    finally:
        process.send_signal(ending)
        assert process.wait(20) == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("0.0.0.0:9464", "can be reached from other machines"),
        ("192.168.1.4:9464", "can be reached from other machines"),
        ("localhost:9464", "is not an IP address"),
        ("127.0.0.1", "has no port"),
        ("127.0.0.1:http", "has no port"),
        ("127.0.0.1:70000", "has no port"),
    ],
)
def test_where_it_is_not_served(asked: str, said: str) -> None:
    done = run("metrics", "--serve", asked)
    assert done.exit_code == 2
    assert said in done.stderr


def test_mistakes_are_told(tmp_path: Path) -> None:
    assert "mutually exclusive" in run("metrics", "--serve", "127.0.0.1:1", "--prometheus", "-").stderr
    done = run("metrics", "--prometheus", str(tmp_path / "none" / "a.prom"))
    assert (done.exit_code, "No such file or directory" in done.stderr) == (2, True)


def test_the_client_is_imported_for_nothing_else() -> None:
    code = (
        "import sys; import gateline.cli.supervision.metrics, gateline.session.check, gateline.lsp.server;"
        "print([m for m in sys.modules if m.split('.')[0] in ('prometheus_client', 'opentelemetry')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_each_tool_is_counted_by_its_name() -> None:
    assert set(BY_NAME) <= OPERATIONS


def test_each_metric_is_documented_and_the_dashboard_uses_those_alone() -> None:
    page = (DOCS / "observability.md").read_text()
    assert set(re.findall(r"^\| `(gateline_\w+)`", page, re.MULTILINE)) == set(FAMILIES)
    dashboard = json.loads((DOCS / "grafana" / "gateline.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    names = {name for expr in asked for name in re.findall(r"gateline_\w+", expr)}
    exposed = {
        name if family.kind != "histogram" else f"{name}{part}"
        for name, family in FAMILIES.items()
        for part in (("_bucket", "_sum", "_count") if family.kind == "histogram" else ("",))
    }
    assert names
    assert names <= exposed


def test_spans_are_made_where_the_program_loaded_opentelemetry() -> None:
    code = """
import sys, types
from contextlib import contextmanager
seen = []
class Tracer:
    @contextmanager
    def start_as_current_span(self, name, attributes):
        seen.append((name, attributes))
        yield
sys.modules["opentelemetry.trace"] = types.SimpleNamespace(get_tracer=lambda name: Tracer())
from gateline.session.observability.tracing import span
with span("gateline.check", checkpoint="final"):
    pass
print(seen)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[('gateline.check', {'checkpoint': 'final'})]\n"
