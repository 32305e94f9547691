"""gateline's own suites through `gateline eval`: all reach their targets; altered answers regress."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[2]
SUITES = sorted((ROOT / "evals").glob("*.eval.yaml"))
NAMES = [file.name.partition(".")[0] for file in SUITES]
SCHEMA = json.loads((ROOT / "schemas" / "eval-suite.json").read_text())
# Every answer is altered: a regression is seen and stored; how small a fault a suite finds is not told.
PLANTED = """
from gateline_dev.evals import subjects
def _other(told):
    return told[:-1] if isinstance(told, list) and told else f"not {told}"
for _name in ("gates", "integrity", "ranking", "memory", "recall", "refinement"):
    setattr(subjects, _name, (lambda real: lambda given: _other(real(given)))(getattr(subjects, _name)))
globals().update({name: getattr(subjects, name) for name in vars(subjects) if not name.startswith("__")})
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suites in a workspace of their own: the repository's own state is not written to."""
    folder = tmp_path_factory.mktemp("suites")
    for file in SUITES:
        shutil.copy(file, folder / file.name)
    return folder


def run(place: Path, *names: str) -> list[dict[str, Any]]:
    environ = {**os.environ, "XDG_STATE_HOME": str(place / "state"), "PYTHONPATH": str(ROOT / "server")}
    command = [sys.executable, "-m", "gateline", "eval", *names, "--output", "json"]
    done = subprocess.run(
        [*command],
        cwd=place,
        env={**environ, "GATELINE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_all_reach_their_targets_and_altered_answers_are_a_stored_regression(place: Path) -> None:
    for one in run(place):
        assert (one["failed"], one["accepted"]) == ([], True)
    (place / "planted.py").write_text(PLANTED)
    for file in SUITES:
        text = file.read_text().replace("gateline_dev.evals.subjects:", "planted:")
        (place / file.name).write_text(text)
    found = run(place)
    assert sorted(one["suite"] for one in found) == NAMES
    for one in found:
        assert one["flipped"], one["suite"]
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
