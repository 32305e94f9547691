"""Savepoints and restores that are killed at each step, and full disks: nothing is lost, nothing is half."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.taking import Savepoints
from support.savepoint_desk import Desk

pytestmark = pytest.mark.timeout(180)

STEPS = """
import os, resource, signal, subprocess, sys
from datetime import UTC, datetime
from pathlib import Path
from gateline import git
from gateline.store.savepoints import elsewhere, planning, restoring, taking
root, state, name, what, step = Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:6]
count = 0
def dying(real):
    def called(*given, **named):
        global count
        count += 1
        if count == int(step):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **named)
    return called
savepoints = taking.Savepoints(root, state, 1_000_000)
target = savepoints.find(name) if name else None
planned = planning.plan(savepoints, target, datetime.now(UTC)) if what == "in place" else None
if step.startswith("-"):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(step[1:]), resource.RLIM_INFINITY))
else:
    for owner in (Path, os):
        for each in ("replace", "rename", "unlink", "fsync", "mkdir", "rmdir"):
            if hasattr(owner, each):
                setattr(owner, each, dying(getattr(owner, each)))
    subprocess.run = dying(subprocess.run)
if what == "take":
    savepoints.take("killed", datetime.now(UTC))
elif what == "in place":
    restoring.Restoring(savepoints).in_place(planned)
elif what == "branch":
    elsewhere.Elsewhere(savepoints).to_branch(target, f"branch{step}")
elif what == "worktree":
    elsewhere.Elsewhere(savepoints).to_worktree(target, state / "there" / f"worktree{step}")
else:
    elsewhere.Elsewhere(savepoints).to_folder(target, state / "there" / f"folder{step}")
"""


def carried_out(desk: Desk, what: str, step: str, name: str = "") -> subprocess.CompletedProcess[str]:
    """Do it in a process that is killed at a step; with `-BYTES` in one that can write no larger file."""
    command = [sys.executable, "-c", STEPS, str(desk.root), str(desk.state), name, what, step]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def killed(desk: Desk, what: str, name: str = "") -> list[str]:
    """Kill it at one step after another until it comes to its end; the steps."""
    for step in range(1, 80):
        done = carried_out(desk, what, str(step), name)
        if done.returncode == 0:
            assert step > 5, "killed too seldom to say anything"
            return [str(number) for number in range(1, step + 1)]
        assert done.returncode == -signal.SIGKILL, done.stderr
    raise AssertionError("it never came to its end")


@pytest.mark.slow
def test_a_restore_that_is_killed_is_undone(desk: Desk) -> None:
    """At each step that touches a file: afterwards the tree is as before, or as asked."""
    desk.repository.write("old/deep.py", "old = 1\n")
    asked, savepoint = desk.tree(), desk.take()
    for path in ("cart.py", "shop/till.py"):
        desk.repository.write(path, "changed\n")
    desk.repository.write("new.py", "new = 1\n")
    (desk.root / "old" / "deep.py").unlink()
    (desk.root / "old").rmdir()
    desk.repository.write("old", "a file now\n")
    before, git = desk.tree(), desk.git_dir()
    for step in range(1, 80):
        done = carried_out(desk, "in place", str(step), savepoint.id)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        Restoring(Savepoints(desk.root, desk.state)).recover()
        assert desk.tree() in (before, asked), step
        if desk.tree() == asked:
            desk.restore(next(s for s in desk.savepoints.all() if s.label.startswith("before restoring")))
            assert desk.tree() == before
    assert step > 10, "killed too seldom to say anything"
    assert desk.tree() == asked
    assert desk.git_dir() == git
    assert Restoring(desk.savepoints).recover() is None


def test_a_savepoint_that_is_killed_costs_no_other(desk: Desk) -> None:
    first, then = desk.take(), desk.tree()
    desk.repository.write("cart.py", "total = 2\n")
    changed, git = desk.tree(), desk.git_dir()
    killed(desk, "take")
    assert (desk.tree(), desk.git_dir()) == (changed, git)
    kept = desk.savepoints.all()
    assert [one.label for one in kept] == ["killed", "test"]
    desk.restore(first)
    assert desk.tree() == then
    desk.restore(kept[0])
    assert desk.tree() == changed
    desk.savepoints.shadow.run("fsck", "--connectivity-only")


@pytest.mark.slow
def test_a_savepoint_that_is_killed_with_its_git_costs_no_other(desk: Desk) -> None:
    dice = random.Random(5)
    for number in range(60):
        desk.repository.write(f"part{number}.bin", dice.randbytes(900))
    first, then, git = desk.take(), desk.tree(), desk.git_dir()
    for turn in range(5):
        for number in dice.sample(range(60), 30):
            desk.repository.write(f"part{number}.bin", dice.randbytes(900))
        command = [sys.executable, "-c", STEPS, str(desk.root), str(desk.state), "", "take", "0"]
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(0.3 + 0.05 * turn)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        changed = desk.tree()
        kept = desk.take()
        desk.restore(first)
        assert desk.tree() == then
        desk.restore(kept)
        assert desk.tree() == changed
    assert desk.git_dir() == git


@pytest.mark.slow
@pytest.mark.parametrize("what", ["branch", "worktree", "folder"])
def test_a_restore_elsewhere_that_is_killed_touches_nothing_here(desk: Desk, what: str) -> None:
    desk.repository.write("cart.py", "total = 2\n")
    savepoint, asked = desk.take(), "total = 2"
    desk.repository.write("cart.py", "total = 3\n")
    before, index = desk.tree(), (desk.root / ".git" / "index").read_bytes()
    head = (desk.root / ".git" / "HEAD").read_text()
    last = killed(desk, what, savepoint.id)[-1]
    assert desk.tree() == before
    assert (desk.root / ".git" / "index").read_bytes() == index
    assert (desk.root / ".git" / "HEAD").read_text() == head
    desk.repository.git("fsck", "--no-dangling")
    made = {
        "branch": lambda: desk.repository.git("show", f"branch{last}:cart.py"),
        "worktree": lambda: (desk.state / "there" / f"worktree{last}" / "cart.py").read_text().strip(),
        "folder": lambda: (desk.state / "there" / f"folder{last}" / "cart.py").read_text().strip(),
    }
    assert made[what]() == asked
    if what == "branch":
        names = desk.repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/branch*").split()
        assert {desk.repository.git("show", f"{name}:cart.py") for name in names} == {asked}


# A disk that is full


LARGE = random.Random(1).randbytes(200_000).hex()
"""More than the limit, also when it is packed; what is said of a full disk holds for it."""


def test_a_savepoint_for_which_there_is_no_room_costs_no_other(desk: Desk) -> None:
    first, then = desk.take(), desk.tree()
    desk.repository.write("large.py", LARGE)
    changed, git = desk.tree(), desk.git_dir()
    done = carried_out(desk, "take", "-100000")
    assert (done.returncode, "SavepointError" in done.stderr) == (1, True), done.stderr
    assert (desk.tree(), desk.git_dir()) == (changed, git)
    assert desk.savepoints.all() == [first]
    done = carried_out(desk, "take", "0")
    assert (done.returncode, len(desk.savepoints.all())) == (0, 2), done.stderr
    desk.restore(first)
    assert desk.tree() == then


def test_a_restore_for_which_there_is_no_room_changes_nothing(desk: Desk) -> None:
    desk.savepoints = Savepoints(desk.root, desk.state, 1_000_000)
    desk.repository.write("large.py", LARGE)
    savepoint = desk.take()
    desk.repository.write("cart.py", "total = 2\n")
    desk.repository.write("large.py", "small = 1\n")
    desk.repository.write("new.py", "new = 1\n")
    before, git = desk.tree(), desk.git_dir()
    done = carried_out(desk, "in place", "-100000", savepoint.id)
    assert done.returncode == 1
    assert (
        "large.py cannot be written: File too large: all files were restored to their previous state"
        in done.stderr
    )
    assert (desk.tree(), desk.git_dir()) == (before, git)
    assert Restoring(desk.savepoints).recover() is None


@pytest.mark.parametrize("what", ["branch", "worktree", "folder"])
def test_a_restore_elsewhere_for_which_there_is_no_room(desk: Desk, what: str) -> None:
    desk.savepoints = Savepoints(desk.root, desk.state, 1_000_000)
    desk.repository.write("large.py", LARGE)
    savepoint = desk.take()
    (desk.root / "large.py").unlink()
    before = desk.tree()
    done = carried_out(desk, what, "-100000", savepoint.id)
    assert (done.returncode, "SavepointError" in done.stderr) == (1, True), done.stderr
    assert desk.tree() == before
    assert desk.repository.git("branch", "--list", "branch*") == ""
    assert len(desk.repository.git("worktree", "list").split("\n")) == 1
    assert not list((desk.state / "there").glob("*"))
