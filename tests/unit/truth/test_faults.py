"""What a cell of the fault matrix is judged by."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gateline_dev.faults
from gateline_dev.faults.cells import matrix
from gateline_dev.faults.doors import Said, names, sentences
from gateline_dev.faults.model import WORDS, Cell, Expected, Source
from gateline_dev.faults.page import render
from gateline_dev.faults.trying import Tried, _note

CELLS = {cell.id: cell for cell in matrix()}


def problems(cell: Cell, change: str, said: Said) -> list[str]:
    tried = Tried(cell.id)
    _note(tried, cell, change, "check", said)
    return tried.problems


@pytest.mark.parametrize(
    ("name", "change", "said", "count"),
    [
        ("tests:missing", "breaking", Said("accept", 0), 1),
        ("tests:missing", "breaking", Said("undecided", 3), 0),
        ("tests:missing", "honest", Said("accept", 0, {"json": ["tests: no data"]}), 1),
        ("tests:missing", "honest", Said("undecided", 3, {"json": ["tests: no data"]}), 0),
        ("tests:missing", "honest", Said("undecided", 3, {"json": ["no data"], "junit": ["tests"]}), 1),
        ("coverage:missing", "honest", Said("conditional-accept", 0, {"json": ["coverage: no data"]}), 0),
        ("coverage:missing", "honest", Said("accept", 0, {"json": ["coverage: no data"]}), 1),
        ("bandit:empty", "honest", Said("accept", 0), 0),
        ("bandit:empty", "honest", Said("undecided", 3), 1),
        ("settings:partial", "honest", Said("accept", 2, {"json": ["unknown key in gateline.toml"]}), 0),
        ("settings:partial", "honest", Said("accept", 0, {"json": ["unknown key in gateline.toml"]}), 1),
    ],
)
def test_what_is_wrong_with_a_cell(name: str, change: str, said: Said, count: int) -> None:
    assert len(problems(CELLS[name], change, said)) == count


def test_a_state_is_a_sentence() -> None:
    told = {"parts": [{"dimension": "security", "state": "failed", "reason": "crashed"}], "score": 3}
    assert names(list(sentences(told)), WORDS[Source.BANDIT])
    assert not names(["security: measured"], WORDS[Source.BANDIT])


def test_required_sources_are_never_accepted() -> None:
    optional = {Source.COVERAGE, Source.COMPLEXITY, Source.DOCUMENTATION, Source.DUPLICATION}
    for cell in CELLS.values():
        if cell.plan is not None and cell.plan.expected is Expected.CONDITIONS:
            assert cell.source in optional | {Source.SETTINGS}


def test_later_results_are_joined() -> None:
    first = Tried("x", {"honest, check": "accept"}, ["honest, check: accept", "honest, editor: y"])
    assert first.joined(Tried("x", {"honest, check": "undecided"})).problems == ["honest, editor: y"]


def test_the_page_says_what_is_not_so() -> None:
    tried = {"tests:missing": Tried("tests:missing", {"honest, check": "accept"}, ["honest, check: accept"])}
    assert "- `tests:missing`: honest, check: accept" in render(tried)
    assert "Nothing: each cell" in render({})


RULES = {
    "missing": ('[{"module": "colorsys", "do": "missing"}]', "ModuleNotFoundError"),
    "raises": ('[{"module": "colorsys", "name": "rgb_to_hsv", "do": "raise"}]', "a planned fault"),
    "spared": ('[{"module": "colorsys", "name": "rgb_to_hsv", "do": "raise", "needle": "x"}]', ""),
    "set": ('[{"module": "colorsys", "name": "ONE_THIRD", "do": "set", "value": 7}]', "7"),
}


@pytest.mark.parametrize("name", RULES)
def test_the_hook_makes_modules_fail(name: str) -> None:
    rules, said = RULES[name]
    hook = str(Path(gateline_dev.faults.__file__).with_name("hook"))
    code = "import colorsys; colorsys.rgb_to_hsv(1, 1, 1); print(colorsys.ONE_THIRD)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": hook, "PLANNED_FAULTS": rules},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in done.stdout + done.stderr
    assert (done.returncode == 0) is (name in ("spared", "set"))
