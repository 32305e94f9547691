"""`gateline remember`, `recall` and `forget`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.repositories import Repository
from support.typed import run

ROUNDING = "Prices are rounded half up: the bank refuses other totals"


@pytest.fixture(autouse=True)
def project(workspace: Repository) -> Repository:
    workspace.commit("begin", **{"bank.py": "def transfer() -> None: ...\n"})
    return workspace


def stored(*arguments: str) -> str:
    return run("remember", *arguments).stdout.split()[0]


def test_a_lesson_from_its_first_word_to_its_end() -> None:
    assert run("recall").stdout.startswith("no lesson is kept here")
    name = stored("The upload job times out after 30 seconds", "--tag", "jobs")
    assert run("remember", "the upload job times out after 30 seconds.").stdout.startswith(
        f"{name}  already known: The upload job"
    )
    assert run("remember", "The upload job times out after 60 seconds").stdout.splitlines()[1:] == [
        "  before: The upload job times out after 30 seconds",
        f"  both are kept: gateline recall --history {name}",
    ]
    assert run("recall", "when", "does", "an", "upload", "time", "out").stdout.startswith(
        f"{name}  The upload job times out after 60 seconds\n  #jobs, version 2, "
    )
    assert "used 1×, helped 0×" in run("recall").stdout
    assert run("recall", "--helped", name).stdout == f"{name} helped 1 times, of 1 uses\n"
    history = run("recall", "--history", name).stdout
    assert history.startswith(f"{name}  2 versions\n  2  ")
    assert run("forget", name, "--history").stdout == history
    assert run("forget", name[:4]).stdout == f"forgot {name}: The upload job times out after 60 seconds\n"
    assert run("recall").stdout.startswith("no lesson is kept here")


def test_a_place_is_named_from_the_folder_one_is_in(
    project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("src/cart.py", "def total() -> int: ...\n")
    monkeypatch.chdir(project.folder / "src")
    name = stored("Totals are in cents", "--file", "cart.py", "--symbol", "total")
    (found,) = json.loads(run("recall", "--file", "cart.py", "--output", "json").stdout)["lessons"]
    assert (found["id"], found["anchor"]["file"], found["why"]) == (name, "src/cart.py", ["about this file"])
    project.write("src/cart.py", "def sum() -> int: ...\n")
    assert "stale: total is gone from src/cart.py" in run("recall").stdout
    assert "stale, not counted" in run("recall", "--file", "cart.py").stdout
    assert run("forget", "--stale").stdout == f"forgot {name}: Totals are in cents\n"
    assert run("forget", "--stale").stdout == "no lesson is stale\n"


def test_lessons_go_into_a_file_and_come_back(tmp_path: Path) -> None:
    name = stored(ROUNDING)
    file = str(tmp_path / "lessons.jsonl")
    assert run("recall", "--export", file).stdout == f"1 lesson written to {file}\n"
    assert run("forget", name).exit_code == 0
    assert run("recall", "--import", file).stdout == "1 new, 0 updated, 0 already known\n"
    assert run("recall", "--export", "-").stdout == Path(file).read_text()
    assert run("recall", "--import", "-", given=Path(file).read_text()).stdout == (
        "0 new, 0 updated, 1 already known\n"
    )


def test_a_text_comes_from_standard_input() -> None:
    assert run("remember", "-", given=f"{ROUNDING}\n").exit_code == 0
    assert ROUNDING in run("recall").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("remember",), "Missing argument"),
        (("remember", " "), "the lesson is empty"),
        (("remember", "AWS_SECRET = 'AKIA" + "IOSFODNN7REALKEY'"), "seems to contain a secret"),
        (("remember", "Totals", "--file", "gone.py"), "gone.py is gone: give one that exists"),
        (("remember", "Totals", "--file", "bank.py", "--symbol", "sum"), "sum is gone from bank.py"),
        (("remember", "Totals", "--file", "../x.py"), "is outside of"),
        (("recall", "words", "--history", "x"), "give a question, or one of"),
        (("recall", "--history", "nothing"), "no lesson begins with 'nothing'"),
        (("recall", "--helped", "nothing"), "no lesson begins with 'nothing'"),
        (("recall", "--import", "gone.jsonl"), "--import 'gone.jsonl' cannot be read"),
        (("recall", "--export", "gone/lessons.jsonl"), "--export 'gone/lessons.jsonl' cannot be written"),
        (("forget",), "give the IDs of lessons, or --stale"),
        (("forget", "nothing"), "no lesson begins with 'nothing'"),
    ],
)
def test_mistakes_are_told_with_a_2(arguments: tuple[str, ...], told: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert told in done.stderr
