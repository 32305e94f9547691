"""The page of messages: what is found in a module, and what is no message."""

from __future__ import annotations

import ast

from gateline_dev.generate_messages import PAGE, messages, render

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
"""


def test_messages_are_found_and_nothing_else() -> None:
    assert list(messages(ast.parse(MODULE))) == [
        "{name} is no branch; name one that is",
        "several parts of `{name}`",
        "one thing / another thing",
        "git took {…} s",
    ]


def test_the_page_has_findings_errors_and_codes() -> None:
    page = render()[PAGE]
    assert "- `hard-coded result for one literal row of numbers`" in page
    assert "- `A test replaces the code that it tests.`" in page
    assert "- `branch {name} already exists; choose another name`" in page
