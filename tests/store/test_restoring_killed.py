"""Every row of the restore matrix, killed inside the writing: nothing is lost, the next start puts all back.

A child is forked that kills itself (SIGKILL) at a point between two changes of the disk, also in the middle
of a file's content. Points are counted from where the first file may be touched to where the last one was.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import pytest

from gateline.store.savepoints import writing
from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Savepoint, SavepointError, Step
from support.repositories import Repository
from support.savepoint_desk import GAPS, MATRIX, Desk, Doing, bits_of, remove, tree_of, write

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

POINTS = range(1, 81, 2)
"""40 places: a restore of any row touches the disk more often."""
MORE = range(7)
"""Besides a row's own files so many are changed, made and deleted."""
KINDS = ("a folder that becomes a file", "a file that becomes a folder", "a file that becomes a link")
ROWS: dict[str, tuple[list[Doing], list[Doing]]] = {
    **{name: MATRIX[name] for name in KINDS},
    **{name: MATRIX[name] for name in list(MATRIX)[list(MATRIX).index("a rebase that is under way") :]},
    **{name: (before, after) for name, (before, after, _) in GAPS.items()},
}
Hook = Callable[[], None]


def more(before: bool) -> Iterator[Doing]:
    for number in MORE:
        yield write(f"more/changed{number}.py", f"{before} = {number}\n" * 50)
        if before:
            yield write(f"more/{number}/deep/gone.py", f"gone = {number}\n")
        else:
            yield remove(f"more/{number}/deep/gone.py")
            yield write(f"new/{number}/made.py", f"made = {number}\n")


def prepared(desk: Desk, name: str) -> Savepoint:
    """A savepoint, and what was done since."""
    before, after = ROWS[name]
    for do in (*before, *more(True)):
        do(desk.repository)
    savepoint = desk.take()
    for do in (*after, *more(False)):
        do(desk.repository)
    return savepoint


class Written:
    """An opened file whose content is written in two halves."""

    def __init__(self, opened: Any, hook: Hook) -> None:
        self._opened, self._hook = opened, hook

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._opened.close()

    def write(self, data: bytes) -> None:
        self._opened.write(data[: len(data) // 2])
        self._opened.flush()
        self._hook()
        self._opened.write(data[len(data) // 2 :])


def hooked(hook: Hook) -> None:
    """Call it before each change of the disk, and in the middle of each content; this process is a child."""

    def before(real: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            hook()
            return real(*given, **named)

        return called

    for name in ("replace", "unlink", "chmod", "mkdir", "rmdir", "symlink_to"):
        setattr(Path, name, before(getattr(Path, name)))
    writing.tempfile.mkstemp = before(writing.tempfile.mkstemp)
    writing.os.fsync = before(writing.os.fsync)
    opened = os.fdopen
    writing.os.fdopen = lambda *given: Written(opened(*given), hook)


def in_child(work: Callable[[], None]) -> int:
    """How a forked child ends that does this: 0, a negative signal, or 1 with its traceback told."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(point: int) -> Hook:
    left = point

    def hook() -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    return hook


def restored(desk: Desk, savepoint: Savepoint, hook: Hook) -> None:
    """Plan, then restore with a hook that is called inside the writing alone."""
    again = Savepoints(desk.root, desk.state, 1000)
    with again.restoring():
        planned = plan(again, savepoint, datetime.now(UTC))
        write_all = writing.Writing.all

        def begun(self: writing.Writing, steps: Sequence[Step]) -> writing.Restored:
            # What undoes it on a full disk goes through here as well.
            writing.Writing.all = write_all  # type: ignore[method-assign]
            hooked(hook)
            return write_all(self, steps)

        writing.Writing.all = begun  # type: ignore[method-assign]
        Restoring(again).in_place(planned)


def recovered(desk: Desk) -> None:
    """What the next start does, in a process of its own."""
    assert in_child(lambda: Restoring(Savepoints(desk.root, desk.state, 1000)).recover() and None) == 0


def everything(desk: Desk) -> tuple[object, ...]:
    inner = [folder for folder in desk.root.rglob(".git") if folder.parent != desk.root]
    return tree_of(desk.root), bits_of(desk.root), [folder.exists() for folder in inner], index_of(desk)


def index_of(desk: Desk) -> bytes:
    done = subprocess.run(
        ["git", "rev-parse", "--git-path", "index"], cwd=desk.root, capture_output=True, text=True, check=True
    )
    return (desk.root / done.stdout.strip()).read_bytes()


def killed_everywhere(desk: Desk, savepoint: Savepoint) -> None:
    before = everything(desk)
    for point in POINTS:
        assert in_child(lambda at=point: restored(desk, savepoint, killed_at(at))) == -signal.SIGKILL, point
        assert (desk.savepoints.shadow.folder / "restoring.json").exists(), point
        recovered(desk)
        assert everything(desk) == before, point
    assert in_child(lambda: restored(desk, savepoint, lambda: None)) == 0
    asked = tree_of(desk.root)
    assert not any(path.startswith("new/") for path in asked)
    assert asked["more/6/deep/gone.py"] == "gone = 6\n"
    back = next(one for one in desk.savepoints.all() if one.label.startswith("before restoring"))
    desk.restore(back)
    # Folders that held nothing are in no savepoint.
    assert (tree_of(desk.root), index_of(desk)) == (before[0], before[-1])


@pytest.mark.parametrize("name", ROWS)
def test_at_each_point_of_each_row(desk: Desk, name: str) -> None:
    killed_everywhere(desk, prepared(desk, name))


def test_in_a_linked_work_tree(desk: Desk, tmp_path: Path) -> None:
    desk.repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "linked")
    linked = Desk(Repository(tmp_path / "linked"), tmp_path / "state")
    main = desk.tree()
    killed_everywhere(linked, prepared(linked, "a private file that is gone"))
    assert desk.tree() == main


def test_on_a_full_disk(desk: Desk) -> None:
    """It fills up in the middle of a file, and the process is killed while it puts everything back."""
    savepoint = prepared(desk, "a private file that is gone")
    before = everything(desk)

    def full_then_killed(point: int) -> Hook:
        kill, left = killed_at(point), 50

        def hook() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            if left < 0:
                kill()

        return hook

    kills = 0
    for point in range(1, 41):
        ending = in_child(lambda at=point: full_disk(desk, savepoint, full_then_killed(at)))
        kills += ending == -signal.SIGKILL
        recovered(desk)
        assert everything(desk) == before, point
        if ending == 0:
            break
    assert kills >= 20


def full_disk(desk: Desk, savepoint: Savepoint, hook: Hook) -> None:
    with pytest.raises(
        SavepointError,
        match="cannot be written: No space left on device: all files were restored to their previous state",
    ):
        restored(desk, savepoint, hook)


def test_with_another_editor_at_the_same_time(desk: Desk) -> None:
    """The second is told who is at it and changes nothing; after the kill it can, and finds all as before."""
    savepoint = prepared(desk, "a private file that is gone")
    before = everything(desk)
    for point in POINTS:
        ready, go = os.pipe(), os.pipe()

        def stops(at: int = point, ready: tuple[int, int] = ready, go: tuple[int, int] = go) -> Hook:
            left = at

            def hook() -> None:
                nonlocal left
                left -= 1
                if not left:
                    os.write(ready[1], b"r")
                    os.read(go[0], 1)
                    os.kill(os.getpid(), signal.SIGKILL)

            return hook

        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                restored(desk, savepoint, stops())
            os._exit(1)
        os.read(ready[0], 1)
        second = Savepoints(desk.root, desk.state, 1000)
        with (
            pytest.raises(SavepointError, match=rf"is under way \(process {child}\): nothing was restored"),
            second.restoring(wait=0),
        ):
            pass
        os.write(go[1], b"g")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        with second.restoring(wait=0):
            Restoring(second).recover()
        assert everything(desk) == before, point
        for end in (*ready, *go):
            os.close(end)
