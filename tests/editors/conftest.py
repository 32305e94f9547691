"""What every editor is driven with: a project, and the machine of a person who installed gateline."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from support.repositories import Repository

ROOT = Path(__file__).parents[2]
CART = '''"""A cart."""


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)
'''


@pytest.fixture
def project(repository: Repository) -> Repository:
    """A committed project of one module."""
    repository.write("cart.py", CART)
    repository.write("pyproject.toml", '[project]\nname = "shop"\nversion = "1"\n')
    repository.commit()
    return repository


@pytest.fixture
def environment(project: Repository, tmp_path: Path) -> dict[str, str]:
    """A person's machine: a home of its own, and `gateline` on PATH."""
    programs = tmp_path / "bin"
    programs.mkdir()
    script = programs / "gateline"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gateline "$@"\n')
    script.chmod(0o755)
    ours = ("XDG_", "NVIM", "GATELINE_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(ours)},
        "HOME": str(tmp_path),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "server"),
        "PROJECT": str(project.folder),
        "PROGRAMS": str(programs),
        "PYTHON": sys.executable,
    }
