"""The values that everything here speaks of: chunks, questions, passages, answers.

What a cold start makes by the ten thousand is a named tuple: a frozen dataclass takes five times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import NamedTuple

from gateline.model import Span


class Kind(IntEnum):
    """What a chunk is. The numbers are stored."""

    FUNCTION = 0
    METHOD = 1
    CLASS = 2
    MODULE = 3
    SECTION = 4
    TABLE = 5

    @property
    def label(self) -> str:
        """As people and protocols read it."""
        return self.name.lower()


class Chunk(NamedTuple):
    """A part of a file that is found as one. Lines are zero-based, both ends included."""

    kind: Kind
    name: str
    """Qualified (`Cart.add`); of a section its heading, of a table its key, of a module its dotted name."""
    first: int
    last: int
    signature: str = ""
    docstring: str = ""
    body: str = ""
    """Its text without the docstring; of a class and a module without what other chunks hold."""
    calls: tuple[str, ...] = ()
    """The names that it calls, each once."""
    bases: tuple[str, ...] = ()
    """Of a class: the last parts of the names of its bases."""

    @property
    def short(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2] if self.kind <= Kind.MODULE else self.name

    @property
    def owner(self) -> str:
        """Of a method and an inner class: the qualified name of the class around it."""
        return self.name.rpartition(".")[0] if self.kind <= Kind.CLASS else ""


class Import(NamedTuple):
    """One name that a file imports."""

    module: str
    """Dotted, with its leading dots."""
    name: str
    """What is taken from the module; "" for the module itself, "*" for everything."""
    alias: str
    """By which name the file speaks of it."""


class Cut(NamedTuple):
    """A file as chunks."""

    path: str
    digest: str
    """Of the text that was cut."""
    chunks: tuple[Chunk, ...]
    imports: tuple[Import, ...] = ()


class Want(StrEnum):
    """What is looked for; the others stand behind it, they are not left out."""

    CODE = "code"
    TESTS = "tests"
    DOCS = "docs"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Question:
    """Words or code, perhaps from a place in the workspace."""

    text: str
    path: str = ""
    """The file in which the cursor stands; "" for none."""
    line: int | None = None
    """Zero-based."""
    want: Want = Want.CODE
    limit: int = 20
    """The most passages that are returned."""

    @property
    def has_place(self) -> bool:
        """Whether it is asked from a place in a file."""
        return bool(self.path)


class Hit(NamedTuple):
    """A chunk that was found, before its text is read."""

    path: str
    chunk: Chunk
    """Without docstring and body: they are not kept."""
    score: float
    why: tuple[str, ...]
    """The reasons in words, the weightiest first."""
    digest: str
    """Of the whole file as it was cut."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the workspace that matters, with its reason."""

    path: str
    kind: Kind
    name: str
    span: Span
    text: str
    """What to show; shortened where `shortened` says so, secrets left out."""
    score: float
    why: tuple[str, ...]
    hash: str
    """Of the text in the file, before anything was left out: 32 hexadecimal digits."""
    tokens: int
    """About how many tokens of a language model the text takes."""
    shortened: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The passages, which tiers found them, and what was missing."""

    passages: tuple[Passage, ...]
    tiers: tuple[str, ...]
    degraded: Mapping[str, str] = field(default_factory=dict)
    """Tiers that took no part, each with its reason."""
    tokens: int = 0
    left_out: int = 0
    """Passages that were found and did not fit into the budget."""
