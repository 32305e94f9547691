"""`gateline eval`: a user's suite is run, measured, remembered, and told of before the next run."""

from __future__ import annotations

import json

import pytest

from support.repositories import Repository
from support.typed import run

CODE = """
def slug(text):
    if text == "boom":
        raise KeyError(text)
    print("what a function prints is no answer")
    return text.lower().replace(" ", "-")
"""
CASES = "".join(f"  - {{name: case {n}, input: Title {n}, expect: title-{n}}}\n" for n in range(20))
SUITE = f"suite: slugs\ncall: shop:slug\ncases:\n{CASES}"


@pytest.fixture(autouse=True)
def project(workspace: Repository) -> Repository:
    workspace.commit("begin", **{"shop.py": CODE, "slugs.eval.yaml": SUITE})
    return workspace


def test_a_regression_is_found_named_remembered_and_told_before_the_next_run(project: Repository) -> None:
    good = run("eval", "slugs")
    assert (good.exit_code, good.stdout) == (0, "slugs  100.0% of 20 cases (exact, target 95%): ok\n")
    project.write(
        "shop.py", CODE.replace('text.lower().replace(" ", "-")', 'text.lower()[:7].replace(" ", "-")')
    )
    bad = run("eval")
    assert bad.exit_code == 1
    assert "slugs  50.0% of 20 cases (exact, target 95%): regression" in bad.stdout
    assert "50% below 100.0%, the mean of the last 1 accepted; flipped: case 10, case 11" in bad.stdout
    assert '  case 10: expected "title-10", not "title-1"' in bad.stdout
    (lesson,) = json.loads(run("recall", "--output", "json").stdout)
    assert (lesson["tags"], lesson["source"]) == (["eval-failure", "slugs", "regression"], "eval")
    assert lesson["detail"]["cases"] == [f"case {n}" for n in range(10, 20)]
    project.write("shop.py", CODE)
    after = run("eval")
    assert after.exit_code == 0
    assert after.stdout.startswith("before: Eval slugs: 50.0% is 50% below")
    told = json.loads(run("eval", "--output", "json").stdout)
    assert (told[0]["score"], told[0]["accepted"], told[0]["regression"]) == (1.0, True, "")


def test_what_a_case_may_expect(project: Repository) -> None:
    project.write(
        "more.eval.yaml",
        "suite: more\ncall: shop:slug\nkind: operation\ncases:\n"
        "  - {name: a part, input: A B, contains: a-}\n"
        "  - {name: a form, input: A B, matches: ^a.b$}\n"
        "  - {name: a crash, input: boom, expect: boom}\n",
    )
    done = run("eval", "more")
    assert done.exit_code == 1
    assert "66.7% of 3 cases (operation, target 80%): below 80%" in done.stdout
    assert "a crash: KeyError: 'boom'" in done.stdout
    assert run("eval", "--list").stdout == (
        "more  operation, 3 cases of shop:slug\nslugs  exact, 20 cases of shop:slug\n"
    )


def test_a_process_that_ends_fails_what_it_did_not_answer(project: Repository) -> None:
    project.write(
        "shop.py", "import os\ndef slug(text):\n    return os._exit(3) if text[-1] == '5' else 'x'\n"
    )
    done = run("eval")
    assert done.exit_code == 1
    assert "case 6: the process ended with 3" in done.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("suite: [", "slugs.eval.yaml cannot be read"),
        ("suite: slugs", "cases: Field required"),
        ("suite: slugs\ncases: [{name: a, expect: 1}]", "call is missing: name the function"),
        ("suite: slugs\ncall: shop\ncases: [{name: a, expect: 1}]", "call: String should match pattern"),
        ("suite: slugs\ncall: shop:slug\ncases: []", "cases: Tuple should have at least 1 item"),
        (
            "suite: slugs\ncall: shop:slug\ncases: [{name: a}]",
            "case 'a' has no expectation: give one of expect",
        ),
        (
            "suite: slugs\ncall: shop:slug\ncases: [{name: a, matches: '('}]",
            "matches is not a valid regular expression",
        ),
        (
            "suite: slugs\ncall: shop:slug\ncases: [{name: a, expect: 1}, {name: a, expect: 2}]",
            "cases have the same name: a",
        ),
        (
            "suite: slugs\ncall: shop:slug\ncases: [{name: a, input: 2026-01-01, expect: 1}]",
            "cases.0.input: input was not a valid JSON value",
        ),
        (
            "suite: slugs\ncall: gone:slug\ncases: [{name: a, expect: 1}]",
            "gone:slug cannot be called: ModuleNot",
        ),
        (
            "suite: slugs\ncall: shop:gone\ncases: [{name: a, expect: 1}]",
            "shop:gone cannot be called: Attribute",
        ),
    ],
)
def test_a_mistake_in_a_suite_is_told(project: Repository, text: str, told: str) -> None:
    project.write("slugs.eval.yaml", text)
    done = run("eval")
    assert done.exit_code == 2
    assert told in done.stderr


def test_suites_are_looked_for_where_the_workspace_is(project: Repository) -> None:
    project.write(".gitignore", "made/\n")
    project.write("made/slugs.eval.yaml", SUITE)
    project.write("gateline.toml", 'exclude = ["old/"]\n')
    project.write("old/slugs.eval.yaml", SUITE)
    assert run("eval", "--list").stdout == "slugs  exact, 20 cases of shop:slug\n"


def test_a_suite_that_is_not_there(project: Repository) -> None:
    assert "there is no suite 'x'; `gateline eval --list` lists all" in run("eval", "x").stderr
    project.write("other.eval.yaml", SUITE)
    assert "slugs.eval.yaml: the suite 'slugs' is in other.eval.yaml already" in run("eval").stderr
    (project.folder / "slugs.eval.yaml").unlink()
    (project.folder / "other.eval.yaml").unlink()
    assert "no evaluation suite was found" in run("eval").stderr
