"""What only its owner could read stays so: restored here or elsewhere, and in the store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.store.savepoints import shadow
from gateline.store.savepoints.values import Savepoint
from support.savepoint_desk import Desk, bits_of


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def kept(usual_mask: None, desk: Desk) -> Savepoint:
    """A key in a private folder, a private file that git tracks, and what lies open in a private folder."""
    desk.repository.write("keys/id", "key\n").chmod(0o600)
    desk.repository.write("keys/open.txt", "open\n")
    (desk.root / "keys").chmod(0o700)
    desk.repository.write("run", "#!/bin/sh\n").chmod(0o750)
    (desk.root / "cart.py").chmod(0o640)
    return desk.take()


BITS = {
    "keys": "700",
    "keys/id": "600",
    "keys/open.txt": "644",
    "run": "750",
    "cart.py": "640",
    "shop": "755",
    "shop/till.py": "644",
    ".gitignore": "644",
}


def remove_all(desk: Desk) -> None:
    for path in BITS:
        if (desk.root / path).is_file():
            (desk.root / path).unlink()
    (desk.root / "keys").rmdir()


@pytest.mark.parametrize("mask", [0o022, 0o002, 0o077])
def test_in_place_whatever_this_process_masks(desk: Desk, kept: Savepoint, mask: int) -> None:
    remove_all(desk)
    os.umask(mask)
    desk.restore(kept)
    assert bits_of(desk.root) == BITS


def test_a_folder_that_is_there_and_open_is_closed_before_a_file_comes_into_it(
    desk: Desk, kept: Savepoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk.root / "keys" / "id").unlink()
    (desk.root / "keys").chmod(0o755)
    seen = []
    replace = Path.replace

    def watched(self: Path, target: Path) -> Path:
        if Path(target).name == "id":
            seen.append(bits_of(desk.root)["keys"])
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    desk.restore(kept)
    assert (seen, bits_of(desk.root)) == (["700"], BITS)


def test_one_file_in_a_folder_that_is_open_now_is_closed_itself(desk: Desk, kept: Savepoint) -> None:
    (desk.root / "keys" / "open.txt").unlink()
    (desk.root / "keys").chmod(0o755)
    desk.restore(kept, "keys/open.txt")
    bits = bits_of(desk.root)
    assert (bits["keys"], bits["keys/open.txt"]) == ("755", "600")


def test_one_file_of_a_folder_that_is_gone_comes_with_its_folder(desk: Desk, kept: Savepoint) -> None:
    """The twin: the folder keeps others out, so that the file has its own permissions."""
    remove_all(desk)
    desk.restore(kept, "keys/open.txt")
    bits = bits_of(desk.root)
    assert (bits["keys"], bits["keys/open.txt"]) == ("700", "644")


def test_in_another_folder_also_while_it_is_written(
    desk: Desk, kept: Savepoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    check_out = shadow.Shadow.check_out

    def watched(self: shadow.Shadow, tree: str, folder: Path, paths: object = None) -> None:
        seen.append(f"{folder.stat().st_mode & 0o777:o}")
        check_out(self, tree, folder, None)

    monkeypatch.setattr(shadow.Shadow, "check_out", watched)
    desk.elsewhere.to_folder(kept, tmp_path / "there")
    desk.elsewhere.to_worktree(kept, tmp_path / "tree")
    assert seen == ["700", "700"]
    for place in (tmp_path / "there", tmp_path / "tree"):
        assert (bits_of(place), f"{place.stat().st_mode & 0o777:o}") == (BITS, "755")


@pytest.mark.parametrize("what", ["folder", "work tree"])
def test_a_workspace_that_nobody_else_may_enter(desk: Desk, tmp_path: Path, what: str) -> None:
    desk.root.chmod(0o700)
    kept, there = desk.take(), tmp_path / "there"
    (desk.elsewhere.to_folder if what == "folder" else desk.elsewhere.to_worktree)(kept, there)
    assert f"{there.stat().st_mode & 0o777:o}" == "700"


def test_a_folder_that_was_made_for_it_stays_closed(desk: Desk, kept: Savepoint, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir(mode=0o700)
    desk.elsewhere.to_folder(kept, tmp_path / "there")
    assert f"{(tmp_path / 'there').stat().st_mode & 0o777:o}" == "700"


def test_a_branch_leaves_out_what_only_its_owner_could_read(desk: Desk, kept: Savepoint) -> None:
    desk.elsewhere.to_branch(kept, "as-it-was")
    assert desk.elsewhere.private(kept) == ["keys/id", "keys/open.txt"]
    names = desk.repository.git("ls-tree", "-r", "--name-only", "as-it-was").split("\n")
    assert names == [".gitignore", "cart.py", "run", "shop/till.py"]


def test_a_branch_has_what_is_private_and_tracked(desk: Desk) -> None:
    """The twin: git has given it to everybody already."""
    (desk.root / "cart.py").chmod(0o600)
    desk.repository.write("cart.py", "total = 2\n")
    kept = desk.take()
    desk.elsewhere.to_branch(kept, "as-it-was")
    assert desk.repository.git("show", "as-it-was:cart.py") == "total = 2"
    assert desk.elsewhere.private(kept) == []


def test_a_branch_has_all_where_everything_is_private(desk: Desk) -> None:
    """The twin: someone's mask makes every file private, which says nothing of any."""
    for path in ("cart.py", "shop/till.py", ".gitignore"):
        (desk.root / path).chmod(0o600)
    (desk.root / "shop").chmod(0o700)
    desk.repository.write("new.py", "new = 1\n").chmod(0o600)
    kept = desk.take()
    desk.elsewhere.to_branch(kept, "as-it-was")
    assert desk.repository.git("show", "as-it-was:new.py") == "new = 1"


def test_nobody_else_may_look_into_the_store(desk: Desk) -> None:
    assert f"{desk.savepoints.shadow.folder.stat().st_mode & 0o777:o}" == "700"


def test_where_permissions_mean_nothing_none_are_changed(desk: Desk) -> None:
    desk.repository.git("config", "core.fileMode", "false")
    again = Desk(desk.repository, desk.state)
    kept = again.take()
    (desk.root / "cart.py").chmod(0o600)
    assert again.restore(kept) == ([], [])
    assert bits_of(desk.root)["cart.py"] == "600"


def test_only_permissions_are_a_savepoint_of_their_own(desk: Desk) -> None:
    first = desk.take()
    (desk.root / "cart.py").chmod(0o600)
    second = desk.take()
    assert first.id != second.id
    assert desk.restore(first) == (["cart.py"], [])
    assert bits_of(desk.root)["cart.py"] == "644"
    desk.restore(second)
    assert bits_of(desk.root)["cart.py"] == "600"
