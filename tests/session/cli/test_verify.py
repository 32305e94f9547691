"""`gateline verify`, as it is typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result

from support.repositories import Repository
from support.typed import run as typed

SCHEMA = Path(__file__).parents[3] / "schemas" / "verification.json"
SHOP = {"shop/prices.py": "RATE = 0.19\n\n\ndef with_tax(price):\n    return price * (1 + RATE)\n"}
TESTS = "from shop.prices import with_tax\n\n\ndef test_tax():\n    assert with_tax(100) > 100\n"
GOOD = "# Tax\n\n## Goal\nThe tax rises.\n\n## Criteria\n- `with_tax(100)` returns `120.0`\n"
PLAN = (
    "1. `shop/prices.py`: `RATE` is 0.2, so that `with_tax(100)` is 120.0\n"
    "2. test it in new `tests/test_prices.py`\n"
)


def run(*arguments: str) -> Result:
    return typed("verify", *arguments)


@pytest.fixture(autouse=True)
def shop(workspace: Repository) -> Repository:
    workspace.commit("begin", **SHOP)
    workspace.write("spec.md", GOOD)
    workspace.write("plan.md", PLAN)
    return workspace


def test_a_specification_against_the_code_of_the_workspace(shop: Repository) -> None:
    assert (run("specification", "spec.md").exit_code, run("specification", "spec.md").stdout) == (
        0,
        "specification: sufficient, 6 checks\n",
    )
    shop.write("spec.md", GOOD.replace("with_tax(100)", "with_taxes(100)"))
    found = run("specification", "spec.md")
    assert found.exit_code == 1
    assert found.stdout == (
        "specification: insufficient, 6 checks\n"
        "specification.names: line 7: `with_taxes` is not in the project: did you mean `with_tax`?\n"
    )


def test_a_plan_against_its_specification(shop: Repository) -> None:
    assert run("plan", "plan.md", "--specification", "spec.md").exit_code == 0
    shop.write("plan.md", PLAN.replace("with_tax(100) is 120.0", "it rises").replace("`with_tax", "`tax"))
    found = run("plan", "plan.md", "--specification", "spec.md", "--output", "json")
    data = json.loads(found.stdout)
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    assert (found.exit_code, data["sufficient"], data["point"]) == (1, False, "plan")
    assert "plan.covers" in {reason["check"] for reason in data["reasons"]}
    assert all(check["looksAt"] for check in data["checks"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("specification", "none.md"), "none.md cannot be read: No such file or directory"),
        (("specification", "odd.md"), "odd.md is not UTF-8 text; give a Markdown file"),
        (("plan", "plan.md", "--specification", "none.md"), "none.md cannot be read"),
    ],
)
def test_what_cannot_be_read_is_told(shop: Repository, arguments: tuple[str, ...], told: str) -> None:
    shop.write("odd.md", b"\xff\xfe\x00")
    found = run(*arguments)
    assert (found.exit_code, told in found.stderr) == (2, True)


def reasons_of(*arguments: str) -> set[str]:
    """The checks that do not hold, of an answer that is insufficient."""
    found = run(*arguments, "--output", "json")
    assert found.exit_code == 1, found.output
    return {reason["check"] for reason in json.loads(found.stdout)["reasons"]}


@pytest.mark.deep
@pytest.mark.timeout(300)
def test_a_commit_is_what_is_staged_with_its_message(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATELINE_PYTHON", sys.executable)
    shop.commit("tests", **{"tests/test_prices.py": TESTS})
    shop.write("shop/prices.py", SHOP["shop/prices.py"].replace("0.19", "0.2  # TODO: by country"))
    shop.write("message", "wip\n")
    shop.git("add", "shop/prices.py")
    assert {"commit.message", "commit.leftovers"} <= reasons_of("commit", "--message", "message")
    assert "commit.message" not in reasons_of("commit"), "a message that is not written yet"
    shop.write("shop/prices.py", SHOP["shop/prices.py"].replace("0.19", "0.2"))
    shop.git("add", "shop/prices.py")
    shop.write("message", "Prices: the tax is 20 %\n")
    found = run("commit", "--message", "message")
    assert (found.exit_code, found.stdout) == (0, "commit: sufficient, 5 checks\n")
