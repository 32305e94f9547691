"""What a savepoint holds, and what it says that it does not."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import portalocker
import pytest

from gateline.store.savepoints import shadow
from gateline.store.savepoints.shadow import work_tree_of
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import SavepointError
from support.repositories import Repository
from support.savepoint_desk import Desk, nested, submodule


def test_unsaved_texts_are_kept_instead_of_their_files(desk: Desk, tmp_path: Path) -> None:
    savepoint = desk.take({"cart.py": "typed = 1\n", "shop/new.py": "new = 1\n"})
    desk.elsewhere.to_folder(savepoint, tmp_path / "there")
    assert (tmp_path / "there" / "cart.py").read_text() == "typed = 1\n"
    assert (tmp_path / "there" / "shop" / "new.py").read_text() == "new = 1\n"
    assert desk.tree()["cart.py"] == "total = 1\n"
    desk.elsewhere.to_folder(desk.take(), tmp_path / "saved")
    assert (tmp_path / "saved" / "cart.py").read_text() == "total = 1\n"


def test_the_same_content_is_one_savepoint(desk: Desk) -> None:
    assert desk.take().id == desk.take().id
    desk.repository.write("cart.py", "total = 2\n")
    desk.take()
    assert len(desk.savepoints.all()) == 2
    assert [s.at for s in desk.savepoints.all()] == sorted(
        (s.at for s in desk.savepoints.all()), reverse=True
    )


def test_several_begin_in_a_new_workspace_at_once(desk: Desk, tmp_path: Path) -> None:
    """As two loops do, or an editor and a command."""
    folder, together = tmp_path / "new", threading.Barrier(6)

    def begin() -> tuple[str, ...]:
        together.wait()
        return Savepoints(desk.repository.folder, folder).shadow.rules()

    with ThreadPoolExecutor(6) as pool:
        rules = [one.result() for one in [pool.submit(begin) for _ in range(6)]]
    assert rules == [rules[0]] * 6
    assert Savepoints(desk.repository.folder, folder).content() == desk.savepoints.content()


def test_a_git_directory_that_another_makes_too_long_is_named(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shadow, "_WAIT", 0.0)
    with (
        portalocker.Lock(tmp_path / "savepoints.git.lock", "a"),
        pytest.raises(SavepointError, match=r"another process kept .*savepoints\.git\.lock locked for 0 s"),
    ):
        Savepoints(desk.repository.folder, tmp_path)


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
    assert [(u.path, u.reason) for u in later.uncovered] == [
        ("data.py", "1001 bytes, more than worklog.largest-file (1000 bytes)")
    ]
    assert desk.restore(savepoint) == ([], ["data.py: a file is there whose content was not recorded"])
    assert len(desk.tree()["data.py"]) == 1001


def test_a_repository_inside_is_named_and_not_touched(desk: Desk) -> None:
    nested(desk.repository)
    inner = Repository(desk.root / "vendor" / "inner")
    savepoint = desk.take()
    assert [u.path for u in savepoint.uncovered] == ["vendor/inner"]
    inner.write("lib.py", "lib = 2\n")
    assert desk.restore(savepoint) == ([], [])
    assert (inner.folder / "lib.py").read_text() == "lib = 2\n"


def test_a_submodule_is_named_and_not_touched(desk: Desk) -> None:
    submodule(desk.repository)
    savepoint = desk.take()
    assert [u.path for u in savepoint.uncovered] == ["lib"]
    (desk.root / "lib" / "lib.py").write_text("lib = 2\n")
    desk.restore(savepoint)
    assert (desk.root / "lib" / "lib.py").read_text() == "lib = 2\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read_is_named(desk: Desk) -> None:
    desk.repository.write("locked.py", "x = 1\n").chmod(0)
    assert [u.path for u in desk.take().uncovered] == ["locked.py"]


# Objects that are borrowed


def test_what_no_commit_holds_is_kept_though_git_gives_it_up(desk: Desk) -> None:
    """It was staged, so that the user's repository had it already when it was kept."""
    desk.repository.write("cart.py", "staged = 1\n")
    desk.repository.write("deep/er/new.py", "staged = 2\n")
    desk.repository.git("add", "--all")
    then, savepoint = desk.tree(), desk.take()
    desk.repository.git("reset", "--quiet", "--hard")
    desk.repository.git("gc", "--quiet", "--prune=now")
    desk.savepoints.shadow.run("fsck", "--connectivity-only")
    assert desk.restore(savepoint)[1] == []
    assert desk.tree() == then


def test_a_commit_that_is_given_up_costs_no_later_savepoint(desk: Desk) -> None:
    desk.repository.commit("wrong", **{"cart.py": "wrong = 1\n"})
    desk.take()
    desk.repository.git("reset", "--quiet", "--soft", "HEAD~1")
    desk.repository.git("reset", "--quiet")
    desk.repository.git("reflog", "expire", "--expire=now", "--all")
    desk.repository.git("update-ref", "-d", "ORIG_HEAD")
    desk.repository.git("gc", "--quiet", "--prune=now")
    desk.repository.write("new.py", "new = 1\n")
    then, savepoint = desk.tree(), desk.take()
    for path in ("cart.py", "new.py"):
        (desk.root / path).unlink()
    assert desk.restore(savepoint)[1] == []
    assert desk.tree() == then
