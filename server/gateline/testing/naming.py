"""Which files hold tests, by their names: what can be known without running anything."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FILE = re.compile(r"(?:.*/)?(?:tests?[^/]*\.py|[^/]*_tests?\.py)")
_FOLDER = re.compile(r"(?:.*/)?tests?/.*\.py")
CONFIGURATION = frozenset(
    ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg"]
)
"""Where pytest looks for its settings."""
_PATTERNS = "python_files"
"""The setting of pytest that gives test files other names."""


def is_test(path: str) -> bool:
    """Whether a file's name says that it holds tests, as pytest and unittest find them by default."""
    return bool(_FILE.fullmatch(path) or _FOLDER.fullmatch(path))


def may_have_tests(paths: Iterable[str], configuration: Iterable[str]) -> bool:
    """Whether a project may have tests; `configuration` are the texts of the files named so."""
    return any(map(is_test, paths)) or any(_PATTERNS in text for text in configuration)
