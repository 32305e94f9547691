"""The commands of a Jenkinsfile, as lines of a shell script."""

from __future__ import annotations

import re

_QUOTE = r"""(?P<quote>'''|\"\"\"|'|")(?P<text>.*?)(?P=quote)"""
_STEP = re.compile(
    rf"\bsh\b\s*\(?\s*(?P<before>[\w: ,]*?)(?:script:\s*)?{_QUOTE}(?P<after>[^\n]*)", re.DOTALL
)
_ANSWERING = re.compile(r"returnStatus:\s*true")
_CATCHING = re.compile(r"\b(catchError|warnError)\b[^{\n]*\{")


def shell_of(text: str) -> str:
    """The commands that its steps give to a shell; with a dash those whose failure does not count."""
    caught = [(found.end(), _end(text, found.end())) for found in _CATCHING.finditer(text)]
    rows: list[str] = []
    for found in _STEP.finditer(text):
        line = text.count("\n", 0, found.start())
        rows += [""] * (line - len(rows))
        asks = _ANSWERING.search(found["before"] + found["after"])
        forgiven = asks or any(start <= found.start() < end for start, end in caught)
        rows += [f"{'-' if forgiven else ''}{row.strip()}" for row in found["text"].strip().splitlines()]
    return "\n".join(rows)


def _end(text: str, place: int) -> int:
    """Where the block ends that begins before `place`."""
    depth = 1
    while place < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        place += 1
    return place
