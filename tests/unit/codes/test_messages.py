"""The page of messages: what is found in a module, and what is no message."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gateline_dev.generate_messages import PAGE, messages

MODULE = """
def look(module, node, name, kept):
    raise UsageError(f"{name} is no branch; "
                     "name one that is")
    message = "several" " parts" + f" of `{name}`"
    at_node(CODE, module, node, "one thing" if kept else "another thing", Weight.FLOOR)
    Report(name, reason=f"git took {len(name) + sum(int(letter) for letter in name)} s")
    raise KeyError(name)
    mode = "no message at all"
    raise ValueError("word")
    reason, count = "it was not measured", 3
    return "no message either"


def _why_not(kept):
    def inner():
        return "not of the outer one"
    yield "too old" if kept else ""
"""


def test_messages_are_found_and_nothing_else() -> None:
    assert sorted(messages(ast.parse(MODULE))) == [
        "git took {…} s",
        "it was not measured",
        "one thing / another thing",
        "several parts of `{name}`",
        "too old",
        "{name} is no branch; name one that is",
    ]


def test_a_text_with_a_name_is_listed_where_that_name_is_given() -> None:
    tree = ast.parse('WAITED = "nobody agreed yet"\nTABLE = "base = main"\n')
    assert list(messages(tree, {"WAITED"})) == ["nobody agreed yet"]


def test_the_help_of_commands_is_listed_and_other_docstrings_are_not() -> None:
    tree = ast.parse(
        '@click.command(epilog=EXAMPLES)\n@click.option("--all", help="Show all rows.")\n'
        'def show():\n    """Show the rows."""\n'
        'def helper():\n    """Not for users."""\n'
    )
    assert sorted(messages(tree)) == ["Show all rows.", "Show the rows."]


def test_each_text_of_a_table_with_a_name_is_listed() -> None:
    tree = ast.parse('SAID = {1: "one row", 2: "two rows"}\nOTHER = {1: "no message"}\n')
    assert list(messages(tree, {"SAID"})) == ["one row", "two rows"]


def test_titles_clauses_and_refusals_are_listed_where_they_are_given() -> None:
    tree = ast.parse(
        'repair(question, f"Swap {a} and {b}", edits, cost)\n'
        'Explanation[Check]("widened", "each row has one column more", lambda check: True)\n'
        'Refusal("skip", f"{path}: `{name}` skips a test")\n'
        'def proposed():\n    yield "Use a slice", edits\n    yield "a name", edits\n'
    )
    assert sorted(messages(tree)) == [
        "Swap {a} and {b}",
        "Use a slice",
        "each row has one column more",
        "{path}: `{name}` skips a test",
    ]


@pytest.fixture(scope="module")
def page() -> str:
    """As it is written; that it is fresh is seen where all that is generated is."""
    return (Path(__file__).parents[3] / PAGE).read_text(encoding="utf-8")


def test_the_page_has_findings_errors_and_codes(page: str) -> None:
    assert "- `hard-coded result for one literal row of numbers`" in page
    assert "- `A test replaces the code that it tests.`" in page
    assert "- `branch {name} already exists; choose another name`" in page


@pytest.mark.parametrize(
    "told",
    [
        "no changed line is executable",
        "running tests was refused for this workspace",
        "Roll back to the last good savepoint",
        "Exit early if {name} is None: {text}",
        "save a file, or run `gateline check`",
    ],
)
def test_the_page_has_what_was_not_measured_and_what_can_be_done(told: str, page: str) -> None:
    assert told in page
