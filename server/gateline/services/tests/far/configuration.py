"""Files in which pytest looks for its settings, and what of them is meant for it."""

from __future__ import annotations

import os
import re

NAMES = frozenset(
    ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg"]
)
_SHARED = frozenset(["pyproject.toml", "tox.ini", "setup.cfg"])
"""Configuration of other tools, too."""
_HEADER = re.compile(rb"[ \t]*\[+[ \t]*([\w.: \t-]+?)[ \t]*\]+[ \t]*(?:[#;].*)?")
"""A line that begins a section of an ini file, or a table of TOML."""
_OF_PYTEST = re.compile(rb"pytest|tool:pytest|tool\.pytest(?:\..*)?")


def for_tests(path: str, data: bytes) -> bytes:
    """What a content says to tests: of a file that tools share the sections of pytest, else all of it."""
    if os.path.basename(path) not in _SHARED:
        return data
    kept, inside = [], False
    for line in data.splitlines():
        header = _HEADER.fullmatch(line)
        inside = bool(_OF_PYTEST.fullmatch(header[1])) if header else inside
        if inside and line.strip():
            kept.append(line.rstrip())
    return b"\n".join(kept)
