"""Suites that a model judges: by recorded answers, by an endpoint, and never without either."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from gateline.evals.judgement import Answer, Judgement, unusable
from gateline.evals.judging import Bounds, question, result_of
from gateline.evals.run import CaseResult
from gateline.services.models.channel import Endpoint
from gateline.session.evals.judge import Judge
from gateline.session.evals.running import Answered
from gateline.session.evals.suite import Suite
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.judgements import Judgements
from support.model_stub import stub
from support.repositories import Repository
from support.typed import run

ROOT = Path(__file__).parents[3]
SUITE, ANSWERS = ROOT / "evals" / "assessments.eval.yaml", ROOT / "evals" / "assessments.answers.jsonl"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CODE = f"def title(text):\n    return {{'title': text.title(), 'token': '{TOKEN}'}}\n"
TITLES = "suite: titles\ncall: shop:title\nkind: judge\ncriteria: {naming: it is a good title}\ncases:\n"
CASES = "".join(f"  - {{name: case {n}, input: red {n}}}\n" for n in range(8))
ASKED = question({"naming": "a good name", "edge cases": "all"}, "a", "b")


@pytest.fixture(autouse=True)
def project(workspace: Repository) -> Repository:
    workspace.commit("begin", **{"shop.py": CODE, "titles.eval.yaml": TITLES + CASES})
    return workspace


def named(monkeypatch: pytest.MonkeyPatch, endpoint: str, name: str = "by-hand") -> None:
    monkeypatch.setenv("GATELINE_MODELS__ENDPOINT", endpoint)
    monkeypatch.setenv("GATELINE_MODELS__NAME", name)


def told(*words: str) -> tuple[int, dict[str, Any]]:
    done = run("eval", *words, "--output", "json")
    (one,) = json.loads(done.stdout)
    return done.exit_code, one


@pytest.fixture
def assessments(project: Repository) -> Path:
    """The repository's own suite of a model's assessments, with its recorded answers."""
    shutil.copy(SUITE, project.folder / SUITE.name)
    return Path(shutil.copy(ANSWERS, project.folder / ANSWERS.name))


def test_recorded_assessments_are_judged_and_one_that_believes_everything_is_a_regression(
    assessments: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named(monkeypatch, f"recorded:{assessments}")
    code, sound = told("assessments")
    assert (code, sound["score"], sound["accepted"], sound["unmeasured"]) == (0, 1.0, True, [])
    rows = [json.loads(line) for line in assessments.read_text().splitlines()]
    for row in rows:
        row["judgements"] = [{**one, "score": 1.0} for one in row["judgements"]]
    assessments.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    code, generous = told("assessments")
    assert (code, generous["flipped"][0]) == (1, "does something else")
    assert generous["regression"].startswith("assessments: ")
    assert "an order to the assessor" in generous["flipped"]
    # Another model is another judge: nothing of it is known yet.
    named(monkeypatch, f"recorded:{assessments}", "another")
    code, other = told("assessments")
    assert (code, other["regression"], other["accepted"]) == (1, "", False)


def test_without_a_model_nothing_is_measured_and_nothing_passes(assessments: Path) -> None:
    code, found = told("assessments")
    assert (code, found["score"], found["accepted"], found["lesson"]) == (3, None, False, "")
    assert len(found["unmeasured"]) == 11
    shown = run("eval", "assessments")
    assert "assessments  – of 11 cases (judge, target 70%): not measured" in shown.stdout
    assert "models.endpoint is not set" in shown.stdout


def test_a_question_that_was_never_recorded_is_not_measured(
    assessments: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assessments.write_text("".join(assessments.read_text().splitlines(keepends=True)[1:]))
    named(monkeypatch, f"recorded:{assessments}")
    code, found = told("assessments")
    assert (code, found["accepted"]) == (3, False)
    (missing,) = found["unmeasured"]
    assert missing["name"] == "does what the task asks for"
    assert "no answer is recorded" in missing["detail"]


async def test_no_secret_of_an_input_or_an_answer_is_asked_about(project: Repository) -> None:
    project.write("none.jsonl", "")
    judge = Judge(Endpoint(f"recorded:{project.folder / 'none.jsonl'}", "m"))
    case = {"name": "a", "input": f"red shoes\n{TOKEN}\n"}
    suite = Suite.model_validate({**yaml.safe_load(TITLES + CASES), "cases": [case]})
    answer = {"title": "Red Shoes", "token": TOKEN, "all": [f"key: {TOKEN}"]}
    (result,) = await judge.results(suite, [Answered(CaseResult("a", 1.0), answer)])
    assert not result.measured
    (told,) = judge.told
    assert "red shoes" in told.question.material and "Red Shoes" in told.question.material
    assert TOKEN not in told.question.material


@pytest.mark.deep
def test_an_endpoint_judges_answers_and_what_it_said_is_recorded_and_given_again(
    project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub(score=0.8) as server:
        named(monkeypatch, server.url, "stub")
        done = run("eval", "titles", "--record", "said.jsonl")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "titles  80.0% of 8 cases (judge, target 70%): ok",
        "  judged by stub",
        f"judged by stub at {server.url}, 960 tokens: cases and answers",
    ]
    sent = json.dumps(server.requests)
    assert "Red 3" in sent
    assert "ghp_a1B2" not in sent
    named(monkeypatch, "recorded:said.jsonl", "stub")
    code, again = told("titles")
    assert (code, round(again["score"], 6), again["accepted"]) == (0, 0.8, True)
    database = Database(state_of(project.folder) / DATABASE)
    kept = Judgements(database).all()
    database.close()
    assert {row["operation"] for row in kept} == {"eval"}
    assert kept[0]["subject"] == "titles/case 0"


@pytest.mark.deep
def test_a_weak_answer_is_below_its_target(monkeypatch: pytest.MonkeyPatch) -> None:
    with stub(score=0.4) as server:
        named(monkeypatch, server.url, "stub")
        code, found = told("titles")
    assert (code, round(found["score"], 6)) == (1, 0.4)
    assert found["failed"][0] == {"name": "case 0", "detail": "naming 0.40: seen"}


def test_what_fails_without_a_model_has_failed(project: Repository) -> None:
    project.write("shop.py", "def title(text):\n    raise KeyError(text)\n")
    code, found = told("titles")
    assert (code, found["score"], found["unmeasured"]) == (1, 0.0, [])
    assert "model" not in run("eval", "titles", "--record", "x.jsonl").stdout


def test_other_suites_run_without_a_model(project: Repository) -> None:
    project.write(
        "exact.eval.yaml", "suite: exact\ncall: shop:len\ncases: [{name: a, input: ab, expect: 2}]\n"
    )
    project.write("shop.py", f"{CODE}len = len\n")
    done = run("eval")
    assert done.exit_code == 3
    assert "exact  100.0% of 1 cases (exact, target 95%): ok" in done.stdout


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("call: a:b\nkind: judge\ncases: [{name: a}]", "a judge suite needs criteria"),
        ("judges: assessments\ncases: [{name: a}]", "assessments need a suite of kind judge"),
        ("kind: judge\njudges: assessments\ncall: a:b\ncases: [{name: a}]", "must not have call or criteria"),
        ("kind: judge\njudges: assessments\ncases: [{name: a}]", "needs an input with the texts task and"),
        (
            "kind: judge\njudges: assessments\ncases: [{name: a, input: {task: a, change: b}}]",
            "give only at_least or at_most",
        ),
        (
            "call: a:b\nkind: judge\ncriteria: {c: d}\ncases: [{name: a, at_most: {e: 1}}]",
            "case 'a' has a bound for 'e', which is not one of its criteria",
        ),
        (
            "call: a:b\ncases: [{name: a, expect: 1, at_most: {e: 1}}]",
            "bound for 'e', which is not one of its criteria",
        ),
        (
            "call: a:b\nkind: judge\ncriteria: {c: d}\ncases: [{name: a, at_most: {c: 2}}]",
            "less than or equal",
        ),
    ],
)
def test_a_mistake_in_a_judge_suite_is_told(project: Repository, text: str, wrong: str) -> None:
    project.write("titles.eval.yaml", f"suite: titles\n{text}\n")
    done = run("eval")
    assert done.exit_code == 2
    assert wrong in done.stderr


def test_recorded_answers_that_cannot_be_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    named(monkeypatch, "recorded:missing.jsonl")
    done = run("eval", "titles")
    assert done.exit_code == 2
    assert "models.endpoint 'recorded:missing.jsonl' cannot be read" in done.stderr


def test_a_record_is_not_replaced_by_nothing(project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("none.jsonl", "")
    project.write("said.jsonl", "what was said\n")
    named(monkeypatch, "recorded:none.jsonl")
    done = run("eval", "titles", "--record", "said.jsonl")
    assert done.exit_code == 2
    assert "--record said.jsonl was not written: no answer of the model was usable" in done.stderr
    assert (project.folder / "said.jsonl").read_text() == "what was said\n"


def answered(*rows: tuple[str, float, float]) -> Answer:
    return Answer(tuple(Judgement(*row) for row in rows), "m")


@pytest.mark.parametrize(
    ("answer", "bounds", "score", "measured"),
    [
        (answered(("naming", 1.0, 0.9), ("edge cases", 0.0, 0.3)), Bounds(), 0.75, True),
        (answered(("naming", 1.0, 0.9), ("edge cases", 0.0, 0.0)), Bounds(), 1.0, True),
        (answered(("naming", 1.0, 0.0), ("edge cases", 1.0, 0.0)), Bounds(), 0.5, False),
        (unusable(ASKED, "m", "cut"), Bounds(), 0.5, False),
        (answered(("naming", 0.9, 0.1), ("edge cases", 0.9, 0.1)), Bounds({"naming": 0.9}), 1.0, True),
        (answered(("naming", 0.9, 0.1)), Bounds({"naming": 0.9}, {"naming": 0.8}), 0.5, True),
        (answered(("naming", 0.9, 0.1), ("edge cases", 0.9, 0.0)), Bounds({"edge cases": 0.1}), 0.5, False),
    ],
)
def test_the_score_of_a_case(answer: Answer, bounds: Bounds, score: float, measured: bool) -> None:
    found = result_of("a", answer, bounds)
    assert (round(found.score, 9), found.measured) == (score, measured)


def test_the_suite_is_by_the_schema() -> None:
    schema = json.loads((ROOT / "schemas" / "eval-suite.json").read_text())
    jsonschema.validate(yaml.safe_load(SUITE.read_text()), schema)
