"""Repairs: edits that are proposed, and those that stood the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from gateline.model.problem import Diagnosis, Family, Problem
from gateline.model.span import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters of `span` in a document become `text`."""

    path: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A candidate: edits that may mend a problem. All of its edits are against the same texts."""

    title: str
    """For people, as an order: `Insert the missing ':'`."""
    family: Family
    pattern: str
    edits: tuple[Edit, ...]
    cost: float
    """Lower is likelier. About minus the natural logarithm of how often such a repair is the right one."""
    reason: str = ""
    """Why this may be it, in a sentence."""
    is_guess: bool = False
    """Whether nothing speaks for it but that it fits: then only a test can tell."""


class Proof(IntEnum):
    """How far a repair was verified."""

    V1 = 1
    """It parses, the problem is gone, and nothing new is reported in the document and its importers."""
    V2 = 2
    """And the tests that execute the touched lines pass."""
    V3 = 3
    """And a test that failed before passes now."""


@dataclass(frozen=True, slots=True)
class VerifiedRepair:
    """A repair that kept the house rules and passed verification. Made by `repairs.proof` alone."""

    repair: Repair
    proof: Proof
    digests: tuple[tuple[str, str], ...]
    """The digest of each text that its edits are against, by path: on any other text it means nothing."""


class Knowledge(Protocol):
    """What is known of a workspace and its interpreter. Every answer comes at once, from memory."""

    def text(self, path: str) -> str | None:
        """The present text of a file of the workspace; None when there is none."""

    def paths(self) -> Sequence[str]:
        """All files of the workspace that may be read, sorted."""

    def modules(self) -> Sequence[str]:
        """The modules that can be imported: the workspace's, the standard library's and installed ones."""

    def exports(self, module: str) -> Sequence[str] | None:
        """The public names of a module; None when it cannot be imported or is not known."""

    def homes(self, name: str) -> Sequence[str]:
        """The modules that export `name`, likeliest first."""

    def source(self, module: str) -> str | None:
        """The text that declares a module outside of the workspace: its stub, else its source."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a family is asked to repair, and what it may look at."""

    diagnosis: Diagnosis
    knowledge: Knowledge

    @property
    def problem(self) -> Problem:
        """The problem behind the diagnosis."""
        return self.diagnosis.problem


@dataclass(frozen=True, slots=True)
class Repairer:
    """A family of repairs. Neither function may raise, whatever the text and the message are.

    The docstring of its module is the user's documentation.
    """

    name: str
    codes: frozenset[str]
    """The types of problems it wants to see: exceptions, codes of type checkers and of findings."""
    diagnose: Callable[[Problem, Knowledge], Diagnosis | None]
    """What it makes of a problem; None when it is none of its own."""
    propose: Callable[[Question], Iterator[Repair]]
    """Candidates, cheapest first, each made only when it is asked for."""
