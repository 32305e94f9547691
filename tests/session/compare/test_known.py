"""The same candidates, base, environment and settings are answered from what was found before."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import TypeAdapter

from gateline.cli.commands import main
from gateline.ranking.rank import rank
from gateline.ranking.values import Candidate, Pool
from gateline.session.check import readable_workspace
from gateline.session.compare.behaviour import Difference
from gateline.session.compare.comparing import Comparison, LeftOut
from gateline.session.compare.exchange import Handed
from gateline.session.compare.known import Answers, key_of
from gateline.session.compare.measured import Measured, Suite, is_settled
from gateline.session.compare.recorded_task import RecordedTask
from gateline.store.candidates.trees import Given, Shared
from gateline.testing.result import Ending
from support.repositories import Repository

PYTHON = str(Path(sys.base_prefix) / "bin" / "python3")
"""Nothing that it imports lies in a folder where somebody works."""
NOW = datetime(2026, 11, 28, 8, tzinfo=UTC)
GIVEN = Given("good", "commit", "tree", ("a.py",))
POOL = Pool(
    (
        Candidate("good", visible_passed=3, visible_total=3, behaviour=("1", None), criteria={"tests": 1.0}),
        Candidate("bad", visible_passed=1, visible_total=3, floors=("GTL301 a.py:1: secret",)),
    ),
    {("bad", "good"): 0.25},
)
FOUND = Comparison(
    "0" * 40,
    rank(POOL),
    (GIVEN,),
    (LeftOut("nobody", "nobody is no branch"),),
    ("build was not measured: no backend",),
    Difference("f(1)", "a.py", {"good": "1", "bad": "2"}, "assert f(1) == 1\n"),
    Shared("1" * 40, 2),
    (Handed("good", "bad", ("test_a.py::test",), ()),),
    "tree of the base",
    task=RecordedTask("20261128-aaaaaa", "A becomes more", ("a.py",)),
)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Answers[Comparison]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Answers(tmp_path, TypeAdapter(Comparison))


def test_an_answer_is_found_as_it_was_kept(answers: Answers[Comparison]) -> None:
    answers.keep("a", FOUND, NOW)
    found, at = answers.find("a", 3600, NOW + timedelta(hours=1)) or (None, NOW)
    assert repr(found) == repr(FOUND)
    assert at == NOW


@pytest.mark.parametrize(
    ("key", "seconds", "later"),
    [("a", 3600, 3601), ("b", 3600, 0), ("", 3600, 0), ("a", 0, 0)],
    ids=["too old", "another one", "no key", "switched off"],
)
def test_nothing_is_found(answers: Answers[Comparison], key: str, seconds: float, later: float) -> None:
    answers.keep("a", FOUND, NOW)
    assert answers.find(key, seconds, NOW + timedelta(seconds=later)) is None


def test_what_cannot_be_read_is_compared_again(answers: Answers[Comparison]) -> None:
    Answers(answers.root, TypeAdapter(list[int])).keep("a", [1], NOW)
    assert answers.find("a", 3600, NOW) is None


def test_one_that_cannot_be_read_hides_no_other(answers: Answers[Comparison]) -> None:
    answers.keep("a", FOUND, NOW)
    Answers(answers.root, TypeAdapter(list[int])).keep("b", [1], NOW)
    answers.keep("c", replace(FOUND, notes=()), NOW)
    assert [one.notes for one in answers.newest()] == [(), FOUND.notes]


def test_an_answer_may_be_given_again_for_ever(answers: Answers[Comparison]) -> None:
    answers.keep("a", FOUND, NOW)
    assert answers.find("a", math.inf, NOW) is not None


def test_the_newest_of_a_key_is_found(answers: Answers[Comparison]) -> None:
    answers.keep("a", FOUND, NOW)
    answers.keep("a", replace(FOUND, notes=()), NOW + timedelta(seconds=2))
    found = answers.find("a", 1, NOW + timedelta(seconds=2))
    assert found is not None and found[0].notes == ()


@pytest.mark.parametrize(
    ("one", "is_kept"),
    [
        (Measured(GIVEN, suite=Suite({"a": Ending.PASSED, "b": Ending.FAILED})), True),
        (Measured(GIVEN), True),
        (Measured(GIVEN, problem="mypy ended"), False),
        (Measured(GIVEN, suite=Suite(reason="did not end within 600 s")), False),
        (Measured(GIVEN, suite=Suite({"a": Ending.TIMEOUT})), False),
        (Measured(GIVEN, suite=Suite({"a": Ending.CRASHED})), False),
    ],
)
def test_what_came_late_or_failed_is_not_kept(one: Measured, is_kept: bool) -> None:
    assert is_settled([one], Suite()) is is_kept
    assert is_settled([], one.suite) is (is_kept or bool(one.problem))


Changed = Callable[[Repository, dict[str, str]], tuple[object, ...] | None]


def _trees(_project: Repository, _environ: dict[str, str]) -> tuple[object, ...]:
    return (replace(GIVEN, tree="another"),)


def _settings(project: Repository, _environ: dict[str, str]) -> None:
    project.write("pyproject.toml", "[tool.gateline.tests]\ntimeout = 7\n")


def _environment(_project: Repository, environ: dict[str, str]) -> None:
    environ["DEBUG"] = "1"


def _terminal(_project: Repository, environ: dict[str, str]) -> None:
    environ["COLUMNS"] = "44"


@pytest.mark.parametrize(
    ("change", "is_same"), [(_trees, False), (_settings, False), (_environment, False), (_terminal, True)]
)
def test_the_key_changes_with_what_is_compared(
    repository: Repository, change: Changed, is_same: bool
) -> None:
    repository.commit("base", **{"pyproject.toml": "[tool.gateline]\n"})
    environ = dict(os.environ)

    def key(asked: tuple[object, ...]) -> str:
        workspace = readable_workspace(repository.folder, environ, {"python": "/usr/bin/env python"})
        return _keyed(workspace, repository, environ, asked)

    before = key((GIVEN,))
    asked = change(repository, environ)
    assert before
    assert (key(asked or (GIVEN,)) == before) is is_same


def test_nothing_is_kept_where_modules_come_from_another_folder_in_work(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit("base", **{"pyproject.toml": "[tool.gateline]\n"})
    workspace = readable_workspace(repository.folder, os.environ, None)
    own, elsewhere = repository.folder / "src", tmp_path / "elsewhere"
    assert _keyed(workspace, repository, {"PYTHONPATH": f"{own}:"}, ())
    assert not _keyed(workspace, repository, {"PYTHONPATH": f"{own}:{elsewhere}"}, ())


def _keyed(workspace: Any, project: Repository, environ: Mapping[str, str], asked: tuple[object, ...]) -> str:
    found = replace(workspace, interpreter=replace(workspace.interpreter, path=PYTHON))
    return key_of(found, project.folder, environ, asked)


@pytest.mark.deep
def test_the_command_says_that_it_knew_the_answer(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    repository.commit(
        "base", **{"a.py": "A = 1\n", "pyproject.toml": "[tool.gateline.types]\nenabled = false\n"}
    )
    for name in ("two", "three"):
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(name, **{"a.py": f"A = '{name}'\n"})
    repository.git("checkout", "-q", "main")
    monkeypatch.chdir(repository.folder)

    def asked(*words: str) -> Result:
        fixed = ("compare", "two", "three", "--tests", "none", "--python", PYTHON, "--output", "json")
        done = CliRunner().invoke(main, [*fixed, *words])
        assert done.exit_code in (0, 3), done.output
        return done

    first, second = asked(), asked("nobody")
    assert "compared before" not in first.stderr
    assert "gateline: these were compared before, at 20" in second.stderr
    one, other = json.loads(first.stdout), json.loads(second.stdout)
    assert other.pop("knownSince") and not one.pop("knownSince")
    assert [row["name"] for row in other.pop("leftOut")] == ["nobody"] and not one.pop("leftOut")
    assert one == other
    assert one["finalAfter"] == "checks", "nothing of behaviour was measured"
    assert "compared before" not in asked("--no-cache").stderr
    assert "compared before" not in asked("--set", "compare.cache=0").stderr
