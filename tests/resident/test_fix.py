"""`gateline fix` asks the resident engine: the same answer, of which the engine keeps nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from type_project import Warm

from gateline.cli import fix as command
from gateline.cli.commands import main
from gateline.resident.connection import Connection, connect
from support.engines import end_engines
from support.repositories import Repository

CART = 'def total(prices: list[int]) -> int:\n    """Add up."""\n    return sum(prices)\n'
TILL = 'from cart import total\n\n\ndef paid() -> int:\n    """What was paid."""\n    return total([1])\n'
TWO_ERRORS = CART.replace("-> int:", "-> int").replace("sum(", "summ(")


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Iterator[Repository]:
    """A repository with an engine that checks types."""
    made = Repository(tmp_path_factory.mktemp("typed"))
    warm(made.folder)
    made.git("init", "--quiet", "--initial-branch", "main")
    made.write("pyproject.toml", "[tool.gateline]\n")
    made.commit(**{"cart.py": CART, "till.py": TILL})
    yield made
    end_engines(made.folder)


@pytest.fixture
def engine(typed: Repository) -> Iterator[Connection]:
    with connect(str(typed.folder), seconds=60) as made:
        yield made
    typed.git("reset", "--hard", "--quiet")


def fixed(monkeypatch: pytest.MonkeyPatch, folder: Path, *args: str) -> tuple[int, Any]:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, ["fix", "--output", "json", *args])
    return result.exit_code, json.loads(result.stdout)


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command may not search by processes of its own."""

    def searched(*_: object, **__: object) -> None:
        raise AssertionError("the engine was not asked")

    monkeypatch.setattr(command, "_searched", searched)


def findings(session: Connection) -> list[tuple[str, str]]:
    answer = session.ask("gateline/check", {"patience": 60_000, "level": "early"}, 90)
    assert answer["fresh"]
    return [(row["code"], row["path"]) for row in answer["evaluation"]["findings"]]


def test_errors_of_syntax_and_types_are_repaired_one_after_the_other(
    typed: Repository, engine: Connection, no_search: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed.write("cart.py", TWO_ERRORS)
    before = findings(engine)
    status, answer = fixed(monkeypatch, typed.folder)
    assert status == 1
    assert [row["outcome"] for row in answer["problems"]] == ["repaired", "repaired"]
    assert [(row["path"], row["after"]) for row in answer["texts"]] == [("cart.py", CART)]
    assert findings(engine) == before, "the engine judges the file on the disk, not the repaired text"


def test_a_repair_is_written_and_the_engine_sees_it(
    typed: Repository, engine: Connection, no_search: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed.write("cart.py", CART.replace("sum(", "summ("))
    assert ("GTL110", "cart.py") in findings(engine)
    status, _ = fixed(monkeypatch, typed.folder, "--write", "cart.py")
    assert (status, (typed.folder / "cart.py").read_text()) == (0, CART)
    assert findings(engine) == []


def test_types_of_texts_that_are_not_written_are_repaired(typed: Repository, engine: Connection) -> None:
    """`till.py` calls what only the proposed `cart.py` has."""
    both = [
        {"path": "cart.py", "text": CART.replace("total", "add_up")},
        {
            "path": "till.py",
            "text": TILL.replace("total", "add_up").replace("return add_up", "return add_upp"),
        },
    ]
    before = findings(engine)
    told = engine.ask("gateline/check", {"patience": 60_000, "level": "early", "texts": both}, 90)
    rows = told["evaluation"]["findings"]
    row = next(row for row in rows if (row["code"], row["path"]) == ("GTL110", "till.py"))
    answer = engine.ask("gateline/autodebug", {"identity": row["identity"], "texts": both}, 90)
    assert answer["success"] and answer["proof"] == "V1"
    [repaired] = answer["texts"]
    assert (repaired["path"], repaired["text"]) == ("till.py", TILL.replace("total", "add_up"))
    contents = {one["path"]: one["hash"] for one in told["contents"]}
    assert repaired["digest"] == contents["till.py"], "the edits are for what was proposed"
    assert (typed.folder / "till.py").read_text() == TILL
    assert findings(engine) == before, "the type checker keeps nothing of it"


def test_the_answer_is_that_of_a_search_without_an_engine(
    typed: Repository, engine: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed.write("till.py", TILL.replace("total([1])", 'totl(["a"])'))
    asked = fixed(monkeypatch, typed.folder)
    monkeypatch.setattr(command, "_asked", lambda *_, **__: None)
    assert asked == fixed(monkeypatch, typed.folder)


def test_a_path_that_is_not_there_is_refused_as_without_an_engine(
    typed: Repository, engine: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(typed.folder)
    result = CliRunner().invoke(main, ["fix", "nowhere.py"])
    assert result.exit_code == 2
    assert "nowhere.py" in result.output


def test_a_link_is_refused_as_without_an_engine(
    typed: Repository, engine: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    (typed.folder / "link.py").symlink_to("cart.py")
    monkeypatch.chdir(typed.folder)
    result = CliRunner().invoke(main, ["fix", "link.py"])
    (typed.folder / "link.py").unlink()
    assert result.exit_code == 2
    assert "leads through a symbolic link to cart.py" in result.output


def test_tests_are_run_by_the_command_itself(
    typed: Repository, engine: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_asked", lambda *_, **__: pytest.fail("the engine was asked to run tests"))
    assert fixed(monkeypatch, typed.folder, "--tests", "cart.py")[1]["texts"] == []
