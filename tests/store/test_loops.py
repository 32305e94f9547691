"""Loops are stored round by round, each once, and what a scratch work tree holds is kept byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gateline.refinement.state import Failing, Kind, LoopState, Round, Rules, Step, Verdict, Way
from gateline.store.candidates.scratch import changed_paths, forget, keep, scratch, tree_with
from gateline.store.candidates.trees import Base
from gateline.store.database import Database, StoreError
from gateline.store.loops import Loops
from gateline.store.savepoints.taking import Savepoints
from support.repositories import Repository

STATE = LoopState(
    "20261127T1-a", "goal", (Way("one", "plain"),), "base", "tree", Rules(seconds=9.0), begun="2026-11-27"
)
ROUND = Round(1, Way("one", "plain"), "tree", "other", Verdict("accept", 90.0, 3, (Failing("t", "E"),)))


def test_a_loop_comes_back_as_it_was(file: Path) -> None:
    loops = Loops(Database(file))
    loops.begin(STATE)
    loops.add(STATE.id, ROUND)
    ended = replace(STATE, start=Verdict("unchanged", None), ended=Step(Kind.BOUND, "over", tree="other"))
    loops.update(ended)
    assert Loops(Database(file)).find("20261127T1") == replace(ended, rounds=(ROUND,))


def test_a_round_is_stored_once(file: Path) -> None:
    loops = Loops(Database(file))
    loops.begin(STATE)
    loops.add(STATE.id, ROUND)
    with pytest.raises(StoreError, match="UNIQUE"):
        loops.add(STATE.id, ROUND)
    assert [done.number for done in loops.find(STATE.id).rounds] == [1]


def test_a_name_that_fits_none_or_several_is_told(file: Path) -> None:
    loops = Loops(Database(file))
    for name in ("20261127T1-a", "20261127T1-b"):
        loops.begin(replace(STATE, id=name))
    with pytest.raises(StoreError, match="2 loops begin with '2026'"):
        loops.find("2026")
    with pytest.raises(StoreError, match="no loop begins with 'x'"):
        loops.find("x")
    loops.drop("20261127T1-a")
    assert [one.id for one in loops.all()] == ["20261127T1-b"]


def test_a_loop_that_cannot_be_read_costs_itself_alone(file: Path) -> None:
    database = Database(file)
    loops = Loops(database)
    for name in ("a", "b", "c"):
        loops.begin(replace(STATE, id=name))
    with database.writing() as connection:
        connection.execute("UPDATE loops SET content = '{' WHERE id = 'a'")
        connection.execute("UPDATE loops SET content = json_set(content, '$.version', 99) WHERE id = 'c'")
    found, troubles = loops.read()
    assert [one.id for one in found] == [one.id for one in loops.all()] == ["b"]
    assert [trouble[:30] for trouble in troubles] == [
        "loop c cannot be read: the loo",
        "loop a cannot be read: Expecti",
    ]


def test_a_scratch_work_tree_is_taken_and_put_back(repository: Repository, tmp_path: Path) -> None:
    repository.write(".gitattributes", "*.txt text=auto\n")
    commit = repository.commit("base", **{"a.txt": "one\r\n", "b/c.py": "x = 1\n"})
    before = {p: p.read_bytes() for p in repository.folder.rglob("*") if p.is_file()}
    shadow = Savepoints(repository.folder, tmp_path / "state").shadow
    tree = shadow.line("rev-parse", f"{commit}^{{tree}}")
    with scratch(repository.folder, shadow, tree, Base(commit, tree), tmp_path / "cache") as place:
        (place.files / "b/c.py").unlink()
        (place.files / "new.bin").write_bytes(b"\0\r\n")
        (place.files / "__pycache__").mkdir()
        (place.files / "__pycache__/x.pyc").write_bytes(b"made by a tool")
        after = place.take(tree)
        assert changed_paths(shadow, tree, after) == ("b/c.py", "new.bin")
        keep(shadow, "loop/01", after)
        assert set(place.reset(tree, tree)) == {"b/c.py", "new.bin"}
        assert (place.files / "b/c.py").read_text() == "x = 1\n"
        assert not (place.files / "new.bin").exists()
        assert place.take(tree) == tree
        with scratch(repository.folder, shadow, tree, Base(commit, tree), tmp_path / "cache") as second:
            assert second.files != place.files
    assert tree_with(shadow, tree, {"b/c.py": None, "new.bin": b"\0\r\n"}) == after
    forget(shadow, "loop")
    assert shadow.names("for-each-ref", "refs/refinement/") == []
    assert {p: p.read_bytes() for p in repository.folder.rglob("*") if p.is_file()} == before
