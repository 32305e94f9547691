"""`gateline refine` through its own door, with agents that are small programs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from gateline.cli.refine import refine
from gateline.refinement.state import LoopState, Way
from gateline.session.refinement import loop
from gateline.session.refinement.lessons import RoundLessons
from gateline.session.refinement.service import Phase, Standing
from gateline.session.refinement.stored import loops_of
from gateline.session.refinement.wire import loop_result
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.store.metrics import MetricsStore
from support.repositories import Repository, all_of

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("without_types")]
deep = pytest.mark.deep

PROJECT = {
    "pyproject.toml": "[tool.gateline.documentation]\nenabled = false\n",
    "sums.py": "def total(values):\n    return 0\n\n\ndef double(value):\n    return 2 * value\n",
    "test_sums.py": """\
from sums import double, total


def test_total():
    assert total([1, 2]) == 3


def test_double():
    assert double(4) == 8
""",
}
RIGHT = PROJECT["sums.py"].replace("return 0", "return sum(values)")
WRONG = PROJECT["sums.py"].replace("return 0", "return 1")
WORSE = WRONG.replace("2 * value", "value")
HEAD = """\
import json, os, pathlib, signal, sys, time
asked = json.load(sys.stdin)
number = asked["context"]["refinement_state"]["round"]
file = pathlib.Path("sums.py")
answer = dict(agent_id=asked["agent_id"], task_id=asked["task_id"], success=True, reasoning="did it")
"""
TAIL = "\nprint(json.dumps(answer))\n"
EVAL = "suite: totals\ncall: sums:total\ncases:\n" + "".join(
    f"  - {{name: case {n}, input: [1, {n}], expect: {n + 1}}}\n" for n in range(5)
)
Run = Callable[..., Result]


@pytest.fixture
def project(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository.folder)
    repository.commit("base", **PROJECT)
    return repository


def agent(tmp_path: Path, body: str, name: str = "agent") -> str:
    """The command of an agent with this body."""
    file = tmp_path / f"{name}.py"
    file.write_text(HEAD + body + TAIL)
    return f"{sys.executable} {file}"


def run(*words: str) -> Result:
    return CliRunner().invoke(refine, [*words, "--python", sys.executable])


def told(*words: str) -> dict[str, object]:
    done = run(*words, "--output", "json")
    assert done.exit_code in (0, 1, 3), done.output
    return {**json.loads(done.stdout), "exit": done.exit_code}


def test_a_good_round_is_accepted_and_nothing_of_the_users_is_touched(
    project: Repository, tmp_path: Path
) -> None:
    project.write("notes.txt", "not committed")
    before = all_of(project.folder)
    found = told("make it add up", "--agent", agent(tmp_path, f"file.write_text({RIGHT!r})"))
    assert (found["accepted"], found["exit"], found["changed"]) == (True, 0, ["sums.py"])
    assert "+    return sum(values)" in str(found["patch"])
    assert all_of(project.folder) == before


@deep
def test_what_is_found_is_told_to_the_next_round(project: Repository, tmp_path: Path) -> None:
    body = f"""
feedback = " ".join(asked["context"]["cumulative_feedback"])
seen = "test_total fails" in feedback and "Round 1" in feedback
file.write_text({RIGHT!r} if seen else {WRONG!r})
assert asked["input_data"]["failing"][0]["test"] == "test_sums.py::test_total"
"""
    found = told("make it add up", "--agent", agent(tmp_path, body))
    assert (found["accepted"], len(found["state"]["rounds"])) == (True, 2)  # type: ignore[index]


@deep
def test_lessons_of_the_files_at_hand_and_regressions_are_put_before_a_round(
    project: Repository, tmp_path: Path
) -> None:
    learn = CliRunner()
    learn.invoke(main, ["remember", "total must add with sum, see PR 12", "--file", "sums.py"])
    project.commit("another file", **{"other.py": ""})
    learn.invoke(main, ["remember", "Nothing of this is about adding", "--file", "other.py"])
    project.write("totals.eval.yaml", EVAL)
    assert learn.invoke(main, ["eval"]).exit_code == 1
    body = f"""
pathlib.Path({str(tmp_path / "told.json")!r}).write_text(json.dumps(asked["context"]["lessons"]))
file.write_text({RIGHT!r})
"""
    assert told("make it add up", "--agent", agent(tmp_path, body))["accepted"]
    first, second = json.loads((tmp_path / "told.json").read_text())
    assert first.startswith("sums.py:total: Eval totals: 0.0% of 5 cases, below 95%. Failing cases: case 0")
    assert first.endswith("an eval failed about sums.py]")
    assert second.startswith("sums.py: total must add with sum, see PR 12 [")
    rows = json.loads(learn.invoke(main, ["recall", "--output", "json"]).stdout)
    assert {row["anchor"]["symbol"]: row["uses"] for row in rows if row["anchor"]["file"] == "sums.py"} == {
        "total": 1,
        "": 1,
    }


@deep
def test_a_failure_that_loops_fixed_twice_is_one_lesson(
    project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a workspace that is a folder of the repository; what is replayed or told of again fixed nothing."""
    inner = project.folder / "inner"
    project.commit("a folder", **{f"inner/{path}": text for path, text in PROJECT.items()})
    monkeypatch.chdir(inner)
    command = agent(tmp_path, f"file.write_text({RIGHT!r})")

    def lessons() -> list[dict[str, object]]:
        printed = CliRunner().invoke(main, ["recall", "--output", "json"]).stdout
        return json.loads(printed) if printed.strip() else []

    first = told("make it add up", "--agent", command)
    assert told("--replay", str(first["log"]))["accepted"] and lessons() == []
    second = told("make it add up", "--agent", command)
    (lesson,) = lessons()
    assert "fixed 2 times the same way: changing sums.py" in str(lesson["text"])
    assert (lesson["anchor"]["file"], lesson["stale"]) == ("sums.py", "")  # type: ignore[index]
    assert CliRunner().invoke(main, ["forget", str(lesson["id"])]).exit_code == 0
    assert told("--resume", second["state"]["id"])["accepted"] and lessons() == []  # type: ignore[index]


@deep
def test_a_store_without_lessons_and_metrics_costs_no_result(
    project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(RoundLessons, "before_round", broken)
    monkeypatch.setattr(MetricsStore, "keep", broken)
    found = told("make it add up", "--agent", agent(tmp_path, f"file.write_text({RIGHT!r})"))
    assert found["accepted"]
    troubles = ["a round begins without lessons: the disk is full", "metrics were not kept: the disk is full"]
    assert found["state"]["troubles"] == troubles  # type: ignore[index]
    (state,), _ = loops_of(project.folder)
    shown = loop_result(Standing(state, Phase.ENDED), project.folder.as_uri())
    assert list(shown.troubles) == troubles
    assert f"limitation: {troubles[0]}" in run("--resume", state.id).stdout


@deep
def test_a_loop_that_is_not_readable_costs_itself_alone(project: Repository) -> None:
    database = Database(state_of(project.folder) / DATABASE)
    for name in ("good", "bad"):
        Loops(database).begin(LoopState(name, "goal", (Way("a"),), "base", "tree", begun=name))
    with database.writing() as connection:
        connection.execute("UPDATE loops SET content = '{' WHERE id = 'bad'")
    database.close()
    done = run("--list", "--output", "json")
    assert [row["id"] for row in json.loads(done.stdout)] == ["good"]
    assert "loop bad cannot be read" in done.stderr


@deep
@pytest.mark.parametrize("resumed", [True, False])
def test_a_loop_that_was_killed_before_it_noted_its_fixes_notes_them_later(
    project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resumed: bool
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    def count() -> int:
        database = Database(state_of(project.folder) / DATABASE)
        ((found,),) = database.rows("SELECT count(*) FROM fixes")
        database.close()
        return int(found)

    command = agent(tmp_path, f"file.write_text({RIGHT!r})")
    with monkeypatch.context() as patched:
        patched.setattr(loop, "note_fixes", killed)
        run("make it add up", "--agent", command)
    (state,), _ = loops_of(project.folder)
    assert (state.ended is not None, state.due, count()) == (True, True, 0)
    again = ["--resume", state.id] if resumed else ["look", "--agent", "review"]
    told(*again)
    assert count() == 1
    assert not next(one for one in loops_of(project.folder)[0] if one.id == state.id).due
    told(*again)
    assert count() == 1


@deep
def test_files_may_be_answered_instead_of_written(project: Repository, tmp_path: Path) -> None:
    body = f"answer['output_data'] = dict(files={{'sums.py': {RIGHT!r}}})"
    assert told("make it add up", "--agent", agent(tmp_path, body))["accepted"]


@deep
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('no json'); sys.exit(0)", "wrote no JSON object to its standard output, but 'no json'"),
        ("sys.stderr.write('out of tea'); sys.exit(4)", "exited with 4: out of tea"),
        ("answer['confidence'] = 7", "violates the contract: confidence"),
        ("del answer['success']", "violates the contract: success"),
        ("answer['task_id'] = 'other'", "answered for task 'other'"),
        ("answer['output_data'] = dict(files={'../out.py': ''})", "outside of its work tree"),
        ("answer['output_data'] = dict(files={'.git': ''})", "which is not a regular file of its work tree"),
        ("answer['output_data'] = dict(files={'a.py': 3})", "must be a string or null"),
        ("print('x' * 11_000_000)", "wrote more than 10000000 bytes"),
    ],
)
def test_an_agent_that_fails_ends_in_a_clear_state(
    project: Repository, tmp_path: Path, body: str, said: str
) -> None:
    half = "file.write_text('half')\n"
    found = told("make it add up", "--rounds", "1", "--agent", agent(tmp_path, half + body))
    (done,) = found["state"]["rounds"]  # type: ignore[index]
    assert said in done["trouble"]
    assert (found["accepted"], found["changed"], done["changed"]) == (False, [], [])


@deep
def test_an_agent_that_is_not_there_is_told(project: Repository) -> None:
    found = told("make it add up", "--rounds", "1", "--agent", "no-such-agent --fast")
    assert "no-such-agent cannot be started" in found["state"]["rounds"][0]["trouble"]  # type: ignore[index]


@deep
def test_the_same_failure_after_different_attempts_ends_it(project: Repository, tmp_path: Path) -> None:
    body = "file.write_text(file.read_text() + f'# {number}\\n')"
    found = told("make it add up", "--agent", agent(tmp_path, body))
    state = found["state"]
    assert (state["ended"]["kind"], found["exit"]) == ("no-progress", 1)  # type: ignore[index]
    assert len(state["rounds"]) == 2  # type: ignore[index]


@deep
def test_what_got_worse_is_put_back_before_another_takes_its_turn(
    project: Repository, tmp_path: Path
) -> None:
    spoils = agent(tmp_path, f"file.write_text({WORSE!r})", "spoils")
    mends = agent(
        tmp_path,
        f"answer['reasoning'] = file.read_text()\nfile.write_text({RIGHT!r})",
        "mends",
    )
    found = told("make it add up", "--agent", spoils, "--agent", mends)
    rounds = found["state"]["rounds"]  # type: ignore[index]
    assert found["accepted"]
    assert rounds[-1]["reasoning"] == PROJECT["sums.py"], "it began from the content of the start"


@deep
def test_a_weakened_test_is_never_accepted_and_told(project: Repository, tmp_path: Path) -> None:
    body = """
tests = pathlib.Path("test_sums.py")
tests.write_text(tests.read_text().replace("== 3", "is not None"))
"""
    found = told("make it add up", "--rounds", "2", "--agent", agent(tmp_path, body))
    verdict = found["state"]["rounds"][0]["verdict"]  # type: ignore[index]
    assert not found["accepted"]
    assert any("GTL6" in one for one in verdict["integrity"]), verdict


@deep
def test_budgets_are_what_agents_say_they_used(project: Repository, tmp_path: Path) -> None:
    body = f"file.write_text({WRONG!r}); answer['metadata'] = dict(tokens=700, cost=0.2)"
    found = told("make it add up", "--budget-tokens", "500", "--agent", agent(tmp_path, body))
    assert found["state"]["ended"]["reason"] == "700 of 500 tokens are used"  # type: ignore[index]


@deep
def test_a_killed_loop_goes_on_at_the_round_it_was_in(project: Repository, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    body = f"""
mark = pathlib.Path({str(mark)!r})
if number == 2 and not mark.exists():
    mark.write_text("")
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
file.write_text({RIGHT!r} if number == 2 else {WRONG!r})
"""
    before = all_of(project.folder)
    words = ["refine", "make it add up", "--agent", agent(tmp_path, body), "--python", sys.executable]
    done = subprocess.run([sys.executable, "-m", "gateline", *words], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert "Round 1" in done.stderr
    (row,) = json.loads(CliRunner().invoke(refine, ["--list", "--output", "json"]).stdout)
    assert (row["ended"], [one["number"] for one in row["rounds"]]) == (None, [1])
    assert f"interrupted, --resume {row['id']}" in run("--list").stdout
    found = told("--resume", row["id"][:15])
    assert (found["accepted"], [one["number"] for one in found["state"]["rounds"]]) == (True, [1, 2])  # type: ignore[index]
    assert all_of(project.folder) == before


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_loop_that_is_killed_anywhere_loses_and_doubles_no_round(
    project: Repository, tmp_path: Path
) -> None:
    """Kill -9 at 25 moments, each in what the last one left; then it ends as if nothing had happened."""
    body = "file.write_text(file.read_text() + f'# {number}\\n'); time.sleep(0.2)"
    command = agent(tmp_path, body)
    words = [sys.executable, "-m", "gateline", "refine", "--python", sys.executable]
    before, draw, name = all_of(project.folder), random.Random(7), ""
    for _ in range(25):
        asked = ["--resume", name] if name else ["make it add up", "--agent", command]
        loop = subprocess.Popen([*words, *asked], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(1, 12))
        loop.kill()
        loop.wait()
        rows = json.loads(CliRunner().invoke(refine, ["--list", "--output", "json"]).stdout)
        assert len(rows) <= 1
        name = rows[0]["id"] if rows else ""
        numbers = [one["number"] for row in rows for one in row["rounds"]]
        assert numbers == list(range(1, len(numbers) + 1))
        assert all_of(project.folder) == before
    ended = told("--resume", name) if name else told("make it add up", "--agent", command)
    assert [one["number"] for one in ended["state"]["rounds"]] == [1, 2]  # type: ignore[index]


@deep
def test_two_loops_run_beside_each_other(project: Repository, tmp_path: Path) -> None:
    command = agent(tmp_path, f"file.write_text({RIGHT!r}); time.sleep(3)")
    words = [sys.executable, "-m", "gateline", "refine", "make it add up", "--agent", command]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    both = [subprocess.Popen([*words, "--python", sys.executable], **given) for _ in range(2)]  # type: ignore[call-overload]
    answers = [one.communicate(timeout=200) for one in both]
    assert [one.returncode for one in both] == [0, 0], answers
    rows = json.loads(CliRunner().invoke(refine, ["--list", "--output", "json"]).stdout)
    assert [row["ended"]["kind"] for row in rows] == ["accept", "accept"]


@deep
def test_a_log_is_replayed_without_the_agent(project: Repository, tmp_path: Path) -> None:
    counted = tmp_path / "count"
    body = f"""
with open({str(counted)!r}, "a") as count: count.write("x")
file.write_text({RIGHT!r} if number == 2 else {WRONG!r})
"""
    first = told("make it add up", "--agent", agent(tmp_path, body))
    again = told("--replay", str(first["log"]))
    assert counted.read_text() == "xx"
    assert again["patch"] == first["patch"]
    trees = [[one["tree"] for one in found["state"]["rounds"]] for found in (first, again)]  # type: ignore[index]
    assert trees[0] == trees[1]


@deep
def test_a_log_writes_through_no_link_out_of_its_tree(project: Repository, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project.folder / "link").symlink_to(elsewhere)
    project.commit("a link", **{"sums.py": PROJECT["sums.py"]})
    first = told("make it add up", "--agent", agent(tmp_path, f"file.write_text({RIGHT!r})"))
    log = Path(str(first["log"]))
    log.write_text(log.read_text().replace('"sums.py":', '"link/sums.py":'))
    done = run("--replay", str(log))
    assert (done.exit_code, [*elsewhere.iterdir()]) == (2, [])
    assert "'link/sums.py', which is outside of the work tree" in done.output


@deep
def test_the_result_is_written_where_it_is_asked_for(project: Repository, tmp_path: Path) -> None:
    found = told("make it add up", "--apply", "--agent", agent(tmp_path, f"file.write_text({RIGHT!r})"))
    assert (project.folder / "sums.py").read_text() == RIGHT
    assert found["applied"]["written"] == ["sums.py"]  # type: ignore[index]
    assert project.git("status", "--porcelain") == "M sums.py"


@deep
def test_the_result_becomes_a_branch(project: Repository, tmp_path: Path) -> None:
    told("make it add up", "--branch", "fixed", "--agent", agent(tmp_path, f"file.write_text({RIGHT!r})"))
    assert project.git("show", "fixed:sums.py") + "\n" == RIGHT
    assert (project.folder / "sums.py").read_text() == PROJECT["sums.py"]
    assert project.git("symbolic-ref", "--short", "HEAD") == "main"


@deep
def test_edits_of_the_person_win(project: Repository, tmp_path: Path) -> None:
    """Elsewhere in the file both are kept; on the same lines theirs stays, and that is told."""
    found = told("make it add up", "--agent", agent(tmp_path, f"file.write_text({RIGHT!r})"))
    name = str(found["state"]["id"])  # type: ignore[index]
    theirs = PROJECT["sums.py"] + "\n\ndef mine():\n    return 7\n"
    project.write("sums.py", theirs)
    done = told("--resume", name, "--apply")
    assert done["applied"]["merged"] == ["sums.py"]  # type: ignore[index]
    assert (project.folder / "sums.py").read_text() == theirs.replace("return 0", "return sum(values)")
    project.write("sums.py", PROJECT["sums.py"].replace("return 0", "return 5"))
    done = told("--resume", name, "--apply")
    assert (done["applied"]["conflicts"], done["exit"]) == (["sums.py"], 1)  # type: ignore[index]
    assert "return 5" in (project.folder / "sums.py").read_text()


@deep
def test_autodebug_repairs_several_faults(project: Repository) -> None:
    project.write(
        "sums.py",
        "def total(values):\n    return sum(valeus)\n\n\ndef double(value):\n    return 2 * vaule\n",
    )
    project.commit("broken")
    found = told("make it add up")
    assert found["accepted"], found
    assert "sum(values)" in str(found["patch"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give one of: a goal, --resume ID, --replay LOG"),
        (("goal", "--resume", "x"), "give one of: a goal, --resume ID, --replay LOG"),
        (("--resume", "nothing"), "no loop begins with 'nothing'; `gateline refine --list` shows all"),
        (("goal", "--agent", ""), "--agent '' names nothing"),
        (("goal", "--agent", "VAR=x agent"), "a variable is set by `env VAR=... COMMAND`"),
        (("goal", "--agent", "'unclosed"), "is not a valid command: No closing quotation"),
        (("--replay", "sums.py"), "is not JSON lines"),
    ],
)
def test_mistakes_are_told(project: Repository, words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.output


def test_without_git_or_a_commit_nothing_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("goal")
    assert done.exit_code == 3
    assert "git init" in done.output
    subprocess.run(["git", "init", "-q"], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
    assert "commit first" in run("goal").output
