"""Restoring in place: the user's repository stays as it is, byte for byte, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.values import SavepointError
from support.savepoint_desk import MATRIX, NOON, Desk


@pytest.mark.parametrize("name", MATRIX)
def test_everything_is_as_it_was(desk: Desk, name: str) -> None:
    before, after = MATRIX[name]
    for do in before:
        do(desk.repository)
    then, savepoint = desk.everything(), desk.take()
    for do in after:
        do(desk.repository)
    changed, repository = desk.everything(), desk.git_dir()
    _, left = desk.restore(savepoint)
    assert left == []
    assert desk.everything() == then
    assert desk.git_dir() == repository
    desk.restore(desk.savepoints.all()[0])
    assert desk.everything() == changed


def test_a_restore_can_be_taken_back(desk: Desk) -> None:
    savepoint = desk.take()
    desk.repository.write("cart.py", "work of an hour\n")
    planned = plan(desk.savepoints, savepoint, NOON + timedelta(hours=1))
    desk.restoring.in_place(planned)
    assert desk.tree()["cart.py"] == "total = 1\n"
    desk.restore(planned.now)
    assert desk.tree()["cart.py"] == "work of an hour\n"


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


def test_a_recorded_content_that_is_gone_stops_before_the_first_file(desk: Desk) -> None:
    desk.repository.write("a_new.py", "new = 1\n")
    desk.repository.write("b_new.py", "new = 2\n")
    savepoint = desk.take()
    desk.repository.write("a_new.py", "other\n")
    desk.repository.write("b_new.py", "other\n")
    planned = plan(desk.savepoints, savepoint, NOON)
    blob = planned.steps[1].blob
    (desk.savepoints.shadow.folder / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(SavepointError, match=r"the recorded content of b_new\.py is missing"):
        desk.restoring.in_place(planned)
    assert desk.tree()["a_new.py"] == "other\n"
