"""Python text whose strings and comments are made blank, so that patterns see code alone.

A tree would be exact, and costs ten times as much: a workspace is cut before anybody waits for it, and a text
that is being typed does not parse half of the time. What a pattern finds is the same before and after an
unfinished line.
"""

from __future__ import annotations

import re

CLOSING = "\x01"
"""Stands for the last quote of a long string: such a line ends nothing, however little it is indented."""

# Possessive repeats: nothing is tried twice, which is a third of the time.
_QUIET = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+"""'
    r"|'''(?:[^'\\]++|\\.|'(?!''))*+'''"
    r"|#[^\n]*+"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'(?:[^'\\\n]++|\\.)*+'",
    re.DOTALL,
)
_SEEN = re.compile(r"[^\n]")


def plain(text: str) -> str:
    """A text of the same length and lines, with blanks for what stands in strings and comments."""
    return _QUIET.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == "#":
        return " " * len(found)
    if "\n" in found:
        return '"' + _SEEN.sub(" ", found[1:-1]) + CLOSING
    return '"' + " " * (len(found) - 2) + '"'
