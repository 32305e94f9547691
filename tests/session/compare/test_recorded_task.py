"""`gateline compare --task`: the goal and the plan that was recorded are given to the comparison."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from gateline.ranking.values import Isolation
from gateline.session.compare.evidence import pool_of
from gateline.session.compare.measured import Measured
from gateline.session.compare.recorded_task import NO_TASK, RecordedTask, recorded_task
from gateline.session.errors import UsageError
from gateline.store.candidates.trees import Given
from support.repositories import Repository

BASE = {
    "pyproject.toml": "[tool.gateline.types]\nenabled = false\n",
    "a.py": "A = 1\n",
    "docs/a.md": "A is 1\n",
}


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory) -> Repository:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    repository.commit("base", **BASE)
    for name, changed in (
        ("code", {"a.py": "A = 2\n"}),
        ("all", {"a.py": "A = 3\n", "docs/a.md": "A is 3\n"}),
    ):
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(name, **changed)
    repository.git("checkout", "-q", "main")
    monkeypatch.chdir(repository.folder)
    return repository


def gateline(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def begun(goal: str, *plans: str) -> str:
    planned = [word for plan in plans for word in ("--plan", plan)]
    return gateline("task", "start", goal, *planned, "--todo", "say so").output.split()[0]


@pytest.mark.deep
def test_the_goal_and_the_plan_of_the_task_in_progress_are_in_the_answer(project: Repository) -> None:
    name = begun("A becomes more", "a.py", "docs")
    done = gateline(
        "compare", "code", "all", "--tests", "none", "--output", "json", "--python", sys.executable
    )
    found = json.loads(done.stdout)
    assert found["task"] == {
        "id": name,
        "goal": "A becomes more",
        "planned": ["a.py", "docs"],
        "items": ["say so"],
    }
    weak = {row["name"]: row["weaknesses"] for row in found["ranking"]["rows"]}
    assert "does not change what the plan of the task names: docs" in weak["code"]
    assert not any("plan" in told for told in weak["all"])


@pytest.mark.parametrize("name", [None, NO_TASK])
def test_without_a_task_nothing_is_said_of_one(project: Repository, name: str | None) -> None:
    if name:
        begun("A becomes more")
    assert recorded_task(project.folder, name) is None


def test_a_task_of_another_branch_is_found_by_how_its_name_begins(project: Repository) -> None:
    name = begun("A becomes more", "a.py")
    project.git("checkout", "-q", "code")
    assert recorded_task(project.folder, None) is None
    found = recorded_task(project.folder, name[:-2])
    assert found == RecordedTask(name, "A becomes more", ("a.py",), ("say so",))
    assert found.told == "A becomes more\n- say so"


def test_an_unknown_task_is_a_mistake(project: Repository) -> None:
    begun("A becomes more")
    with pytest.raises(
        UsageError, match="--task: no task begins with '1999'; `gateline task list` shows all"
    ):
        recorded_task(project.folder, "1999")
    done = gateline("compare", "code", "all", "--task", "1999")
    assert (done.exit_code, "no task begins with '1999'" in done.stderr) == (2, True)


def test_a_store_that_cannot_be_read_is_no_hindrance_unless_a_task_was_named(
    project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("A becomes more")
    (database,) = Path(os.environ["XDG_STATE_HOME"]).rglob("worklog.sqlite3")
    database.unlink()
    database.mkdir()
    assert recorded_task(project.folder, None) is None
    done = gateline("compare", "code", "all", "--task", "2026")
    assert (done.exit_code, "task '2026' cannot be read" in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("changed", "met"),
    [(("a.py", "docs/a.md"), 1.0), (("a.py",), 0.5), (("docs/b/c.md",), 0.5), (("docs.py",), 0.0)],
)
def test_requirements_met_is_the_share_of_planned_paths_that_change(
    changed: tuple[str, ...], met: float
) -> None:
    planned = RecordedTask("1", "A", ("a.py", "docs")).coverage(changed)
    one = Measured(Given("x", "commit", "t", changed), planned=planned)
    (candidate,) = pool_of([one], None, Isolation.NONE).candidates
    assert candidate.criteria["requirements met"] == met


def test_without_a_plan_requirements_are_not_measured() -> None:
    one = Measured(Given("x", "commit", "t", ("a.py",)), planned=RecordedTask("1", "A").coverage(["a.py"]))
    (candidate,) = pool_of([one], None, Isolation.NONE).candidates
    assert "requirements met" not in candidate.criteria
