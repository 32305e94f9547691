"""`gateline metrics`, as it is typed, over loops and tasks that were recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result

from gateline.refinement.state import Failing, Kind, LoopState, Round, Step, Verdict, Way
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from support.repositories import Repository
from support.typed import run as typed

SCHEMA = Path(__file__).parents[3] / "schemas" / "metrics.json"
FAILS = Verdict("require-iteration", 59.0, passed=8, failing=(Failing("t.py::a", "TypeError"),))
PASSES = Verdict("accept", 100.0, passed=9)


def run(*arguments: str) -> Result:
    return typed("metrics", *arguments)


def data(*arguments: str) -> dict[str, object]:
    found = run("--output", "json", *arguments)
    assert found.exit_code == 0, found.output
    read: dict[str, object] = json.loads(found.stdout)
    jsonschema.validate(read, json.loads(SCHEMA.read_text()))
    return read


@pytest.fixture
def loops(workspace: Repository) -> Callable[[str, Kind | None], None]:
    workspace.commit("begin", **{"shop.py": "RATE = 1\n"})

    def begin(name: str, kind: Kind | None) -> None:
        database = Database(state_of(Path.cwd()) / DATABASE)
        way = Way("autodebug")
        verdict = PASSES if kind is Kind.ACCEPT else FAILS
        done = Round(1, way, "t0", "t1", verdict, seconds=4.0)
        ended = Step(kind, "because", tree="t1") if kind else None
        begun = f"2026-03-0{name[-1]}T09:00:00+00:00"
        state = LoopState(name, "goal", (way,), "c", "t0", start=FAILS, begun=begun)
        Loops(database).begin(state)
        Loops(database).add(name, done)
        Loops(database).update(
            LoopState(name, "goal", (way,), "c", "t0", start=FAILS, ended=ended, begun=begun)
        )
        database.close()

    return begin


def test_before_anything_ended_that_is_said(loops: Callable[[str, Kind | None], None]) -> None:
    assert run().stdout.startswith("no task and no loop has ended here yet")
    loops("loop-1", None)
    assert run().stdout.startswith("no task and no loop has ended here yet")
    assert data("--task", "loop-1")["tasks"][0]["outcome"] == "in progress"  # type: ignore[index]


def test_figures_beside_their_aims_and_a_baseline(loops: Callable[[str, Kind | None], None]) -> None:
    loops("loop-1", Kind.ACCEPT)
    loops("loop-2", Kind.NO_PROGRESS)
    rows = [line.split() for line in run().stdout.splitlines()]
    assert ["completed", "50%"] in rows
    assert ["rounds", "of", "a", "loop,", "mean", "1.0", "<", "5", "reached"] in rows
    assert ["accepted", "at", "the", "first", "look", "50%", ">", "90%", "not", "reached"] in rows
    assert ["context,", "mean", "no", "data", "<", "2000", "ms"] in rows
    found = run("--record", "one pass", "--completed", "1", "--of", "10")
    assert "against one pass (1 of 10)" in found.stdout
    assert found.stderr == "recorded one pass: 1 of 10 completed\n"
    assert data()["factor"] == 5.0


def test_figures_stay_when_loops_are_forgotten(loops: Callable[[str, Kind | None], None]) -> None:
    loops("loop-1", Kind.ACCEPT)
    before = data()
    database = Database(state_of(Path.cwd()) / DATABASE)
    Loops(database).drop("loop-1")
    database.close()
    assert data() == before


def test_the_figures_of_now_become_a_baseline(loops: Callable[[str, Kind | None], None]) -> None:
    loops("loop-1", Kind.NO_PROGRESS)
    loops("loop-2", Kind.ACCEPT)
    run("--record", "before")
    loops("loop-3", Kind.ACCEPT)
    found = data("--against", "before")
    assert found["baseline"] == {**found["baseline"], "completed": 1, "tasks": 2}  # type: ignore[dict-item]
    assert found["factor"] == pytest.approx(4 / 3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--task", "x"), "no task begins with 'x'; `gateline metrics` shows all"),
        (("--against", "x"), "there is no baseline 'x' (there is none); record one with --record"),
        (("--completed", "1"), "--completed and --of must be given together, with --record NAME"),
        (("--record", "x"), "a baseline of 0 of 0 tasks is not valid; give --completed and --of"),
        (("--record", "x", "--completed", "3", "--of", "2"), "a baseline of 3 of 2 tasks is not valid"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    loops: Callable[[str, Kind | None], None], arguments: tuple[str, ...], told: str
) -> None:
    found = run(*arguments)
    assert (found.exit_code, told in found.stderr) == (2, True)
