"""Savepoints and restoring: the user's repository stays as it is, byte for byte, and nothing is lost."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.shadow import work_tree_of
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Savepoint, SavepointError
from repositories import Repository

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Desk:
    """A work tree with savepoints, and what is in it."""

    def __init__(self, repository: Repository, state: Path, largest: int = 1000) -> None:
        self.repository = repository
        self.root = repository.folder
        self.state = state
        self.savepoints = Savepoints(self.root, state, largest)
        self.restoring = Restoring(self.savepoints)
        self.now = NOON

    def take(self, texts: dict[str, str] | None = None) -> Savepoint:
        self.now += timedelta(seconds=1)
        return self.savepoints.take("test", self.now, texts)

    def restore(self, savepoint: Savepoint, *paths: str) -> tuple[list[str], list[str]]:
        """The files that were restored, and those that were left alone with the reason."""
        self.now += timedelta(seconds=1)
        restored = self.restoring.in_place(plan(self.savepoints, savepoint, self.now, paths))
        return [step.path for step in restored.done], [f"{s.path}: {s.conflict}" for s in restored.left]

    def tree(self) -> dict[str, str]:
        """Everything in the work tree but `.git`: content, links and the right to execute."""
        found = {}
        for file in sorted(self.root.rglob("*")):
            path = file.relative_to(self.root)
            if ".git" in path.parts:
                continue
            if file.is_symlink():
                found[path.as_posix()] = f"-> {file.readlink()}"
            elif file.is_file():
                mark = "x " if os.access(file, os.X_OK) else ""
                found[path.as_posix()] = mark + file.read_bytes().decode(errors="replace")
        return found

    def git_dir(self) -> dict[str, str]:
        """A digest of every file of the user's git directory."""
        files = (file for file in (self.root / ".git").rglob("*") if file.is_file())
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.fixture
def desk(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    repository.commit(
        "begin", **{"cart.py": "total = 1\n", "shop/till.py": "open = 1\n", ".gitignore": "*.log\n"}
    )
    return Desk(repository, tmp_path_factory.mktemp("state"))


# The restore matrix: what is done before the savepoint, and what after it


def write(path: str, text: str | bytes) -> Callable[[Desk], None]:
    return lambda desk: desk.repository.write(path, text) and None


def remove(path: str) -> Callable[[Desk], None]:
    return lambda desk: (desk.root / path).unlink()


def git(*arguments: str) -> Callable[[Desk], None]:
    return lambda desk: desk.repository.git(*arguments) and None


def link(path: str, target: str) -> Callable[[Desk], None]:
    return lambda desk: (desk.root / path).symlink_to(target)


def mode(path: str, bits: int) -> Callable[[Desk], None]:
    return lambda desk: (desk.root / path).chmod(bits)


def move(path: str, to: str) -> Callable[[Desk], None]:
    return lambda desk: (desk.root / path).rename(desk.root / to) and None


def hook(name: str) -> Callable[[Desk], None]:
    def install(desk: Desk) -> None:
        file = desk.repository.write(f".git/hooks/{name}", "#!/bin/sh\ntouch hooked.py\n")
        file.chmod(0o755)

    return install


Doing = Callable[[Desk], None]
MATRIX: dict[str, tuple[list[Doing], list[Doing]]] = {
    "a file that was changed": ([], [write("cart.py", "total = 2\n")]),
    "a file that was staged": (
        [write("cart.py", "total = 2\n"), git("add", "-A")],
        [write("cart.py", "total = 3\n")],
    ),
    "a file that is staged after": ([], [write("cart.py", "total = 2\n"), git("add", "-A")]),
    "an untracked file that is gone": ([write("new.py", "new = 1\n")], [remove("new.py")]),
    "an untracked file that is new": ([], [write("deep/er/new.py", "new = 1\n")]),
    "a tracked file that is gone": ([], [remove("cart.py")]),
    "a file that was gone": ([remove("cart.py")], [write("cart.py", "total = 1\n")]),
    "a renamed file": ([], [move("cart.py", "basket.py")]),
    "a renamed file in git": ([], [git("mv", "cart.py", "basket.py")]),
    "another case": ([], [move("cart.py", "Cart.py")]),
    "a commit": ([], [write("cart.py", "total = 2\n"), git("commit", "-qam", "two")]),
    "another branch": (
        [git("branch", "other")],
        [git("checkout", "-q", "other"), write("cart.py", "x = 1\n")],
    ),
    "no branch": ([git("checkout", "-q", "--detach")], [write("cart.py", "x = 1\n")]),
    "a link": ([link("link.py", "cart.py")], [remove("link.py"), write("link.py", "no link\n")]),
    "a link that leads nowhere": ([link("link.py", "nowhere")], [remove("link.py")]),
    "a file that becomes a link": ([], [remove("cart.py"), link("cart.py", "shop/till.py")]),
    "a folder that becomes a file": (
        [],
        [remove("shop/till.py"), lambda d: (d.root / "shop").rmdir(), write("shop", "s\n")],
    ),
    "a file that becomes a folder": ([], [remove("cart.py"), write("cart.py/inner.py", "i = 1\n")]),
    "a right to execute": ([mode("cart.py", 0o755)], [mode("cart.py", 0o644)]),
    "a right to execute that is new": ([], [mode("cart.py", 0o755)]),
    "line ends": ([write("crlf.py", b"a = 1\r\n")], [write("crlf.py", b"a = 1\n")]),
    "line ends that git would change": (
        [write(".gitattributes", "* text=auto\n"), write("crlf.py", b"a = 1\r\n"), git("add", "-A")],
        [write("crlf.py", b"a = 2\r\n")],
    ),
    "a filter": (
        [
            git("config", "filter.upper.clean", "tr a-z A-Z"),
            git("config", "filter.upper.smudge", "tr A-Z a-z"),
            git("config", "filter.upper.required", "true"),
            write(".gitattributes", "*.bin filter=upper\n"),
            write("large.bin", "MixedCase\n"),
        ],
        [write("large.bin", "other\n")],
    ),
    "bytes that are no text": ([write("data.bin", bytes(range(256)))], [write("data.bin", b"\0")]),
    "an empty file": ([write("empty.py", "")], [write("empty.py", "x = 1\n")]),
    "a name with a newline": ([write("a\nb.py", "x = 1\n")], [write("a\nb.py", "x = 2\n")]),
    "a name beyond ASCII": ([write("größe.py", "x = 1\n")], [remove("größe.py")]),
    "a name like an option": ([write("-x.py", "x = 1\n")], [write("-x.py", "x = 2\n")]),
    "a file that is not to be looked at": (
        [git("update-index", "--assume-unchanged", "cart.py")],
        [write("cart.py", "x\n")],
    ),
    "hostile hooks": (
        [
            hook(name)
            for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-commit")
        ],
        [write("cart.py", "total = 2\n")],
    ),
    "no identity": ([git("config", "user.useConfigOnly", "true")], [write("cart.py", "total = 2\n")]),
    "a repository that signs": ([git("config", "commit.gpgsign", "true")], [write("cart.py", "total = 2\n")]),
    "a file monitor": (
        [git("config", "core.fsmonitor", "touch monitored.py; false")],
        [write("cart.py", "x = 2\n")],
    ),
}


@pytest.mark.parametrize("name", MATRIX)
def test_everything_is_as_it_was(desk: Desk, name: str) -> None:
    before, after = MATRIX[name]
    for do in before:
        do(desk)
    then = desk.tree()
    savepoint = desk.take()
    for do in after:
        do(desk)
    changed, repository = desk.tree(), desk.git_dir()
    _, left = desk.restore(savepoint)
    assert left == []
    assert desk.tree() == then
    assert desk.git_dir() == repository
    desk.restore(desk.savepoints.all()[0])
    assert desk.tree() == changed


def test_a_restore_can_be_taken_back(desk: Desk) -> None:
    savepoint = desk.take()
    desk.repository.write("cart.py", "work of an hour\n")
    planned = plan(desk.savepoints, savepoint, NOON + timedelta(hours=1))
    desk.restoring.in_place(planned)
    assert desk.tree()["cart.py"] == "total = 1\n"
    desk.restore(planned.now)
    assert desk.tree()["cart.py"] == "work of an hour\n"


# What is not covered, and what is not touched


def test_ignored_files_are_neither_kept_nor_touched(desk: Desk) -> None:
    desk.repository.write("debug.log", "one\n")
    savepoint = desk.take()
    desk.repository.write("debug.log", "two\n")
    desk.repository.write("cart.py", "total = 2\n")
    assert desk.restore(savepoint) == (["cart.py"], [])
    assert desk.tree()["debug.log"] == "two\n"


def test_what_is_ignored_from_now_on_is_no_longer_kept(desk: Desk) -> None:
    desk.repository.write("secrets.txt", "one\n")
    with_it = desk.take()
    desk.repository.write(".gitignore", "*.log\nsecrets.txt\n")
    desk.repository.write("secrets.txt", "two\n")
    desk.take()
    done, left = desk.restore(with_it)
    assert done == [".gitignore"]
    assert left == ["secrets.txt: a file is there whose content was not recorded"]
    assert desk.tree()["secrets.txt"] == "two\n"


def test_a_large_file_is_named_and_never_overwritten(desk: Desk) -> None:
    desk.repository.write("data.py", "small\n")
    savepoint = desk.take()
    assert savepoint.complete
    desk.repository.write("data.py", "x" * 1001)
    later = desk.take()
    assert [(u.path, u.reason) for u in later.uncovered] == [("data.py", "1001 bytes, more than 1000")]
    assert desk.restore(savepoint) == ([], ["data.py: a file is there whose content was not recorded"])
    assert len(desk.tree()["data.py"]) == 1001


def test_a_repository_inside_is_named_and_not_touched(desk: Desk) -> None:
    inner = Repository(desk.root / "vendor" / "inner")
    inner.folder.mkdir(parents=True)
    inner.git("init", "--quiet")
    inner.commit("begin", **{"lib.py": "lib = 1\n"})
    savepoint = desk.take()
    assert [u.path for u in savepoint.uncovered] == ["vendor/inner"]
    inner.write("lib.py", "lib = 2\n")
    assert desk.restore(savepoint) == ([], [])
    assert (inner.folder / "lib.py").read_text() == "lib = 2\n"


def test_a_submodule_is_named_and_not_touched(desk: Desk, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.folder.mkdir()
    other.git("init", "--quiet")
    other.commit("begin", **{"lib.py": "lib = 1\n"})
    desk.repository.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.folder), "lib"
    )
    savepoint = desk.take()
    assert [u.path for u in savepoint.uncovered] == ["lib"]
    (desk.root / "lib" / "lib.py").write_text("lib = 2\n")
    desk.restore(savepoint)
    assert (desk.root / "lib" / "lib.py").read_text() == "lib = 2\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read_is_named(desk: Desk) -> None:
    desk.repository.write("locked.py", "x = 1\n").chmod(0)
    assert [u.path for u in desk.take().uncovered] == ["locked.py"]


def test_a_file_that_was_changed_since_it_was_planned_is_left_alone(desk: Desk) -> None:
    savepoint = desk.take()
    desk.repository.write("cart.py", "total = 2\n")
    planned = plan(desk.savepoints, savepoint, NOON)
    desk.repository.write("cart.py", "typed meanwhile\n")
    restored = desk.restoring.in_place(planned)
    assert [step.conflict for step in restored.left] == ["it was changed meanwhile"]
    assert desk.tree()["cart.py"] == "typed meanwhile\n"


def test_nothing_is_written_through_a_link(desk: Desk, tmp_path: Path) -> None:
    savepoint = desk.take()
    outside = tmp_path / "outside"
    outside.mkdir()
    (desk.root / "shop" / "till.py").unlink()
    (desk.root / "shop").rmdir()
    (desk.root / "shop").symlink_to(outside)
    desk.restore(savepoint)
    assert list(outside.iterdir()) == []


def test_some_files_of_many(desk: Desk) -> None:
    savepoint = desk.take()
    for path in ("cart.py", "shop/till.py"):
        desk.repository.write(path, "other\n")
    assert desk.restore(savepoint, "shop") == (["shop/till.py"], [])
    assert desk.tree()["cart.py"] == "other\n"


# Unsaved texts, folders, names


def test_unsaved_texts_are_kept_instead_of_their_files(desk: Desk, tmp_path: Path) -> None:
    savepoint = desk.take({"cart.py": "typed = 1\n", "shop/new.py": "new = 1\n"})
    desk.restoring.to_folder(savepoint.tree, tmp_path / "there")
    assert (tmp_path / "there" / "cart.py").read_text() == "typed = 1\n"
    assert (tmp_path / "there" / "shop" / "new.py").read_text() == "new = 1\n"
    assert desk.tree()["cart.py"] == "total = 1\n"
    desk.restoring.to_folder(desk.take().tree, tmp_path / "saved")
    assert (tmp_path / "saved" / "cart.py").read_text() == "total = 1\n"


def test_a_folder_with_something_in_it_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.py").write_text("mine")
    with pytest.raises(SavepointError, match="is not an empty folder"):
        desk.restoring.to_folder(desk.take().tree, tmp_path / "there")


def test_the_same_content_is_one_savepoint(desk: Desk) -> None:
    assert desk.take().id == desk.take().id
    desk.repository.write("cart.py", "total = 2\n")
    desk.take()
    assert len(desk.savepoints.all()) == 2
    assert [s.at for s in desk.savepoints.all()] == sorted(
        (s.at for s in desk.savepoints.all()), reverse=True
    )


def test_a_savepoint_is_found_by_how_it_begins(desk: Desk) -> None:
    savepoint = desk.take()
    assert desk.savepoints.find(savepoint.id[:20]) == savepoint
    with pytest.raises(SavepointError, match="no savepoint begins with 'x'"):
        desk.savepoints.find("x")


def test_what_is_dropped_is_given_back(desk: Desk) -> None:
    desk.repository.write("new.py", "new = 1\n")
    first = desk.take()
    desk.repository.write("new.py", "new = 2\n")
    second = desk.take()
    desk.savepoints.drop([first])
    assert desk.savepoints.all() == [second]
    with pytest.raises(SavepointError):
        desk.savepoints.shadow.run("cat-file", "-e", first.tree)


def test_without_a_repository(tmp_path: Path) -> None:
    folder = Repository(tmp_path / "plain")
    folder.write("cart.py", "total = 1\n")
    desk = Desk(folder, tmp_path / "state")
    savepoint = desk.take()
    folder.write("cart.py", "total = 2\n")
    assert desk.restore(savepoint) == (["cart.py"], [])
    assert desk.tree() == {"cart.py": "total = 1\n"}


def test_a_linked_work_tree(desk: Desk, tmp_path: Path) -> None:
    desk.repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "linked")
    linked = Desk(Repository(tmp_path / "linked"), tmp_path / "state")
    savepoint = linked.take()
    linked.repository.write("cart.py", "total = 2\n")
    assert linked.restore(savepoint) == (["cart.py"], [])


def test_the_rules_of_the_whole_repository_count(desk: Desk) -> None:
    assert work_tree_of(desk.root / "shop") == desk.root


def test_a_rebase_that_is_under_way(desk: Desk) -> None:
    desk.repository.commit("two", **{"cart.py": "total = 2\n"})
    desk.repository.git("checkout", "-q", "-b", "side", "HEAD~1")
    desk.repository.commit("three", **{"cart.py": "total = 3\n"})
    with pytest.raises(subprocess.CalledProcessError):
        desk.repository.git("rebase", "@{-1}")
    then, savepoint, repository = desk.tree(), desk.take(), desk.git_dir()
    desk.repository.write("cart.py", "resolved\n")
    desk.restore(savepoint)
    assert (desk.tree(), desk.git_dir()) == (then, repository)


def test_a_recorded_content_that_is_gone_stops_before_the_first_file(desk: Desk) -> None:
    desk.repository.write("a_new.py", "new = 1\n")
    desk.repository.write("b_new.py", "new = 2\n")
    savepoint = desk.take()
    desk.repository.write("a_new.py", "other\n")
    desk.repository.write("b_new.py", "other\n")
    planned = plan(desk.savepoints, savepoint, NOON)
    blob = planned.steps[1].blob
    (desk.savepoints.shadow.folder / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(SavepointError, match=r"the recorded content of b_new\.py is gone"):
        desk.restoring.in_place(planned)
    assert desk.tree()["a_new.py"] == "other\n"


# Kills

KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from gateline.store.savepoints import restoring, taking
from gateline.store.savepoints.planning import plan
root, state, name, step = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
count = 0
def dying(real):
    def called(*given, **named):
        global count
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **named)
    return called
for owner, what in ((Path, "replace"), (Path, "unlink"), (os, "fsync"), (Path, "mkdir"), (Path, "rmdir")):
    setattr(owner, what, dying(getattr(owner, what)))
savepoints = taking.Savepoints(root, state)
planned = plan(savepoints, savepoints.find(name), datetime.now(UTC))
restoring.Restoring(savepoints).in_place(planned)
print("done")
"""


@pytest.mark.timeout(120)
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
    before = desk.tree()
    for step in range(1, 60):
        command = [sys.executable, "-c", KILLED, str(desk.root), str(desk.state), savepoint.id, str(step)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
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
    assert Restoring(desk.savepoints).recover() is None
