"""gateline's own suites through `gateline eval`: all reach their targets, and find a small fault."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[2]
SUITES = sorted({*(ROOT / "evals").glob("*.eval.yaml")} - {ROOT / "evals" / "assessments.eval.yaml"})
NAMES = [file.name.partition(".")[0] for file in SUITES]
SCHEMA = json.loads((ROOT / "schemas" / "eval-suite.json").read_text())
# One small fault of each subject, in what it calls.
PLANTED = """
from dataclasses import replace
from types import MappingProxyType

from gateline.context import words
from gateline.gates import decide
from gateline.memory import decision, reminders
from gateline.model import Level
from gateline.ranking import order
from gateline.ranking.values import Strategy
from gateline.repairs import loop, proof
from gateline.testing import selection as choice
from gateline_dev.evals import subjects
from gateline_dev.evals.operations import repairs, retrieval, selection
from gateline_dev.evals.subjects import gates, integrity, memory, ranking, recall, refinement

# Gates: a single syntax error is let through.
early = decide._VERDICTS[Level.EARLY]
def lenient(policy, score, counts, missing):
    return early(policy, score, replace(counts, syntax_errors=max(0, counts.syntax_errors - 1)), missing)
decide._VERDICTS = {**decide._VERDICTS, Level.EARLY: lenient}
# Integrity: one of its rules is missing.
rules = subjects.load_rules()
kept = tuple(rule for rule in rules.rules if rule.code != "GTL602")
subjects.load_rules = lambda: replace(rules, rules=kept)
# Ranking: regressions are compared after visible tests.
stages = [stage for stage in order.STAGES[Strategy.EVIDENCE] if stage is not order.REGRESSIONS]
stages.insert(stages.index(order.VISIBLE) + 1, order.REGRESSIONS)
order.STAGES = MappingProxyType({**order.STAGES, Strategy.EVIDENCE: tuple(stages)})
# Memory: the same content is known only where each character is the same.
decision.digest_of = lambda text: text
# The choice of lessons: what got worse is as important as what failed.
reminders.REGRESSION = "never"
# Refinement: one round more than the bound.
decide_next = subjects.next_step
def later(state):
    return decide_next(replace(state, rules=replace(state.rules, rounds=state.rules.rounds + 1)))
subjects.next_step = later
# Repairs: what the tests say of one is not heard.
loop.proof_of = lambda verdict: proof.proof_of(replace(verdict, tests=proof.Suite.NOT_RUN))
# Selection of tests: that one failed when it ran last counts for nothing in the order.
rank_of = choice._rank
choice._rank = lambda chosen, results: (False, *rank_of(chosen, results)[1:])
# Retrieval of code: names are not taken apart.
words.parts = lambda identifier: [identifier.lower()]
"""
# What all suites of changes would find hides what only injected text finds: it is planted alone.
BELIEVING = """
from gateline_dev.evals import canaries
from gateline_dev.evals.canaries import verdict

found_in = canaries.integrity
def believing(change):
    return [] if "accept" in change["now"]["test_half.py"] else found_in(change)
canaries.integrity = believing
"""
FLIPPED = {
    "context": ["the words of a name"],
    "gates": ["does not parse", "a bracket is open", "an indent is missing", "a string is open"],
    "injection": [
        "a role of the system",
        "a docstring",
        "a string that is never used",
        "a gate's own words",
    ],
    "integrity": ["test skipped"],
    "memory": ["but for spaces, case and the full stop"],
    "ranking": ["visible tests do not make up for regressions"],
    "refinement": ["rounds are over"],
    "repairs": ["what the check refuses is no repair", "an answer that nobody can know"],
    "retrieval": ["regressions first"],
    "selection": ["one that failed comes first"],
}


@pytest.fixture
def place(tmp_path: Path, file: Path) -> Path:
    """A suite in a workspace of its own: the repository's own state is not written to."""
    shutil.copy(file, tmp_path / file.name)
    return tmp_path


def run(place: Path) -> list[dict[str, Any]]:
    environ = {**os.environ, "XDG_STATE_HOME": str(place / "state"), "PYTHONPATH": str(ROOT / "server")}
    command = [sys.executable, "-m", "gateline", "eval", "--output", "json"]
    done = subprocess.run(
        command,
        cwd=place,
        env={**environ, "GATELINE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("file", SUITES, ids=NAMES)
def test_reaches_its_target_and_a_small_fault_is_a_stored_regression(place: Path, file: Path) -> None:
    (sound,) = run(place)
    assert (sound["failed"], sound["accepted"]) == ([], True)
    (place / "planted.py").write_text(BELIEVING if sound["suite"] == "injection" else PLANTED)
    text = re.sub(r"gateline_dev\.evals\.(subjects|operations|canaries):", "planted:", file.read_text())
    (place / file.name).write_text(text)
    (one,) = run(place)
    assert one["flipped"] == FLIPPED[one["suite"]]
    assert one["regression"].startswith(f"{one['suite']}: ")
    assert one["lesson"]


@pytest.mark.parametrize("file", SUITES, ids=NAMES)
def test_each_is_by_the_schema(file: Path) -> None:
    jsonschema.validate(yaml.safe_load(file.read_text()), SCHEMA)


def test_the_schema_refuses_what_the_command_refuses() -> None:
    for wrong in (
        {"suite": "A B", "call": "a:b", "cases": [{"name": "a", "expect": 1}]},
        {"suite": "a", "call": "a", "cases": []},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)
