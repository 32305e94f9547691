"""`gateline savepoint`, `restore` and `gc` as a person types them."""

from __future__ import annotations

import json
import os
import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.session.tasks.housekeeping import tidy
from gateline.session.tasks.savepoints import savepoints_of
from gateline.settings import WorklogSettings
from gateline.store.savepoints import taking
from support.repositories import Repository
from support.savepoint_desk import killed_half_way
from support.typed import run

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def project(workspace: Repository) -> Repository:
    workspace.commit("begin", **{"cart.py": "total = 1\n", "shop/till.py": "open = 1\n"})
    return workspace


def content(project: Repository, path: str) -> str:
    return (project.folder / path).read_text()


def test_there_and_back(project: Repository) -> None:
    kept = run("savepoint", "works").stdout.strip()
    project.write("cart.py", "total = 2\n")
    project.write("new.py", "new = 1\n")
    assert run("restore", kept).stdout == "delete  new.py\nchange  cart.py\n"
    assert content(project, "cart.py") == "total = 2\n"
    done = run("restore", kept, "--write")
    assert (done.exit_code, done.stdout) == (0, "delete  new.py\nchange  cart.py\n")
    assert content(project, "cart.py") == "total = 1\n"
    back = done.stderr.partition("gateline restore ")[2].split()[0]
    assert run("restore", back, "--write").exit_code == 0
    assert (content(project, "cart.py"), content(project, "new.py")) == ("total = 2\n", "new = 1\n")
    assert [line.split("  ")[2] for line in run("restore").stdout.splitlines()][-1] == "works"


def test_some_files_from_a_folder_inside(project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    project.write("shop/till.py", "open = 2\n")
    monkeypatch.chdir(project.folder / "shop")
    assert run("restore", kept, "--write", "till.py").stdout == "change  shop/till.py\n"
    assert content(project, "cart.py") == "total = 2\n"
    assert run("restore", kept, "../../elsewhere").exit_code == 2


def test_into_another_folder(project: Repository, tmp_path: Path) -> None:
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    assert run("restore", kept, "--to", str(tmp_path / "then")).exit_code == 0
    assert (tmp_path / "then" / "cart.py").read_text() == "total = 1\n"
    again = run("restore", kept, "--to", str(tmp_path / "then"))
    assert (again.exit_code, "is not empty" in again.output) == (2, True)


def test_as_a_branch_and_as_a_work_tree(project: Repository, tmp_path: Path) -> None:
    project.write("cart.py", "total = 2\n")
    kept = run("savepoint", "half of it").stdout.strip()
    project.write("cart.py", "total = 3\n")
    made = run("restore", kept, "--branch", "as-it-was")
    assert (made.exit_code, made.stdout.strip()) == (0, project.git("rev-parse", "as-it-was"))
    assert project.git("show", "as-it-was:cart.py") == "total = 2"
    assert run("restore", kept, "--worktree", str(tmp_path / "then")).exit_code == 0
    assert (tmp_path / "then" / "cart.py").read_text() == "total = 2\n"
    assert (content(project, "cart.py"), project.git("branch", "--show-current")) == ("total = 3\n", "main")


def test_what_is_left_alone_is_a_failure(project: Repository) -> None:
    project.write("notes.txt", "one\n")
    kept = run("savepoint").stdout.strip()
    project.write(".gitignore", "notes.txt\n")
    project.write("notes.txt", "two\n")
    done = run("restore", kept, "--write")
    assert done.exit_code == 1
    assert "skipped notes.txt: a file is there whose content was not recorded" in done.stdout
    assert content(project, "notes.txt") == "two\n"


def test_what_was_not_covered_then_is_left_alone_and_told(project: Repository) -> None:
    project.write(".gitignore", ".env\n")
    project.write(".env", "KEY=1\n")
    kept = run("savepoint").stdout.strip()
    project.write(".gitignore", "")
    project.write("new.py", "new = 1\n")
    told = "skipped .env: the savepoint does not cover it: it was ignored\n"
    rows = f"delete  new.py\nchange  .gitignore\n{told}"
    assert sorted(run("restore", kept).stdout.splitlines()) == sorted(rows.splitlines())
    shown = json.loads(run("restore", kept, "--output", "json").stdout)
    assert {(row["path"], row["action"], row["conflict"]) for row in shown["steps"]} == {
        ("new.py", "delete", ""),
        (".gitignore", "change", ""),
        (".env", "delete", "the savepoint does not cover it: it was ignored"),
    }
    assert (shown["applied"], shown["savepoint"], shown["uncovered"]) == (False, kept, [])
    done = run("restore", kept, "--write")
    assert (done.exit_code, told in done.stdout) == (1, True)
    assert content(project, ".env") == "KEY=1\n"
    # It is ignored again: taking it back finds it as it was.
    back = done.stderr.partition("gateline restore ")[2].split()[0]
    assert run("restore", back, "--write").exit_code == 0
    assert (content(project, ".gitignore"), content(project, ".env")) == ("", "KEY=1\n")


def test_savepoints_for_programs(project: Repository) -> None:
    project.write("data.bin", b"x" * 5_000_001)
    made = json.loads(run("savepoint", "works", "--output", "json").stdout)
    assert (made["label"], [row["path"] for row in made["uncovered"]]) == ("works", ["data.bin"])
    assert json.loads(run("restore", "--output", "json").stdout) == [made]


@pytest.mark.parametrize("more", [(), ("--write",), ("--output", "json")])
def test_a_path_that_names_nothing_is_a_mistake(project: Repository, more: tuple[str, ...]) -> None:
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    wrong = run("restore", kept, "cart.pyy", *more)
    assert wrong.exit_code == 2
    assert f"there is no file 'cart.pyy', neither in savepoint {kept} nor here" in wrong.stderr
    assert content(project, "cart.py") == "total = 2\n"
    assert run("restore", kept, "shop", *more).exit_code == 0


def test_the_settings_say_how_large_a_file_may_be(project: Repository) -> None:
    project.write("gateline.toml", "[worklog]\nlargest-file = 6_000_000\n")
    project.write("data.bin", b"x" * 5_000_001)
    kept = run("savepoint")
    assert kept.stderr == ""
    (project.folder / "data.bin").unlink()
    assert run("restore", kept.stdout.strip(), "--write").stdout == "create  data.bin\n"
    # Who broke the settings must be able to go back.
    project.write("gateline.toml", "[worklog\n")
    assert run("restore", kept.stdout.strip(), "--write", "gateline.toml").exit_code == 0


def test_what_is_made_elsewhere_for_programs(project: Repository, tmp_path: Path) -> None:
    project.write("id.pem", "key\n").chmod(0o600)
    kept = run("savepoint").stdout.strip()
    branch = json.loads(run("restore", kept, "--branch", "b", "--output", "json").stdout)
    assert branch["commit"] == project.git("rev-parse", "b")
    assert [row["path"] for row in branch["steps"]] == ["id.pem"]
    folder = json.loads(run("restore", kept, "--to", str(tmp_path / "f"), "--output", "json").stdout)
    assert (folder["place"], folder["commit"], folder["steps"]) == (str(tmp_path / "f"), "", [])


def test_only_permissions_differ(project: Repository) -> None:
    (project.folder / "cart.py").chmod(0o600)
    kept = run("savepoint").stdout.strip()
    (project.folder / "cart.py").chmod(0o644)
    assert run("restore", kept, "--write").stdout == "change  cart.py (permissions 600)\n"
    assert (project.folder / "cart.py").stat().st_mode & 0o777 == 0o600


def test_a_branch_says_what_is_private_and_not_in_it(project: Repository) -> None:
    project.write("id.pem", "key\n").chmod(0o600)
    project.write("new.py", "new = 1\n")
    kept = run("savepoint").stdout.strip()
    done = run("restore", kept, "--branch", "as-it-was")
    assert (done.exit_code, "skipped id.pem: only its owner could read it" in done.stderr) == (1, True)
    assert "new.py" in project.git("ls-tree", "--name-only", "as-it-was").split()


def test_a_second_restore_waits_and_is_told_who_is_at_it(
    project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking, "WAIT", 0.0)
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    with savepoints_of(project.folder).restoring():
        second = run("restore", kept, "--write")
        assert run("restore", kept).exit_code == 0, "a look changes nothing"
    assert second.exit_code == 3
    assert f"is under way (process {os.getpid()}): nothing was restored; try again" in second.stderr
    assert content(project, "cart.py") == "total = 2\n"
    assert run("restore", kept, "--write").exit_code == 0


def test_a_restore_that_was_killed_is_undone_by_the_next_savepoint(project: Repository) -> None:
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    killed_half_way(savepoints_of(project.folder), kept)
    assert content(project, "cart.py") == "total = 1\n"
    done = run("savepoint", "next")
    assert "an interrupted restore was undone: the files are as they were before it" in done.stderr
    assert content(project, "cart.py") == "total = 2\n"


def test_a_folder_that_is_being_filled_keeps_no_killed_restore_from_being_undone(project: Repository) -> None:
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    (project.folder / ".gateline-restoring-0a1b2c3d").mkdir()
    killed_half_way(savepoints_of(project.folder), kept)
    assert run("savepoint", "next").exit_code == 0
    assert content(project, "cart.py") == "total = 2\n"


def test_a_restore_that_is_killed_while_the_next_one_waits_is_undone(project: Repository) -> None:
    """The second would write its own journal over that of the first."""
    kept = run("savepoint").stdout.strip()
    project.write("cart.py", "total = 2\n")
    project.write("shop/till.py", "open = 2\n")
    savepoints, (ready, told) = savepoints_of(project.folder), os.pipe()
    child = os.fork()
    if child == 0:
        with savepoints.restoring():
            os.write(told, b"r")
            time.sleep(2)
            killed_half_way(savepoints, kept)
            os._exit(0)
    os.read(ready, 1)
    second = run("restore", kept, "--write", "cart.py")
    os.waitpid(child, 0)
    assert "an interrupted restore was undone" in second.stderr
    assert content(project, "cart.py") == "total = 1\n"
    assert content(project, "shop/till.py") == "open = 2\n"


def test_what_is_not_covered_is_named(project: Repository) -> None:
    project.write("data.bin", b"x" * 5_000_001)
    assert (
        "not covered: data.bin (5.0 MB, more than worklog.largest-file (5.0 MB))" in run("savepoint").stderr
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("restore", "x"), 2, "no savepoint begins with 'x'; `gateline restore` lists all"),
        (("restore", "x", "--write", "--to", "y"), 2, "--write and --to are mutually exclusive"),
        (("restore", "x", "--branch", "b", "--to", "y"), 2, "--to and --branch are mutually exclusive"),
        (("restore", "x", "a.py", "--to", "y"), 2, "--to restores all files"),
        (("restore", "x", "a.py", "--branch", "y"), 2, "--branch restores all files"),
        (("restore", "--branch", "y"), 2, "--branch needs a SAVEPOINT; `gateline restore` lists all"),
    ],
)
def test_a_mistake_is_told(project: Repository, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, said in result.output) == (code, True), result.output


@pytest.mark.usefixtures("without_types")
def test_a_checkpoint_of_a_task_has_its_savepoint(project: Repository) -> None:
    run("task", "start", "Prices")
    project.write("cart.py", "total = 2\n")
    assert run("check", "--level", "early").exit_code == 0
    assert "early: continue" in run("restore").stdout
    project.write("cart.py", "total = (\n")
    run("check", "--level", "early")
    assert len(run("restore").stdout.splitlines()) == 1, "what does not parse is no place to go back to"


@pytest.mark.usefixtures("without_types")
def test_a_verdict_in_a_task_does_not_wait_for_savepoints(project: Repository) -> None:
    run("task", "start", "Prices")
    project.write("cart.py", "total = 2\n")
    with savepoints_of(project.folder).locked():
        told = run("check", "--level", "early")
    assert told.exit_code == 0
    assert "continue" in told.stdout
    assert "no savepoint was taken: another process kept savepoints locked for 1 s" in told.stderr


def test_old_savepoints_go_and_the_newest_stays(project: Repository, tmp_path: Path) -> None:
    savepoints = savepoints_of(project.folder, tmp_path)
    for days in range(5):
        project.write("cart.py", f"total = {days}\n")
        savepoints.take("test", NOON + timedelta(days=days))
    assert (
        tidy(project.folder, WorklogSettings(), NOON + timedelta(days=32, hours=1), tmp_path).savepoints == 3
    )
    assert tidy(project.folder, WorklogSettings(), NOON + timedelta(days=400), tmp_path).savepoints == 1
    assert len(savepoints.all()) == 1


def test_the_store_stays_within_its_cap(project: Repository, tmp_path: Path) -> None:
    savepoints = savepoints_of(project.folder, tmp_path)
    for number in range(8):
        project.write("data.bin", random.Random(number).randbytes(300_000))
        savepoints.take("test", NOON + timedelta(seconds=number))
    assert savepoints.size() > 2_000_000
    done = tidy(project.folder, WorklogSettings(size=1), NOON, tmp_path)
    assert done.savepoints >= 4
    assert done.size <= 1_000_000
    assert savepoints.all()[0].at == NOON + timedelta(seconds=7)


def test_a_word_about_what_was_done(project: Repository) -> None:
    run("savepoint")
    assert run("gc").stdout.startswith("0 tasks abandoned, 0 forgotten, 0 savepoints deleted, 0.")
