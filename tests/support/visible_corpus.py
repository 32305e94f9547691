"""The visible corpus of broken programs, which is no part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gateline_dev.autodebug.cases import Case, read_cases
from gateline_dev.corpora import packages

_ROOT = Path(__file__).parents[2]
_CORPUS = Path(os.environ.get("AUTODEBUG") or _ROOT.parent / "shared" / "corpora" / "autodebug")
"""As the Makefile has it."""


def visible_cases() -> list[Case]:
    """All of its cases; where it is absent the test is skipped, where it is not the pinned one it fails."""
    if not _CORPUS.is_dir():
        pytest.skip(f"the corpus is absent: there is no {_CORPUS}; name it by AUTODEBUG=FOLDER")
    if wrong := packages.difference(_CORPUS.resolve(), packages.PINS):
        pytest.fail(wrong, pytrace=False)
    return list(read_cases(_CORPUS))
