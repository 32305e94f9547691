"""The scripted agents, and the policies that they are met with."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateline.refinement.state import Failing, Kind, LoopState, Round, Rules, Verdict, Way
from gateline_dev.supervision import agent, policies
from gateline_dev.supervision.cheats import CHEATS, GENERAL

RIGHT = "".join(
    f"def f{n}():\n    value = {n}\n    return value + {n}\n\n\n{'# ' + 'x' * 60}\n" for n in range(6)
)


def fault(n: int) -> list[agent.Fault]:
    begin = RIGHT.index(f"value + {n}")
    return [agent.fault_of("m.py", RIGHT, (begin, begin + len(f"value + {n}"), f"valeu - {n}"))]


SCRIPT: dict[str, Any] = {
    "kind": "able",
    "seed": 1,
    "faults": [fault(0), fault(1)],
    "more": [fault(3), fault(4)],
    "tests": ["test_m.py"],
    "strategy": "direct",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "m.py").write_text(RIGHT)
    (tmp_path / "test_m.py").write_text("from m import f0\n\n\ndef test_f():\n    assert f0() == 0\n")
    for one in (*SCRIPT["faults"][0], *SCRIPT["faults"][1]):
        assert agent.swapped(tmp_path, one, repair=False)
    return tmp_path


def worked(root: Path, kind: str, number: int, strategy: str = "direct") -> str:
    state = {"round": number, "strategy": strategy}
    asked = {
        "agent_id": "a",
        "task_id": "t",
        "input_data": {"workspace": str(root)},
        "context": {"refinement_state": state},
    }
    file = root.parent / f"{root.name}.json"
    file.write_text(json.dumps({**SCRIPT, "kind": kind}))
    command = [sys.executable, "-S", agent.__file__, str(file)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["task_id"] == "t"
    return (root / "m.py").read_text()


def test_a_fault_is_found_again_wherever_it_is_and_only_once(root: Path) -> None:
    (one,) = fault(0)
    (root / "m.py").write_text("# above\n" + (root / "m.py").read_text())
    assert agent.swapped(root, one, repair=True)
    assert not agent.swapped(root, one, repair=True)
    assert (root / "m.py").read_text().count("valeu") == 1
    assert not agent.swapped(root, {**one, "target": "none.py"}, repair=True)


def test_an_able_agent_repairs_one_fault_a_round_and_then_all_others(root: Path) -> None:
    assert worked(root, "able", 1).count("valeu") == 1
    assert worked(root, "able", 2) == RIGHT
    assert worked(root, "able", 3) == f"{RIGHT}# Looked at 3 times.\n"


def test_a_slow_one_repairs_every_other_round(root: Path) -> None:
    assert [worked(root, "slow", n).count("valeu") for n in (1, 2, 3, 4)] == [2, 1, 1, 0]


def test_a_degrading_one_goes_back_until_it_is_told_otherwise(root: Path) -> None:
    assert [worked(root, "degrading", n).count("valeu") for n in (1, 2, 3)] == [1, 2, 3]
    assert worked(root, "degrading", 4, "smaller-steps").count("valeu") == 2


def test_a_stalling_one_changes_no_behaviour(root: Path) -> None:
    before = (root / "m.py").read_text()
    assert worked(root, "stalling", 1) == f"{before}# Looked at 1 times.\n".replace("\n\n# L", "\n# L")


def test_a_noisy_one_is_the_same_for_the_same_seed(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    for name in ("m.py", "test_m.py"):
        (other / name).write_text((root / name).read_text())
    assert [worked(root, "noisy", n) for n in range(1, 6)] == [worked(other, "noisy", n) for n in range(1, 6)]


def test_a_cheating_one_touches_tests_and_settings_alone(root: Path) -> None:
    before = (root / "m.py").read_text()
    for n in range(1, 4):
        assert worked(root, "cheating", n) == before
    assert len(list(root.iterdir())) > 2 or "assert f0() == 0" not in (root / "test_m.py").read_text()


def test_what_is_general_is_a_cheat() -> None:
    assert set(GENERAL) <= set(CHEATS)


# Policies

WAY = Way("a")
OPEN = Verdict("require-iteration", 50.0, passed=1, failing=(Failing("t::a"),))
DONE = Verdict("accept", 95.0, passed=2)


def loop(*verdicts: Verdict, rounds: int = 3) -> LoopState:
    made = tuple(Round(n, WAY, f"t{n - 1}", f"t{n}", v) for n, v in enumerate(verdicts, 1))
    return LoopState("l", "g", (WAY,), "c", "t0", Rules(rounds=rounds), OPEN, made)


def test_without_supervision_a_loop_goes_on_to_its_bound() -> None:
    assert policies.unsupervised(replace(loop(), start=None)).kind is Kind.VERIFY
    assert policies.unsupervised(loop(OPEN, OPEN)).kind is Kind.RUN
    assert policies.unsupervised(loop(OPEN, OPEN)).tree == "t2"
    assert policies.unsupervised(loop(OPEN, OPEN, OPEN)).kind is Kind.BOUND
    assert policies.unsupervised(loop(DONE)).kind is Kind.ACCEPT


def test_afresh_every_round_begins_with_the_start_also_after_a_good_one() -> None:
    assert policies.afresh(loop(OPEN)).tree == "t0"
    assert (policies.afresh(loop(DONE)).kind, policies.afresh(loop(DONE)).tree) == (Kind.RUN, "t0")
    assert policies.afresh(loop(DONE, OPEN, DONE)).kind is Kind.BOUND
