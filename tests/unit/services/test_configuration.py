"""Which part of a file of settings matters to tests."""

from __future__ import annotations

import pytest

from gateline.services.tests.far.configuration import NAMES, for_tests
from gateline.testing.naming import CONFIGURATION

TOML = b"""\
[project]
name = "shop"

[tool.pytest.ini_options]  # here
addopts = [
    "-q",
]

[[tool.mypy.overrides]]
module = "cart"

[tool.pytest.more]
level = 1
"""
INI = b"""\
[metadata]
name = shop
[tool:pytest]
markers =
    slow: takes long
; said twice
[flake8]
max-line-length = 100
"""


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        (
            "pyproject.toml",
            TOML,
            b'[tool.pytest.ini_options]  # here\naddopts = [\n    "-q",\n]\n[tool.pytest.more]\nlevel = 1',
        ),
        ("setup.cfg", INI, b"[tool:pytest]\nmarkers =\n    slow: takes long\n; said twice"),
        ("tox.ini", b"[tox]\r\nenvlist = py\r\n[ pytest ]\r\naddopts = -q\r\n", b"[ pytest ]\naddopts = -q"),
        ("tox.ini", b"[tox]\nenvlist = pytest\n", b""),
        ("pyproject.toml", b"\xff\n[tool.pytest]\n\xff", b"[tool.pytest]\n\xff"),
        ("pytest.ini", b"[other]\nline = 1\n", b"[other]\nline = 1\n"),
        ("data/rates.toml", b"[other]\nline = 1\n", b"[other]\nline = 1\n"),
    ],
)
def test_what_a_file_says_to_tests(path: str, data: bytes, expected: bytes) -> None:
    assert for_tests(path, data) == expected


def test_both_sides_look_in_the_same_files() -> None:
    assert NAMES == CONFIGURATION
