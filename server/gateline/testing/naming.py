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
_WRITTEN = re.compile(r"\b[Tt]est\w*|\b\w+Tests?(?:Case)?\b|>>>")
_PATTERNS = "python_files"
"""The setting of pytest that gives test files other names."""


def is_test(path: str) -> bool:
    """Whether a file's name says that it holds tests, as pytest and unittest find them by default."""
    return bool(_FILE.fullmatch(path) or _FOLDER.fullmatch(path))


def is_named_test(path: str) -> bool:
    """Whether a file's own name says so, wherever it stands."""
    return bool(_FILE.fullmatch(path))


def is_written(text: str) -> bool:
    """Whether a text seems to hold tests, and not only what they share."""
    return bool(_WRITTEN.search(text))


def is_tests(path: str) -> bool:
    """Whether a file is of the tests: one that holds some, or a conftest."""
    return is_test(path) or path.rpartition("/")[2] == "conftest.py"


def may_have_tests(texts: Iterable[str], configuration: Iterable[str]) -> bool:
    """Whether a project may have tests.

    `texts` are those of the files that are named like tests, `configuration` those of the settings of pytest.
    """
    return any(map(is_written, texts)) or any(_PATTERNS in text for text in configuration)
