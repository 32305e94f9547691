"""What a savepoint did not cover is left alone and told: only what is known to be newer is removed."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from gateline.store.savepoints.gaps import EARLIER, differing
from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.taking import COVERAGE
from gateline.store.savepoints.values import Savepoint, SavepointUsageError
from support.savepoint_desk import GAPS, NOON, Desk, bits_of, sparse, submodule, write


@pytest.mark.parametrize("name", GAPS)
def test_what_was_not_covered_is_left_alone_and_what_is_newer_goes(desk: Desk, name: str) -> None:
    before, after, left = GAPS[name]
    for do in before:
        do(desk.repository)
    then = desk.tree()
    savepoint = desk.take()
    for do in after:
        do(desk.repository)
    desk.repository.write("newer.py", "newer = 1\n")
    changed = desk.tree()
    _, told = desk.restore(savepoint)
    alone = {path: text for path, text in changed.items() if path in left}
    assert desk.tree() == {path: text for path, text in then.items() if path not in left} | alone
    reasons = dict(line.split(": ", 1) for line in told)
    assert set(reasons) == {path for path, why in left.items() if why}
    for path, why in left.items():
        assert why in reasons.get(path, "")
    desk.restore(next(one for one in desk.savepoints.all() if one.label.startswith("before")))
    assert desk.tree() == changed


@pytest.mark.parametrize("name", GAPS)
def test_a_branch_deletes_nothing_that_was_not_covered(desk: Desk, name: str) -> None:
    before, after, left = GAPS[name]
    for do in before:
        do(desk.repository)
    savepoint, head = desk.take(), desk.repository.git("rev-parse", "HEAD")
    for do in after:
        do(desk.repository)
    desk.elsewhere.to_branch(savepoint, "as-it-was")
    changes = desk.repository.git("diff", "--name-status", head, "as-it-was").split("\n")
    assert [row for row in changes if row.startswith("D") or row.partition("\t")[2] in left] == []


def test_a_work_tree_is_as_sparse_as_this_one(desk: Desk, tmp_path: Path) -> None:
    sparse(desk.repository)
    desk.repository.write("shop/till.py", "open = 2\n")
    savepoint = desk.take()
    desk.elsewhere.to_worktree(savepoint, tmp_path / "there")
    there = desk.repository.__class__(tmp_path / "there")
    assert there.git("status", "--short").split("\n") == ["M shop/till.py"]
    assert not (tmp_path / "there" / "far").exists()


def test_a_work_tree_has_the_empty_folder_of_a_submodule(desk: Desk, tmp_path: Path) -> None:
    submodule(desk.repository)
    desk.repository.git("commit", "--quiet", "--message", "a submodule")
    desk.elsewhere.to_worktree(desk.take(), tmp_path / "there")
    assert list((tmp_path / "there" / "lib").iterdir()) == []
    assert desk.repository.__class__(tmp_path / "there").git("status", "--short") == ""


def test_a_submodule_that_was_removed_is_removed_in_a_work_tree(desk: Desk, tmp_path: Path) -> None:
    """The twin: its folder was gone."""
    submodule(desk.repository)
    desk.repository.git("commit", "--quiet", "--message", "a submodule")
    desk.repository.git("rm", "-r", "--quiet", "--force", "lib")
    desk.elsewhere.to_worktree(desk.take(), tmp_path / "there")
    assert not (tmp_path / "there" / "lib").exists()


def test_what_is_kept_out_of_the_work_tree_since_is_not_brought_back(desk: Desk) -> None:
    sparse(desk.repository)
    desk.repository.git("sparse-checkout", "disable")
    savepoint = desk.take()
    desk.repository.git("sparse-checkout", "set", "--cone", "shop")
    desk.repository.write("shop/till.py", "open = 2\n")
    assert desk.restore(savepoint) == (["shop/till.py"], [])
    assert not (desk.root / "far").exists()


def test_a_file_that_was_changed_and_is_kept_out_now_comes_back(desk: Desk) -> None:
    sparse(desk.repository)
    desk.repository.git("sparse-checkout", "disable")
    desk.repository.write("far/a.py", "mine = 1\n")
    savepoint = desk.take()
    desk.repository.git("checkout", "--quiet", "--", "far")
    desk.repository.git("sparse-checkout", "set", "--cone", "shop")
    assert desk.restore(savepoint) == (["far/a.py"], [])
    assert (desk.root / "far" / "a.py").read_text() == "mine = 1\n"
    assert not (desk.root / "far" / "c.py").exists()


def test_a_savepoint_learns_what_is_ignored_later(desk: Desk) -> None:
    """The same content is one savepoint; what was there when it was asked for again is not newer than it."""
    savepoint = desk.take()
    desk.repository.write(".venv/.gitignore", "*\n")
    desk.repository.write(".venv/a.py", "a = 1\n")
    assert desk.take().id == savepoint.id
    (desk.root / ".venv" / ".gitignore").unlink()
    assert [row.partition(":")[0] for row in desk.restore(savepoint)[1]] == [".venv/a.py"]
    assert (desk.root / ".venv" / "a.py").exists()


def test_another_commit_is_another_savepoint_where_files_are_kept_out(desk: Desk) -> None:
    sparse(desk.repository)
    first = desk.take()
    desk.repository.git("commit", "--quiet", "--allow-empty", "--message", "more")
    assert desk.take().id != first.id


@pytest.mark.parametrize("name", GAPS)
def test_what_was_not_covered_is_not_said_to_differ(desk: Desk, name: str) -> None:
    before, after, left = GAPS[name]
    for do in before:
        do(desk.repository)
    savepoint = desk.take()
    for do in (*after, write("newer.py", "newer = 1\n")):
        do(desk.repository)
    now = desk.take()
    changed = {path for path, why in left.items() if "sparse" in why}
    for found in (differing(desk.savepoints, savepoint, now), differing(desk.savepoints, now, savepoint)):
        assert "newer.py" in found
        assert {*found} & {*left} == changed


# Paths that name nothing


def test_a_path_that_names_nothing_is_a_mistake(desk: Desk) -> None:
    savepoint = desk.take()
    desk.repository.write("cart.py", "total = 2\n")
    with pytest.raises(SavepointUsageError, match=r"there is no file 'cart\.pyy', 'nowhere'"):
        desk.restore(savepoint, "cart.pyy", "cart.py", "nowhere")
    assert desk.tree()["cart.py"] == "total = 2\n"


@pytest.mark.parametrize("path", ["cart.py", "shop", "shop/till.py", "."])
def test_a_path_that_does_not_differ_is_none(desk: Desk, path: str) -> None:
    assert desk.restore(desk.take(), path) == ([], [])


def test_a_path_that_is_only_then_or_only_now_is_none(desk: Desk) -> None:
    desk.repository.write("old.py", "old = 1\n")
    savepoint = desk.take()
    (desk.root / "old.py").unlink()
    desk.repository.write("new.py", "new = 1\n")
    assert desk.restore(savepoint, "old.py", "new.py") == (["new.py", "old.py"], [])


@pytest.mark.parametrize("gone", [True, False])
def test_a_path_that_no_savepoint_holds_is_told(desk: Desk, gone: bool) -> None:
    desk.repository.write("debug.log", "one\n")
    savepoint = desk.take()
    if gone:
        (desk.root / "debug.log").unlink()
    done, left = desk.restore(savepoint, "debug.log")
    assert (done, left) == ([], ["debug.log: the savepoint does not cover it: it was ignored"])


# Savepoints of an earlier version


def of_earlier_version(desk: Desk, savepoint: Savepoint) -> None:
    desk.savepoints.shadow.run("update-ref", "-d", f"{COVERAGE}{savepoint.id}")


def test_of_an_earlier_version_nothing_is_deleted_and_the_rest_comes_back(desk: Desk, tmp_path: Path) -> None:
    for path in ("keys.pem", "gone.py"):
        desk.repository.write(path, "then\n")
    savepoint = desk.take()
    of_earlier_version(desk, savepoint)
    (desk.root / "keys.pem").unlink()
    (desk.root / "cart.py").unlink()
    desk.repository.write("shop/till.py", "open = 2\n")
    desk.repository.write("new.py", "new = 1\n")
    done, left = desk.restore(savepoint)
    assert done == ["cart.py", "keys.pem", "shop/till.py"]
    assert left == [f"new.py: {EARLIER}"]
    # Nobody knows who could read what git does not track.
    assert bits_of(desk.root)["keys.pem"] == "600"
    assert bits_of(desk.root)["cart.py"] == "644"
    desk.elsewhere.to_folder(savepoint, tmp_path / "there")
    assert (bits_of(tmp_path / "there")["keys.pem"], bits_of(tmp_path / "there")["cart.py"]) == ("600", "644")


def test_a_branch_of_an_earlier_version_deletes_nothing(desk: Desk) -> None:
    (desk.root / "cart.py").unlink()
    savepoint = desk.take()
    of_earlier_version(desk, savepoint)
    desk.elsewhere.to_branch(savepoint, "as-it-was")
    assert desk.repository.git("diff", "--name-status", "HEAD", "as-it-was") == ""


def test_a_journal_of_an_earlier_version_is_read(desk: Desk) -> None:
    savepoint = desk.take()
    desk.repository.write("cart.py", "total = 2\n")
    planned = plan(desk.savepoints, savepoint, NOON + timedelta(hours=1))
    (step,) = planned.steps
    row = {"path": "cart.py", "action": "change", "blob": step.blob, "before": step.before, "conflict": ""}
    journal = desk.savepoints.shadow.folder / "restoring.json"
    journal.write_text(json.dumps([{**row, "mode": "100644 100644"}]))
    (desk.root / "cart.py").write_text("total = 1\n")
    undone = desk.restoring.recover()
    assert undone is not None
    assert desk.tree()["cart.py"] == "total = 2\n"


# What cannot be read


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_what_lies_in_a_folder_that_could_not_be_read_is_left_alone(desk: Desk) -> None:
    desk.repository.write("locked/a.py", "a = 1\n")
    desk.take()
    (desk.root / "locked").chmod(0)
    savepoint = desk.take()
    (desk.root / "locked").chmod(0o755)
    assert "locked" in {row.path.partition("/")[0] for row in savepoint.uncovered}
    _, left = desk.restore(savepoint)
    assert desk.tree()["locked/a.py"] == "a = 1\n"
    assert "not readable" in left[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(
    ("closed", "bits"), [("shop/new/a.py", 0), ("shop/new", 0), ("shop/new", 0o400), ("shop", 0)]
)
def test_what_cannot_be_read_now_is_left_alone(desk: Desk, closed: str, bits: int, known: bool) -> None:
    """The restore says so, whether an older content of it was recorded or none."""
    file = desk.repository.write("shop/new/a.py", "a = 1\n")
    savepoint = desk.take()
    if not known:
        file.unlink()
        desk.take()
    desk.repository.write("shop/new/a.py", "a = 20\n")
    place = desk.root / closed
    before = place.stat().st_mode & 0o777
    place.chmod(bits)
    _, left = desk.restore(savepoint)
    place.chmod(before)
    (told,) = [row for row in left if row.startswith("shop/new/a.py: ")]
    assert told.endswith(("whose content was not recorded", f"{closed} is a folder that cannot be entered"))
    assert desk.tree()["shop/new/a.py"] == "a = 20\n"
