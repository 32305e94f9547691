"""docs/cli.md: what the commands print is written by a program, all else by hand."""

from __future__ import annotations

import pytest

from gateline_dev.shown import PAGE, spliced

MARK = "<!-- printed in the demo -->\n"


def say(words: str) -> str:
    return f"one of {words}\ntwo\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("by hand\n", "by hand\n"),
        ("```console\n$ gateline check\nold\n```\n", "```console\n$ gateline check\nold\n```\n"),
        (
            f"{MARK}```console\n$ gateline check\nold\n```\nby hand\n",
            f"{MARK}```console\n$ gateline check\none of check\ntwo\n```\nby hand\n",
        ),
        (
            f"{MARK}```console\n$ gateline a | head -1\n$ gateline b --c\nold\n```\n",
            f"{MARK}```console\n$ gateline a | head -1\none of a\n$ gateline b --c\none of b --c\ntwo\n```\n",
        ),
    ],
    ids=["text", "not marked", "one command", "two commands"],
)
def test_only_marked_blocks_are_written(before: str, after: str) -> None:
    assert spliced(before, say) == after
    assert spliced(after, say) == after


def test_a_marked_block_names_its_command() -> None:
    with pytest.raises(ValueError, match="names no command"):
        spliced(f"{MARK}```console\nhello\n```\n", say)


def test_the_page_has_such_blocks_and_keeps_its_other_sections() -> None:
    page = PAGE.read_text(encoding="utf-8")
    written = spliced(page, say)
    assert "one of check\n" in written
    assert [line for line in page.split("\n") if line.startswith("## ")] == [
        line for line in written.split("\n") if line.startswith("## ")
    ]
