"""`gateline audit`: every decision is there, with a task and without, and what was changed shows."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from gateline.session.tasks.decisions import record
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.decided import Circumstances
from support.recorded_work import evaluation
from support.repositories import Repository
from support.typed import run

CODE = '"""Prices."""\n\n\ndef price(net: int) -> int:\n    """With tax."""\n    return net\n'


def rows(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("audit", "--output", "json", *arguments).stdout)
    return found


@pytest.fixture
def project(workspace: Repository, without_types: None) -> Repository:
    workspace.commit("begin", **{"prices.py": CODE})
    workspace.write("prices.py", CODE.replace("return net", "return net + 1"))
    return workspace


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_decision_without_a_task_is_recorded_with_its_evidence(
    project: Repository, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    monkeypatch.setenv("CI", ci)
    assert run("check", "--level", "early").exit_code == 0
    (row,) = rows()
    told = ("number", "scope", "level", "outcome", "by", "branch", "task", "base")
    head = project.git("rev-parse", "HEAD")
    assert [row[name] for name in told] == [1, "change", "early", "continue", "check", "main", "", head]
    assert row["parts"]["errors"]["state"] == "measured"
    page = run("audit").stdout
    assert "early: continue, score 100, evidence 100%" in page
    assert f"against {head[:12]}" in page
    assert run("audit", "--verify").stdout == "1 decision, 1 to 1: all unchanged\n"


def test_a_decision_in_a_task_names_it(project: Repository) -> None:
    name = run("task", "start", "Prices", "--tier", "LIGHT").stdout.split()[0]
    run("check", "--level", "early")
    assert [row["task"] for row in rows()] == [name]


def test_what_is_asked_again_is_recorded_short(project: Repository) -> None:
    for _ in range(3):
        run("check", "--level", "early")
    assert [row.get("again") for row in rows()] == [1, 1, None]
    assert "again, as 1" in run("audit", "--limit", "1").stdout


def test_an_undecided_check_is_a_decision(
    project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.chdir(bare)
    assert run("check").exit_code == 3
    (row,) = rows()
    assert (row["outcome"], row["score"]) == ("undecided", None)
    assert "is not in a git repository" in row["reasons"][0]


def test_a_mistake_is_no_decision(project: Repository) -> None:
    assert run("check", "nowhere.py").exit_code == 2
    assert run("audit").stdout == "no decision is recorded here\n"
    assert run("audit", "--verify").exit_code == 0
    assert rows() == []


def test_the_newest_come_first_and_can_be_chosen(project: Repository) -> None:
    run("check", "--level", "early")
    run("check", "--level", "middle")
    project.write("prices.py", "def price(:\n")
    run("check", "--level", "early")
    assert [row["outcome"] for row in rows()] == ["fast-fail", "continue", "continue"]
    assert [row["level"] for row in rows("--limit", "2")] == ["early", "middle"]
    assert [row["number"] for row in rows("--decision", "fast-fail")] == [3]
    assert [row["number"] for row in rows("--decision", "continue", "--limit", "1")] == [2]
    assert len(rows("--since", "1h")) == 3
    assert rows("--since", "2999-01-01") == []


@pytest.mark.parametrize("said", ["yesterday", "7y", "2026-13-01", "99999999999999d", ""])
def test_a_time_that_is_none_is_a_mistake(project: Repository, said: str) -> None:
    result = run("audit", "--since", said)
    assert result.exit_code == 2
    assert "is neither a time" in result.stderr


def test_what_was_changed_is_named_and_fails(project: Repository) -> None:
    for level in ("early", "middle"):
        run("check", "--level", level)
    with sqlite3.connect(state_of(project.folder) / DATABASE) as raw:
        raw.execute("DROP TRIGGER decisions_stay")
        raw.execute("UPDATE decisions SET content = replace(content, 'continue', 'accept') WHERE number = 1")
    result = run("audit", "--verify")
    assert (result.exit_code, result.stdout.startswith("broken at record 1: its content")) == (1, True)
    found = json.loads(run("audit", "--verify", "--output", "json").stdout)
    assert (found["entries"], found["broken"]) == (2, 1)


def test_a_store_that_is_damaged_is_no_empty_trail(project: Repository) -> None:
    run("check", "--level", "early")
    file = state_of(project.folder) / DATABASE
    file.write_bytes(b"no database at all" * 100)
    result = run("audit", "--verify")
    assert (result.exit_code, "was damaged and was moved to" in result.stderr) == (1, True)
    assert run("check", "--level", "middle").exit_code == 0
    assert [row["number"] for row in rows()] == [1]


def test_a_store_that_cannot_be_written_stops_no_check(
    project: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    result = run("check", "--level", "early")
    assert result.exit_code == 0
    assert "gateline: the decision is not in the audit trail:" in result.stderr
    assert "continue" in result.stdout


def test_a_store_that_is_busy_is_not_waited_for_long(
    project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(project.folder, evaluation(), Circumstances("check"))
    monkeypatch.setattr("gateline.session.tasks.decisions._PATIENCE", 0.05)
    with sqlite3.connect(state_of(project.folder) / DATABASE, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "database is locked" in record(project.folder, evaluation(), Circumstances("check")).trouble
        other.execute("ROLLBACK")
    assert record(project.folder, evaluation(), Circumstances("check")).trouble == ""
