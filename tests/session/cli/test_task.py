"""`gateline task` as a person types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from repositories import Repository

CODE = '"""Prices."""\n\n\ndef price(net: int) -> int:\n    """With tax."""\n    return net\n'


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="gateline")


@pytest.fixture
def project(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Repository:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setenv("GATELINE_TYPES__ENGINE", "mypy")
    repository.commit("begin", **{"prices.py": CODE})
    monkeypatch.chdir(repository.folder)
    return repository


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


@pytest.mark.usefixtures("without_types")
def test_a_verdict_is_remembered(project: Repository) -> None:
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    run("task", "start", "Prices with tax")
    assert run("check", "--level", "early").exit_code == 0
    assert "early: continue, score 100" in run("task", "show").stdout


def checked(level: str, *more: str) -> Any:
    return json.loads(run("check", "--level", level, "--output", "json", *more).stdout)["trajectory"]


@pytest.mark.parametrize("with_task", [True, False])
def test_middle_tells_how_the_score_moved_since_early(project: Repository, with_task: bool) -> None:
    """The earlier verdict is that of another process: it is looked up where verdicts are remembered."""
    if with_task:
        run("task", "start", "Prices with tax", "--tier", "STANDARD")
    project.write("prices.py", CODE + "\n\nVALUE: int = 1\n")
    assert checked("early") is None
    project.write("prices.py", CODE + "\n\n" + "".join(f"V{n}: int = ''\n" for n in range(2)))
    moved = checked("middle")
    assert (moved["delta"], moved["name"]) == (-20.0, "negative trajectory")
    assert moved["advice"] == ["revert_last_changes", "different_agent_type"]
    told = run("check", "--level", "middle").stdout
    assert "negative trajectory: 20 points lost from early to middle; roll back to the last good" in told
    assert ("gateline restore " in told) is with_task
    assert checked("final") is None


def test_how_far_the_score_may_fall_is_said_by_the_base(project: Repository) -> None:
    table = "[tool.gateline.gates]\ntrajectory-drop = 60\n"
    project.commit("wide", **{"pyproject.toml": table})
    project.write("prices.py", CODE + "\n\nVALUE: int = 1\n")
    assert checked("early") is None
    project.write("prices.py", CODE + "\n\n" + "".join(f"V{n}: int = ''\n" for n in range(2)))
    project.write("pyproject.toml", table.replace("60", "1"))
    assert checked("middle")["name"] == "slight degradation"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("task", "show"), 2, 'is in progress: `gateline task start "what for"` begins one'),
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
    assert told.endswith(f"To restore: gateline task show {name}\n")
    run("task", "finish")
    assert run("task", "start", "More").stderr == "", "the same notice twice"


def test_what_was_left_is_listed_with_what_brings_it_back(project: Repository) -> None:
    assert run("worklog").stdout == "nothing was left\n"
    run("task", "start", "Prices", "--tier", "STANDARD")
    run("check", "--level", "early")
    run("task", "finish", "--outcome", "abandoned")
    (saved,) = run("restore").stdout.splitlines()
    (row,) = json.loads(run("worklog", "--output", "json").stdout)
    assert row["outcome"] == "abandoned"
    assert row["restore"] == f"gateline restore {saved.split()[0]}"
    assert f"To restore: {row['restore']}" in run("worklog").stdout


def test_a_path_of_the_settings_has_its_tier(project: Repository) -> None:
    project.write("gateline.toml", '[worklog]\nstrict = ["prices*"]\n')
    project.commit("settings")
    project.write("prices.py", CODE.replace("return net", "return net + 1"))
    assert "STRICT (prices.py matches 'prices*' of the settings)" in run("task", "start", "Prices").stdout
