"""`gateline refine --plan` through its own door, with agents that are small programs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gateline.cli.refine import refine
from support.repositories import Repository, all_of

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("without_types")]
deep = pytest.mark.deep

PROJECT = {
    "pyproject.toml": "[tool.gateline.documentation]\nenabled = false\n",
    "sums.py": "def total(values):\n    return 0\n",
    "doubles.py": "def double(value):\n    return value\n",
    "test_sums.py": "from sums import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "test_doubles.py": "from doubles import double\n\n\ndef test_double():\n    assert double(4) == 8\n",
}
PLAN = """\
# Plan

1. Have `total` in `sums.py` add its values. agent: first
2. Have `double` in `doubles.py` return twice its value. agent: second
3. Run all tests.
"""
SUMS = "def total(values):\n    return sum(values)\n"
DOUBLES = "def double(value):\n    return 2 * value\n"
HEAD = """\
import json, os, pathlib, signal, sys, time
asked = json.load(sys.stdin)
step = asked["input_data"]["step"]["id"]
feedback = " ".join(asked["context"]["cumulative_feedback"])
answer = dict(agent_id=asked["agent_id"], task_id=asked["task_id"], success=True, confidence=0.5)
def write(name, text): pathlib.Path(name).write_text(text)
def log(text):
    with open(LOG, "a") as file: file.write(text + "\\n")
log(f"{NAME} {step}")
"""
WORK = f"""
if step == "1": write("sums.py", {SUMS!r})
if step == "2": write("doubles.py", {DOUBLES!r})
"""


@pytest.fixture
def project(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository.folder)
    repository.commit("base", **PROJECT)
    (tmp_path / "plan.md").write_text(PLAN)
    return repository


def agent(tmp_path: Path, name: str, body: str = WORK) -> str:
    """An agent with a name, as `--agent` takes it."""
    file = tmp_path / f"{name}.py"
    head = f"LOG, NAME = {str(tmp_path / 'asked.txt')!r}, {name!r}\n"
    file.write_text(f"{head}{HEAD}{body}\nprint(json.dumps(answer))\n")
    return f"{name}={sys.executable} {file}"


def words(tmp_path: Path, *agents: str) -> list[str]:
    given = [word for one in agents for word in ("--agent", one)]
    return ["make it right", "--plan", str(tmp_path / "plan.md"), *given, "--python", sys.executable]


def run(*given: str) -> Result:
    return CliRunner().invoke(refine, [*given])


def told(*given: str) -> dict[str, Any]:
    done = run(*given, "--output", "json")
    assert done.exit_code in (0, 1, 3), done.output
    return {**json.loads(done.stdout), "exit": done.exit_code}


def asked(tmp_path: Path) -> list[str]:
    return (tmp_path / "asked.txt").read_text().splitlines()


def rounds(found: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Of each round its step, what worked, and whether it was sufficient."""
    rows = found["state"]["rounds"]
    return [(r["step"], "merge" if r["merge"] else r["way"]["agent"], r["sufficient"]) for r in rows]


def test_steps_run_in_their_order_and_independent_ones_are_merged(
    project: Repository, tmp_path: Path
) -> None:
    found = told(*words(tmp_path, agent(tmp_path, "first"), agent(tmp_path, "second")))
    first, second = (f"{sys.executable} {tmp_path / name}.py" for name in ("first", "second"))
    assert found["exit"] == 0, found["state"]["ended"]
    assert rounds(found) == [
        ("1", first, True),
        ("2", second, True),
        ("2", "merge", True),
        ("3", first, True),
    ]
    assert sorted(asked(tmp_path)) == ["first 1", "first 3", "second 2"]
    assert sorted(found["changed"]) == ["doubles.py", "sums.py"]
    assert (project.folder / "sums.py").read_text() == PROJECT["sums.py"]


@deep
def test_a_retry_is_told_what_its_gate_found_and_errors_go_to_the_repairs(
    project: Repository, tmp_path: Path
) -> None:
    """Step 1 forgets its file once, step 2 misspells a name: gateline repairs that."""
    misspelt = DOUBLES.replace("2 * value", "2 * valeu")
    body = f"""
if step == "1" and "was not changed" in feedback: write("sums.py", {SUMS!r})
if step == "2": write("doubles.py", {misspelt!r})
"""
    found = told(*words(tmp_path, agent(tmp_path, "first", body), agent(tmp_path, "second", body)))
    assert found["exit"] == 0, found["state"]["ended"]
    assert "autodebug" in {agent for _, agent, _ in rounds(found)}
    assert asked(tmp_path).count("first 1") == 2


@deep
def test_what_an_agent_leaves_open_becomes_a_step(project: Repository, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text(
        "1. Have `total` in `sums.py` and `double` in `doubles.py` right; test it. agent: first\n"
    )
    body = f"""
if step == "1": write("sums.py", {SUMS!r})
if "2 *" not in pathlib.Path("doubles.py").read_text(): answer["next_actions"] = ["double in doubles.py"]
if step == "1+1": write("doubles.py", {DOUBLES!r}); answer["next_actions"] = []
"""
    found = told(*words(tmp_path, agent(tmp_path, "first", body)))
    assert found["exit"] == 0, found["state"]["ended"]
    assert asked(tmp_path) == ["first 1", "first 1+1", "first 1"]
    assert sorted(found["changed"]) == ["doubles.py", "sums.py"]


@deep
def test_work_on_the_same_lines_is_decided_and_the_loser_does_it_again(
    project: Repository, tmp_path: Path
) -> None:
    """Both also write shared.py; the second is surer of itself."""
    plan = PLAN.replace("3. Run all tests.", "3. Have `shared.py` (a new file) name both, and run all tests.")
    (tmp_path / "plan.md").write_text(plan)
    shared = 'pathlib.Path("shared.py").write_text({!r})\n'
    first = WORK + 'if step == "1" and "conflict.lost" not in feedback: ' + shared.format("# first\n")
    second = WORK + 'answer["confidence"] = 0.9\nif step == "2": ' + shared.format("# second\n")
    found = told(*words(tmp_path, agent(tmp_path, "first", first), agent(tmp_path, "second", second)))
    assert found["exit"] == 0, found["state"]["ended"]
    (merge,) = [row for row in found["state"]["rounds"] if row["merge"]]
    assert (merge["merge"]["winner"], merge["merge"]["paths"]) == ("2", ["shared.py"])
    assert "by confidence" in merge["merge"]["reason"]
    assert asked(tmp_path).count("first 1") == 2
    assert "# second" in found["patch"]


@deep
def test_what_nothing_tells_apart_is_a_persons_with_both_shown(project: Repository, tmp_path: Path) -> None:
    plan = PLAN.replace("3. Run all tests.", "3. Have `shared.py` (a new file) name both, and run all tests.")
    (tmp_path / "plan.md").write_text(plan)
    agents = [agent(tmp_path, name, f"{WORK}write('shared.py', '# {name}')") for name in ("first", "second")]
    found = told(*words(tmp_path, *agents))
    assert (found["exit"], found["state"]["ended"]["kind"]) == (1, "escalate")
    assert "choose one" in found["state"]["ended"]["reason"]


@deep
def test_a_killed_plan_goes_on_at_its_step(project: Repository, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    body = f"""
mark = pathlib.Path({str(mark)!r})
if step == "3" and not mark.exists():
    mark.write_text("")
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
{WORK}
"""
    given = words(tmp_path, agent(tmp_path, "first", body), agent(tmp_path, "second", body))
    done = subprocess.run(
        [sys.executable, "-m", "gateline", "refine", *given], capture_output=True, text=True
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    (row,) = json.loads(run("--list", "--output", "json").stdout)
    assert [one["step"] for one in row["rounds"]] == ["1", "2", "2"]
    found = told("--resume", row["id"], "--python", sys.executable)
    assert found["accepted"]
    assert asked(tmp_path).count("first 1") == asked(tmp_path).count("second 2") == 1
    again = told("--replay", found["log"], "--python", sys.executable)
    assert (again["accepted"], again["patch"]) == (True, found["patch"])


@deep
@pytest.mark.parametrize("at", ["1", "2"])
def test_a_plan_of_two_steps_that_is_killed_loses_and_doubles_none(
    project: Repository, tmp_path: Path, at: str
) -> None:
    """Killed when the agent of a step has written its file; the round counts when it is done again."""
    (tmp_path / "plan.md").write_text(
        "1. Have `total` in `sums.py` add its values. agent: first\n"
        "2. After step 1, have `double` in `doubles.py` return twice its value, and run all tests. "
        "agent: second\n"
    )
    mark = tmp_path / "killed"
    body = f"""{WORK}
mark = pathlib.Path({str(mark)!r})
if step == {at!r} and not mark.exists():
    mark.write_text("")
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
"""
    project.write("sums.py", PROJECT["sums.py"] + "# mine\n")
    project.write("notes.txt", "not committed")
    before = all_of(project.folder)
    given = words(tmp_path, agent(tmp_path, "first", body), agent(tmp_path, "second", body))
    done = subprocess.run(
        [sys.executable, "-m", "gateline", "refine", *given], capture_output=True, text=True
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    (row,) = json.loads(run("--list", "--output", "json").stdout)
    assert (row["ended"], [one["step"] for one in row["rounds"]]) == (None, ["1"] if at == "2" else [])
    assert all_of(project.folder) == before

    found = told("--resume", row["id"], "--python", sys.executable)
    assert (found["exit"], found["accepted"]) == (0, True), found["state"]["ended"]
    first, second = (f"{sys.executable} {tmp_path / name}.py" for name in ("first", "second"))
    assert rounds(found) == [("1", first, True), ("2", second, True)]
    assert [one["number"] for one in found["state"]["rounds"]] == [1, 2]
    again = ["first 1", "first 1", "second 2"] if at == "1" else ["first 1", "second 2", "second 2"]
    assert asked(tmp_path) == again, "the round that was under way is done again, and no other one"
    assert sorted(found["changed"]) == ["doubles.py", "sums.py"]
    assert all_of(project.folder) == before


@deep
@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("No steps.\n", (), "plan.steps"),
        (f"{PLAN}4. Run them again. agent: third\n", (), "step 4 names the unknown agent 'third'"),
        (PLAN.replace("agent: first", "agent: third"), (), "(they say: third, second)"),
        (PLAN, ("--resume", "x"), "give one of"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_told(
    project: Repository, tmp_path: Path, text: str, more: tuple[str, ...], said: str
) -> None:
    (tmp_path / "plan.md").write_text(text)
    done = run(*words(tmp_path, agent(tmp_path, "first"), agent(tmp_path, "second")), *more)
    assert (done.exit_code, said in done.output) == (2, True), done.output
