"""`gateline task` as a person types it."""

from __future__ import annotations

import json
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from type_project import Warm

from gateline.session.tasks.housekeeping import tidy
from gateline.session.tasks.tasks import SAID, tasks_of
from gateline.settings import WorklogSettings
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier
from support.repositories import Repository
from support.typed import run

CODE = '"""Prices."""\n\n\ndef price(net: int) -> int:\n    """With tax."""\n    return net\n'


@pytest.fixture
def project(workspace: Repository, without_types: None) -> Repository:
    workspace.commit("begin", **{"prices.py": CODE})
    return workspace


@pytest.fixture
def typed(project: Repository, monkeypatch: pytest.MonkeyPatch, warm: Warm) -> Repository:
    """The same, where types are checked."""
    monkeypatch.setenv("GATELINE_TYPES__ENABLED", "true")
    monkeypatch.setenv("GATELINE_TYPES__ENGINE", "mypy")
    monkeypatch.delenv("GATELINE_GATES__EVIDENCE")
    warm(project.folder)
    return project


def test_from_its_start_to_its_end(project: Repository) -> None:
    project.write("prices.py", CODE.replace("(net: int)", "(net: int, tax: int)"))
    began = run("task", "start", "Prices with tax", "--todo", "rounding", "--plan", "prices.py")
    assert "STRICT (public API: price of prices.py)" in began.stdout
    assert run("task", "update", "--phase", "planning_complete", "--done", "rounding").exit_code == 0
    page = run("task", "finish").stdout
    assert page.startswith("# Prices with tax\n\nSTRICT (public API: price of prices.py), completed")
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## Planning complete",
        "## Execution complete",
        "## Verification complete",
    ]
    assert "Done:\n\n- rounding" in page
    assert run("task", "show").stdout == page


def test_the_tier_follows_the_checks_and_only_rises(project: Repository) -> None:
    assert "EXEMPT (nothing changed)" in run("task", "start", "Prices with tax").stdout
    project.write("prices.py", CODE.replace("(net: int)", "(net: int, tax: int)"))
    run("check", "--level", "early", "--tests", "none")
    assert "STRICT (public API: price of prices.py)" in run("task", "show").stdout
    project.commit("Prices")
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    run("check", "--level", "early", "--tests", "none")
    assert run("task", "finish").stdout.count("\n## ") == 3


def test_a_tier_that_somebody_named_stays(project: Repository) -> None:
    run("task", "start", "Prices with tax", "--tier", "LIGHT")
    project.write("prices.py", CODE.replace("(net: int)", "(net: int, tax: int)"))
    run("check", "--level", "early", "--tests", "none")
    assert "LIGHT (said)" in run("task", "show").stdout


def test_a_half_typed_change_does_not_begin_light(project: Repository) -> None:
    project.write("prices.py", CODE.replace("(net: int)", "(net: int"))
    assert "  STANDARD (prices.py cannot be parsed" in run("task", "start", "Prices").stdout


def test_a_list_for_people_and_for_programs(project: Repository) -> None:
    run("task", "start", "One", "--tier", "LIGHT")
    run("task", "finish", "--outcome", "abandoned")
    run("task", "start", "Two", "--tier", "STANDARD")
    rows = json.loads(run("task", "list", "--output", "json").stdout)
    assert [(row["description"], row["outcome"], row["tier"]) for row in rows] == [
        ("Two", "in_progress", "STANDARD"),
        ("One", "abandoned", "LIGHT"),
    ]
    assert [line.split()[2] for line in run("task", "list").stdout.splitlines()] == [
        "in_progress",
        "abandoned",
    ]


def test_a_verdict_is_remembered(project: Repository) -> None:
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    run("task", "start", "Prices with tax")
    assert run("check", "--level", "early").exit_code == 0
    assert "early: continue, score 100" in run("task", "show").stdout


def checked(level: str, *more: str) -> Any:
    return json.loads(run("check", "--level", level, "--output", "json", *more).stdout)["trajectory"]


@pytest.mark.parametrize("with_task", [True, False])
def test_middle_tells_how_the_score_moved_since_early(typed: Repository, with_task: bool) -> None:
    """The earlier verdict is that of another process: it is looked up where verdicts are remembered."""
    if with_task:
        run("task", "start", "Prices with tax", "--tier", "STANDARD")
    typed.write("prices.py", CODE + "\n\nVALUE: int = 1\n")
    assert checked("early") is None
    typed.write("prices.py", CODE + "\n\n" + "".join(f"V{n}: int = ''\n" for n in range(2)))
    moved = checked("middle")
    assert (moved["delta"], moved["name"]) == (-20.0, "negative trajectory")
    assert moved["advice"] == ["revert_last_changes", "different_agent_type"]
    told = run("check", "--level", "middle").stdout
    assert "negative trajectory: 20 points lost from early to middle; roll back to the last good" in told
    assert ("gateline restore " in told) is with_task
    assert checked("final") is None


def test_how_far_the_score_may_fall_is_said_by_the_base(typed: Repository) -> None:
    table = "[tool.gateline.gates]\ntrajectory-drop = 60\n"
    typed.commit("wide", **{"pyproject.toml": table})
    typed.write("prices.py", CODE + "\n\nVALUE: int = 1\n")
    assert checked("early") is None
    typed.write("prices.py", CODE + "\n\n" + "".join(f"V{n}: int = ''\n" for n in range(2)))
    typed.write("pyproject.toml", table.replace("60", "1"))
    assert checked("middle")["name"] == "slight degradation"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("task", "show"), 2, 'is in progress: `gateline task start "GOAL"` starts one'),
        (("task", "finish", "nothing"), 2, "no task begins with 'nothing'; `gateline task list` shows all"),
        (("task", "start"), 2, "Missing argument 'DESCRIPTION'"),
    ],
    ids=["no task", "no such task", "no description"],
)
def test_a_mistake_is_told_with_the_next_step(
    project: Repository, arguments: tuple[str, ...], code: int, said: str
) -> None:
    result = run(*arguments)
    assert (result.exit_code, said in result.output) == (code, True), result.output


def test_a_store_that_cannot_be_used_is_named(
    project: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    result = run("task", "list")
    assert result.exit_code == 3
    assert "worklog.sqlite3 cannot be used" in result.output


def test_work_that_was_left_is_told_once_when_other_work_begins(project: Repository) -> None:
    project.write("prices.py", CODE.replace("(net: int)", "(net: int, tax: int)"))
    first = run("task", "start", "Prices with tax")
    assert first.stderr == ""
    name = first.stdout.split()[0]
    told = run("task", "start", "Rounding").stderr
    assert told.startswith("ℹ️ Previous work detected: Prices with tax (in_progress)\n")
    assert f"Session: {name} | Started: 2" in told
    assert told.endswith("To restore: nothing, it has no savepoint\n")
    run("task", "finish")
    assert run("task", "start", "More").stderr == "", "the same notice twice"


def test_what_was_left_is_listed_with_what_brings_it_back(project: Repository) -> None:
    assert run("worklog").stdout == "no unfinished work\n"
    run("task", "start", "Prices", "--tier", "STANDARD")
    run("check", "--level", "early")
    run("task", "finish", "--outcome", "abandoned")
    (saved,) = run("restore").stdout.splitlines()
    (row,) = json.loads(run("worklog", "--output", "json").stdout)
    assert row["outcome"] == "abandoned"
    assert row["restore"] == f"gateline restore {saved.split()[0]} --write"
    assert f"To restore: {row['restore']}" in run("worklog").stdout


@pytest.mark.parametrize("by_hand", [True, False], ids=["gateline savepoint", "gateline check"])
def test_the_command_in_the_notice_restores(project: Repository, by_hand: bool) -> None:
    run("task", "start", "Prices", "--tier", "STANDARD")
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    run("savepoint") if by_hand else run("check", "--level", "early", "--tests", "none")
    project.write("prices.py", CODE)
    told = run("worklog").stdout
    command = told.splitlines()[-1].removeprefix("To restore: gateline ")
    assert run(*command.split()).exit_code == 0
    assert (project.folder / "prices.py").read_text(encoding="utf-8").endswith("return net + 1\n")


def test_a_check_keeps_the_content_without_a_task(project: Repository) -> None:
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    run("check", "--level", "early", "--tests", "none")
    run("check", "--level", "early", "--tests", "none")
    (saved,) = run("restore").stdout.splitlines()
    assert saved.endswith("  early: continue")
    project.write("prices.py", CODE)
    assert run("restore", saved.split()[0], "--write").exit_code == 0
    assert (project.folder / "prices.py").read_text(encoding="utf-8").endswith("return net + 1\n")


@pytest.mark.parametrize("with_task", [True, False])
@pytest.mark.parametrize(
    ("name", "value", "text", "kept"),
    [
        ("CI", "true", "return net + 1", 0),
        ("CI", "1", "return net + 1", 0),
        ("CI", "false", "return net + 1", 1),
        ("GATELINE_WORKLOG__SAVEPOINTS", "false", "return net + 1", 0),
        ("NOTHING", "", "return (", 0),
    ],
    ids=["CI", "CI=1", "no CI", "switched off", "fast-fail"],
)
def test_when_no_content_is_kept(
    project: Repository,
    monkeypatch: pytest.MonkeyPatch,
    with_task: bool,
    name: str,
    value: str,
    text: str,
    kept: int,
) -> None:
    monkeypatch.setenv(name, value)
    if with_task:
        run("task", "start", "Prices", "--tier", "STANDARD")
    project.write("prices.py", CODE.replace("return net", text))
    run("check", "--level", "early", "--tests", "none")
    assert len(run("restore").stdout.splitlines()) == kept


def test_an_unchanged_project_is_not_kept(project: Repository) -> None:
    run("check", "--level", "early", "--tests", "none")
    assert run("restore").stdout.splitlines() == []


def test_who_only_checks_is_tidied_once_a_day(project: Repository) -> None:
    for number in range(2):
        project.write("prices.py", CODE + f"\n\nVALUE: int = {number}\n")
        run("check", "--level", "early", "--tests", "none")
    marker = state_of(project.folder) / "tidied"
    first = marker.stat().st_mtime_ns
    project.write("prices.py", CODE + "\n\nVALUE: int = 2\n")
    run("check", "--level", "early", "--tests", "none")
    assert marker.stat().st_mtime_ns == first
    os.utime(marker, (0, 0))
    project.write("prices.py", CODE + "\n\nVALUE: int = 3\n")
    run("check", "--level", "early", "--tests", "none")
    assert marker.stat().st_mtime_ns > first


def test_what_has_no_savepoint_any_more_promises_none(project: Repository) -> None:
    run("task", "start", "Prices", "--tier", "STANDARD")
    run("savepoint", "first")
    project.write("prices.py", CODE + "\n\nVALUE: int = 1\n")
    run("task", "finish")
    run("task", "start", "Rounding", "--tier", "STANDARD")
    run("savepoint", "second")
    assert tidy(project.folder, WorklogSettings(), datetime.now(UTC) + timedelta(days=31)).savepoints == 1
    with tasks_of(project.folder) as tasks:
        assert [bool(task.savepoint) for task in tasks.all()] == [True]


@pytest.mark.parametrize("left", [0, 1, 2])
def test_what_is_tidied_is_counted(project: Repository, left: int) -> None:
    run("check", "--level", "early", "--tests", "none")
    for number in range(left):
        run("task", "start", f"Task {number}", "--tier", "LIGHT")
    with sqlite3.connect(state_of(project.folder) / DATABASE) as raw:
        raw.execute("UPDATE tasks SET started_at = '2020-01-01T00:00:00+00:00'")
    told = {0: "0 tasks abandoned", 1: "1 task abandoned", 2: "2 tasks abandoned"}[left]
    assert run("gc").stdout.startswith(f"{told}, 0 forgotten, 0 savepoints deleted")


def test_that_many_tasks_are_in_progress_is_told_when_one_begins(project: Repository) -> None:
    with tasks_of(project.folder) as tasks:
        for number in range(38):
            tasks.start(f"Task {number}", InferredTier(Tier.LIGHT, SAID))
    assert "in progress" not in run("task", "start", "Thirty-nine", "--tier", "LIGHT").stderr
    assert "40 tasks are in progress" in run("task", "start", "Forty", "--tier", "LIGHT").stderr


def test_an_abandoned_task_is_shown_with_what_was_recorded_of_it(project: Repository) -> None:
    run("task", "start", "Prices", "--tier", "STANDARD", "--todo", "rounding")
    run("check", "--level", "early", "--tests", "none")
    with sqlite3.connect(state_of(project.folder) / DATABASE) as raw:
        raw.execute("UPDATE tasks SET started_at = '2020-01-01T00:00:00+00:00'")
    with tasks_of(project.folder, clock=lambda: datetime.now(UTC)) as tasks:
        name = tasks.all()[0].id
    run("gc")
    page = run("task", "show", name).stdout
    assert "abandoned" in page
    assert "## Abandoned" in page
    assert "Left:\n\n- rounding" in page
    assert "\n\nCheckpoints:\n\n- 2" in page, "they are remembered with their scores"
    assert " early: continue, " in page


def test_a_path_of_the_settings_has_its_tier(project: Repository) -> None:
    project.write("gateline.toml", '[worklog]\nstrict = ["prices*"]\n')
    project.commit("settings")
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    assert "STRICT (prices.py matches 'prices*' of the settings)" in run("task", "start", "Prices").stdout
