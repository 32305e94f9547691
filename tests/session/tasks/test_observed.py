"""What a check on the command line saw of the work comes into the task: files, tests, deviations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.model import Evaluation, FileSummary, Level, State, TestRun
from gateline.model.endings import Endings
from gateline.session.check import readable_workspace
from gateline.session.tasks.current_task import commit_of, remember
from gateline.session.tasks.tasks import SAID, Tasks, tasks_of
from gateline.session.tests.outcomes import endings_of
from gateline.testing.losses import Loss
from gateline.testing.result import Ending, Result
from gateline.worklog.task import EventKind, Phase, Task, Tier
from gateline.worklog.tier import InferredTier
from support.recorded_work import evaluation
from support.repositories import Repository

FILES = {"src/fees.py": "FEE = 1\n", "src/rates.py": "RATE = 1\n", "old.py": "OLD = 1\n"}


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repository:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("GATELINE_WORKLOG__SAVEPOINTS", "false")
    repository.commit("begin", **FILES)
    return repository


@pytest.fixture
def tasks(project: Repository) -> Iterator[Tasks]:
    with tasks_of(project.folder) as found:
        yield found


def begun(tasks: Tasks, project: Repository, *plans: str) -> Task:
    commit = commit_of(readable_workspace(project.folder, {}))
    made = tasks.start("Fees", InferredTier(Tier.STRICT, SAID), "main", commit=commit)
    if plans:
        tasks.record(made, (EventKind.PLANNED, {"paths": list(plans)}))
    return made


def of(*paths: str, tests: TestRun | None = None) -> Evaluation:
    """A verdict of a change of these files."""
    files = tuple(FileSummary(path, "modified") for path in paths)
    return replace(evaluation(Level.FINAL), files=files, tests=tests)


def seen(tasks: Tasks, task: Task) -> list[str]:
    return [e.text("path") for e in tasks.events(task) if e.kind is EventKind.EXTERNAL_EDIT]


def test_what_a_check_saw_is_summed_up(project: Repository, tasks: Tasks) -> None:
    task = begun(tasks, project, "src/fees.py")
    for path in ("src/fees.py", "src/rates.py"):
        project.write(path, FILES[path] + "MORE = 2\n")
    endings = Endings(11, 2, 3, ("tests/test_fees.py::test_fee", "tests/test_fees.py::test_more"))
    run = TestRun("all", 16, 16, endings=endings)
    remember(project.folder, of("src/fees.py", "src/rates.py", tests=run))
    tasks.phase(task, Phase.EXECUTION_COMPLETE)
    (summary,) = tasks.log(task).summaries
    assert summary["files_modified"] == ["src/fees.py", "src/rates.py"]
    assert summary["verification"] == {"passed": 11, "failed": 2, "skipped": 3}
    assert [(row["type"], row["severity"], row["detail"]) for row in summary["deviations"]] == [
        ("unplanned_file", "low", "src/rates.py"),
        ("test_failure", "high", "tests/test_fees.py::test_fee"),
        ("test_failure", "high", "tests/test_fees.py::test_more"),
    ]


def test_what_did_not_change_since_is_not_told_again(project: Repository, tasks: Tasks) -> None:
    task = begun(tasks, project)
    project.write("src/fees.py", "FEE = 2\n")
    for _ in range(2):
        remember(project.folder, of("src/fees.py"))
    assert seen(tasks, task) == ["src/fees.py"]
    tasks.phase(task, Phase.PLANNING_COMPLETE)
    project.write("src/rates.py", "RATE = 2\n")
    remember(project.folder, of("src/fees.py", "src/rates.py"))
    tasks.phase(task, Phase.EXECUTION_COMPLETE)
    assert [one["files_modified"] for one in tasks.log(task).summaries] == [["src/fees.py"], ["src/rates.py"]]


def test_what_was_taken_back_or_deleted_was_written(project: Repository, tasks: Tasks) -> None:
    task = begun(tasks, project)
    project.write("src/fees.py", "FEE = 2\n")
    (project.folder / "old.py").unlink()
    remember(project.folder, of("src/fees.py", "old.py"))
    project.write("src/fees.py", FILES["src/fees.py"])
    remember(project.folder, of("old.py"))
    assert seen(tasks, task) == ["old.py", "src/fees.py", "src/fees.py"]


def test_what_was_committed_before_the_task_began_is_not_its_work(project: Repository, tasks: Tasks) -> None:
    project.commit("earlier", **{"src/rates.py": "RATE = 2\r\n"})
    task = begun(tasks, project)
    # Only its line ends differ.
    project.write("src/rates.py", "RATE = 2\n")
    project.write("src/fees.py", "FEE = 2\n")
    remember(project.folder, of("src/fees.py", "src/rates.py"))
    assert seen(tasks, task) == ["src/fees.py"]


def test_what_the_task_before_it_left_is_not_its_work(project: Repository, tasks: Tasks) -> None:
    first = begun(tasks, project)
    project.write("src/fees.py", "FEE = 2\n")
    remember(project.folder, of("src/fees.py"))
    tasks.finish(first)
    second = begun(tasks, project)
    project.write("src/rates.py", "RATE = 2\n")
    remember(project.folder, of("src/fees.py", "src/rates.py"))
    assert seen(tasks, second) == ["src/rates.py"]
    project.write("src/fees.py", "FEE = 3\n")
    remember(project.folder, of("src/fees.py", "src/rates.py"))
    assert seen(tasks, second) == ["src/rates.py", "src/fees.py"]


@pytest.mark.parametrize(("later", "times"), [(0, 0), (60, 1)])
def test_what_an_editor_told_of_is_told_once(
    project: Repository, tasks: Tasks, later: int, times: int
) -> None:
    task = begun(tasks, project)
    project.write("src/fees.py", "FEE = 2\n")
    tasks.record(task, (EventKind.SAVED, {"path": "src/fees.py"}))
    written = (datetime.now(UTC) + timedelta(seconds=later)).timestamp()
    os.utime(project.folder / "src/fees.py", (written, written))
    remember(project.folder, of("src/fees.py"))
    assert len(seen(tasks, task)) == times


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (None, None),
        (TestRun("none", state=State.NO_DATA, reason="switched off", chosen=True), None),
        (TestRun("none", state=State.NOTHING_TO_JUDGE, reason="there are no tests"), None),
        (TestRun("affected", 1, 9, endings=Endings(9, 0, 0)), (9, 0, 0, ())),
        (TestRun("all", state=State.FAILED, reason="cannot start: boom"), (0, 0, 0, ("cannot start: boom",))),
    ],
    ids=["not looked at", "not wanted", "none there", "affected", "cannot start"],
)
def test_only_tests_that_ran_are_told(
    project: Repository, tasks: Tasks, run: TestRun | None, told: tuple[object, ...] | None
) -> None:
    task = begun(tasks, project)
    remember(project.folder, of(tests=run))
    events = [event for event in tasks.events(task) if event.kind is EventKind.TESTS]
    counts = ("passed", "failed", "skipped")
    found = [(*(event.number(name) for name in counts), event.texts("failing")) for event in events]
    assert found == ([] if told is None else [told])


def test_how_all_tests_end() -> None:
    rows = (Ending.PASSED, Ending.FAILED, Ending.SKIPPED, Ending.XFAILED, Ending.TIMEOUT, Ending.ERROR)
    results = [Result(f"t{number}", ending) for number, ending in enumerate(rows)]
    lost = (Loss("tests/test_a.py", "tests/test_a.py", 4), Loss("tests/test_b.py", "tests/test_b.py", 0))
    assert endings_of(results, lost, {"t5"}) == Endings(
        2, 7, 2, ("tests/test_a.py", "tests/test_b.py", "t1", "t4")
    )
