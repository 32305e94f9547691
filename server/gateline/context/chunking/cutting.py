"""From a file to its chunks."""

from __future__ import annotations

from gateline.context.values import Chunk, Cut, Import
from gateline.model.document import Document

_PYTHON = (".py", ".pyi", ".pyw")
_MARKDOWN = (".md", ".markdown", ".mdx")
_TABLES = (".toml", ".cfg", ".ini", ".yml", ".yaml")
_ENDS = (*_PYTHON, *_MARKDOWN, *_TABLES)
_READABLE = frozenset(_ENDS)
RECIPE = 1
"""Counts how chunks and tokens are made: what was stored by another recipe is made anew."""


def is_readable(path: str) -> bool:
    """Whether files of this name are cut at all."""
    # The ends first: of ten thousand paths they tell most that are not.
    return path.lower().endswith(_ENDS) and _suffix(path) in _READABLE


def prepare() -> None:
    """Make the patterns that the next file may want, when nobody waits for an answer."""
    from gateline.context.chunking import markdown, python, tables  # noqa: F401 - importing them makes the patterns


def cut(document: Document) -> Cut:
    """The chunks of a document. Whatever the text is, it does not fail."""
    chunks, imports = _chunks(document.path, document.text)
    return Cut(document.path, document.digest, tuple(chunks), imports)


def _chunks(path: str, text: str) -> tuple[list[Chunk], tuple[Import, ...]]:
    """Patterns take a while to make: those of a kind are, once a file of it is to be cut."""
    suffix = _suffix(path)
    if suffix in _PYTHON:
        from gateline.context.chunking import python

        return python.cut(path, text)
    if suffix in _MARKDOWN:
        from gateline.context.chunking import markdown

        return markdown.cut(path, text), ()
    from gateline.context.chunking import tables

    return tables.cut(path, text), ()


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
