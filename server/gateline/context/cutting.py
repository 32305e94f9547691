"""From a file to its chunks."""

from __future__ import annotations

from gateline.context import markdown, python, tables
from gateline.context.values import Cut
from gateline.model.document import Document

_PYTHON = (".py", ".pyi", ".pyw")
_MARKDOWN = (".md", ".markdown", ".mdx")
_TABLES = (".toml", ".cfg", ".ini", ".yml", ".yaml")
_READABLE = frozenset((*_PYTHON, *_MARKDOWN, *_TABLES))
RECIPE = 1
"""Counts how chunks and tokens are made: what was stored by another recipe is made anew."""


def is_readable(path: str) -> bool:
    """Whether files of this name are cut at all."""
    return _suffix(path) in _READABLE


def cut(document: Document) -> Cut:
    """The chunks of a document. Whatever the text is, it does not fail."""
    path, text = document.path, document.text
    suffix = _suffix(path)
    if suffix in _PYTHON:
        chunks, imports = python.cut(path, text)
        return Cut(path, document.digest, tuple(chunks), imports)
    found = markdown.cut(path, text) if suffix in _MARKDOWN else tables.cut(path, text)
    return Cut(path, document.digest, tuple(found))


def _suffix(path: str) -> str:
    """Like that of a `PurePosixPath`, which takes long to make for tens of thousands."""
    name = path.rpartition("/")[2]
    stem, dot, end = name.rpartition(".")
    return f".{end.lower()}" if dot and stem and end else ""


def is_test(path: str) -> bool:
    """Whether a path is where tests stand."""
    *folders, name = path.split("/")
    return (
        any(part in ("test", "tests") for part in folders)
        or name.startswith("test_")
        or name.endswith("_test.py")
        or name in ("conftest.py", "tests.py")
    )
