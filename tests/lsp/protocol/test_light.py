"""The protocol's classes are made in another way than attrs makes them, and do the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SHOWS = """
import attrs
from lsprotocol import types as lsp

def a_range(end=2):
    return lsp.Range(lsp.Position(0, 1), lsp.Position(0, end))

def a_diagnostic(message="m", end=2):
    return lsp.Diagnostic(a_range(end), message, severity=lsp.DiagnosticSeverity.Error, data={"id": 1})

print(sum(attrs.has(made) for made in vars(lsp).values() if isinstance(made, type)))
for made in (a_range(), a_diagnostic(), lsp.TextEdit(a_range(), "new"), lsp.InitializedParams()):
    print(made, hasattr(made, "__dict__"), type(made).__hash__)
print(a_diagnostic() == a_diagnostic(), a_diagnostic() != a_diagnostic())
print(a_diagnostic() == a_diagnostic("n"), a_diagnostic() == a_diagnostic(end=3), a_diagnostic() != 1)
print(lsp.TextEdit(a_range(), "new") == lsp.InsertReplaceEdit("new", a_range(), a_range()))
print(lsp.Position(0, 1) < lsp.Position(1, 0), lsp.Position(0, 1) == lsp.Position(0, 1))
"""
_MADE_BY = {"attrs": "", "light": "from gateline.lsp import light\nlight.load()\n"}


def _said(before: str) -> str:
    run = subprocess.run([sys.executable, "-c", before + _SHOWS], capture_output=True, text=True, check=True)
    return run.stdout


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What each way of making the classes lets them say."""
    return {way: _said(before) for way, before in _MADE_BY.items()}


def test_the_classes_say_and_compare_the_same(said: dict[str, str]) -> None:
    assert said["light"] == said["attrs"]
    assert "Diagnostic(range=0:1-0:2, message='m'" in said["light"]


def test_attrs_is_left_as_it_was() -> None:
    check = "import attrs; before = attrs.define\n" + _MADE_BY["light"] + "assert attrs.define is before"
    subprocess.run([sys.executable, "-c", check], check=True)
