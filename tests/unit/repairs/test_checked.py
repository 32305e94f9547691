"""What type checkers and linters print, each in its own way."""

from __future__ import annotations

import pytest

from gateline.repairs.checked import read_checked


def ours(path: str) -> str | None:
    """Files below `/project`, or relative ones, are the workspace's."""
    if path.startswith("/project/"):
        return path.removeprefix("/project/")
    return None if path.startswith("/") else path


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        pytest.param(
            'shop.py:4: error: Module has no attribute "jion"  [attr-defined]\nFound 1 error in 1 file\n',
            ("attr-defined", 'Module has no attribute "jion"', "shop.py", 3, 0),
            id="mypy",
        ),
        pytest.param(
            'src/shop.py:4:12:4:16: error: Name "x" is not defined  [name-defined]\n',
            ("name-defined", 'Name "x" is not defined', "src/shop.py", 3, 11),
            id="mypy with columns and ends",
        ),
        pytest.param(
            '  /project/shop.py:4:12 - error: "x" is not defined (reportUndefinedVariable)\n',
            ("reportUndefinedVariable", '"x" is not defined', "shop.py", 3, 11),
            id="pyright",
        ),
        pytest.param(
            "error[unresolved-reference]: Name `x` used when not defined\n --> shop.py:4:12\n  |\n4 | x\n",
            ("unresolved-reference", "Name `x` used when not defined", "shop.py", 3, 11),
            id="ty",
        ),
        pytest.param(
            "shop.py:4:12: error[unresolved-reference] Name `x` used when not defined\n",
            ("unresolved-reference", "Name `x` used when not defined", "shop.py", 3, 11),
            id="ty, concise",
        ),
        pytest.param(
            "F821 Undefined name `x`\n --> shop.py:4:12\n  |\n",
            ("F821", "Undefined name `x`", "shop.py", 3, 11),
            id="ruff",
        ),
        pytest.param(
            "shop.py:4:12: F821 Undefined name `x`\nFound 1 error.\n",
            ("F821", "Undefined name `x`", "shop.py", 3, 11),
            id="ruff, concise, and flake8",
        ),
        pytest.param(
            "invalid-syntax: Expected a parameter\n --> shop.py:1:7\n  |\n",
            ("invalid-syntax", "Expected a parameter", "shop.py", 0, 6),
            id="ruff about a text that does not parse",
        ),
        pytest.param(
            "lib\r\n/usr/lib/os.py:1: error: odd  [misc]\r\n",
            ("misc", "odd", "", 0, 0),
            id="in a file of somebody else, with line ends of Windows",
        ),
    ],
)
def test_an_error_is_read(printed: str, found: tuple[str, str, str, int, int]) -> None:
    (problem,) = read_checked(printed, ours)
    assert problem.span
    assert (problem.type, problem.message, problem.path, problem.line, problem.span.start.column) == found


@pytest.mark.parametrize(
    "printed",
    [
        "Success: no issues found in 3 source files\n",
        'shop.py:4: note: Revealed type is "int"\n',
        "shop.py:12: TypeError\n",
        "tests/test_shop.py:3: AssertionError: error: 4\n",
        "2026-01-02 10:11:12 ERROR F821 is what ruff says\n",
    ],
)
def test_other_lines_are_no_errors_of_a_checker(printed: str) -> None:
    assert read_checked(printed, ours) == ()
