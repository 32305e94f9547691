"""The text that a file would have after an edit: that of the agent's own tool, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.hooks.apply_patch import read_patch
from gateline.hooks.occasion import Edit, Patch, Replace, Write
from gateline.hooks.proposing import proposed

TEXT = "def total(prices):\n    return sum(prices)\n"


@pytest.mark.parametrize(
    ("edits", "texts"),
    [
        ([Write("a.py", "x\n")], {"a.py": "x\n"}),
        ([Write("cart.py", None)], {"cart.py": None}),
        ([Replace("cart.py", "sum", "max")], {"cart.py": TEXT.replace("sum", "max")}),
        ([Replace("cart.py", "prices", "p")], {"cart.py": TEXT.replace("prices", "p", 1)}),
        ([Replace("cart.py", "prices", "p", True)], {"cart.py": TEXT.replace("prices", "p")}),
        ([Replace("cart.py", "nowhere", "p")], {}),
        ([Replace("gone.py", "a", "p")], {}),
        ([Replace("new.py", "", "x = 1\n")], {"new.py": "x = 1\n"}),
        ([Replace("cart.py", "", "x = 1\n")], {}),
        ([Write("b.py", "1\n"), Replace("b.py", "1", "2")], {"b.py": "2\n"}),
        (
            [Patch("cart.py", ((("    return sum(prices)",), ("    return 0",)),), "b.py")],
            {"b.py": "def total(prices):\n    return 0\n", "cart.py": None},
        ),
        (
            [Patch("cart.py", ((("return sum(prices)  ",), ("    return 0",)),))],
            {"cart.py": TEXT[:19] + "    return 0\n"},
        ),
        ([Patch("cart.py", ((("nowhere",), ("x",)),))], {}),
        ([Patch("cart.py", (((), ("x = 1",)),))], {"cart.py": TEXT + "x = 1\n"}),
    ],
)
def test_edits(edits: list[Edit], texts: dict[str, str | None]) -> None:
    assert proposed(edits, {"cart.py": TEXT}.get) == texts


@given(st.lists(st.text("ab \t", max_size=4), max_size=8), st.data())
def test_a_patch_makes_the_text_it_was_made_of(lines: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    added = data.draw(st.lists(st.text("xy", max_size=3), max_size=3))
    wanted = [*lines[:start], *added, *lines[end:]]
    rows = [*(f" {row}" for row in lines[:start]), *(f"-{row}" for row in lines[start:end])]
    rows += [*(f"+{row}" for row in added), *(f" {row}" for row in lines[end:])]
    patch = "\n".join(["*** Begin Patch", "*** Update File: a", "@@", *rows, "*** End Patch"])
    text = "".join(f"{row}\n" for row in lines)
    assert proposed(read_patch(patch), {"a": text}.get).get("a", text) == "".join(f"{r}\n" for r in wanted)


@given(st.text())
def test_any_text_can_be_read_as_a_patch(patch: str) -> None:
    for edit in read_patch(patch):
        proposed([edit], lambda path: "a\n")
