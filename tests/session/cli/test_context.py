"""`gateline context` on a real repository."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from support.repositories import Repository
from support.tiny_model import tiny_model

CART = '''def total(prices):
    """Add the prices, rounded to cents."""
    return round(sum(prices), 2)


def checkout(cart):
    """Sell a cart."""
    return total(cart.prices)
'''
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["context", *arguments], prog_name="gateline")


@pytest.fixture(autouse=True)
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository.commit("begin", **{"cart.py": CART, "test_cart.py": TEST})
    monkeypatch.chdir(repository.folder)
    return repository


def test_words_find_the_function_with_its_reason() -> None:
    result = run("add", "prices")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("cart.py:1 total\n  why: ")
    assert "return round(sum(prices), 2)" in result.stdout


def test_a_place_tells_its_relations() -> None:
    answer = json.loads(run("--at", "cart.py:3", "--output", "json").stdout)
    why = {passage["name"]: passage["why"] for passage in answer["passages"]}
    assert answer["passages"][0]["name"] == "total"
    assert "calls total" in why["checkout"] and "tests total" in why["test_total"]
    assert {"symbols", "lexical"} <= set(answer["tiers"])


def test_json_has_lines_from_one_and_a_hash() -> None:
    (first, *_) = json.loads(run("sell a cart", "--output", "json").stdout)["passages"]
    assert (first["path"], first["first"], first["last"], first["kind"]) == ("cart.py", 6, 8, "function")
    assert len(first["hash"]) == 32 and first["text"].splitlines()[0] == "def checkout(cart):"


def test_markdown_can_be_pasted() -> None:
    said = run("sell a cart", "--output", "markdown").stdout
    assert said.startswith("`cart.py:6-8` checkout (") and "\n```python\ndef checkout(cart):\n" in said


def test_nothing_found_is_said() -> None:
    assert run("zebra xylophone").stdout.startswith("nothing was found")


@pytest.fixture
def model(project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.folder.parent / "cache"))
    tiny_model(project.folder.parent / "model")
    (project.folder / "gateline.toml").write_text('[context]\nmodel = "../model"\n')


def semantic(*arguments: str) -> str:
    """`took part`, or why it did not."""
    answer = json.loads(run("add the prices", "--output", "json", *arguments).stdout)
    return "took part" if "semantic" in answer["tiers"] else answer["degraded"]["semantic"]


@pytest.mark.usefixtures("model")
def test_the_semantic_tier_takes_part_once_its_vectors_were_made() -> None:
    assert semantic().startswith("no text has a vector yet: --embed makes them")
    assert semantic("--embed") == "took part"
    assert semantic() == "took part"


def test_a_wrong_model_is_said_and_the_others_answer(project: Repository) -> None:
    (project.folder / "gateline.toml").write_text('[context]\nmodel = "nowhere"\n')
    assert semantic("--embed").startswith("context.model 'nowhere' has no model.safetensors")


def test_a_model_within_the_workspace_is_not_loaded(project: Repository) -> None:
    tiny_model(project.folder / "model")
    (project.folder / "gateline.toml").write_text('[context]\nmodel = "model"\n')
    assert semantic("--embed").endswith("is not used: it is in the workspace, which is not trusted")


def test_status_and_clear() -> None:
    run("prices")
    assert run("status").stdout.startswith("4 chunks of 2 files")
    assert run("clear").stdout.startswith("removed ")
    assert run("status").stdout.startswith("0 chunks of 0 files")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give a query, or --at FILE:LINE"),
        (("words", "--at", "cart.py:1"), "give a query, or --at FILE:LINE"),
        (("--at", "cart.py"), "is not FILE:LINE"),
        (("--at", "cart.py:0"), "is not FILE:LINE"),
        (("--at", "none.py:1"), "there is no file 'none.py'"),
        (("--at", "/etc/hostname:1"), "is outside of"),
        (("--at", "cart.py:99"), "has 8 lines"),
    ],
)
def test_mistakes_name_the_value(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_switched_off_is_said(project: Repository) -> None:
    project.write("gateline.toml", "[context]\nenabled = false\n")
    result = run("prices")
    assert result.exit_code == 2 and "context.enabled" in result.stderr
