"""What a house rule sees: the texts before and after a repair."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gateline.model import Document, Problem, Source
from gateline.model.document import split_lines
from gateline.repairs.narrowing import narrowed
from gateline.repairs.syntax.tokens import Kind, read_tokens

Protected = Callable[[str], bool]
"""Whether the shell says that a path must not be edited, beyond what is protected everywhere."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A house rule that a repair would break."""

    rule: str
    """In kebab-case."""
    reason: str


@dataclass(frozen=True, slots=True)
class Case:
    """A repair in the eyes of the rules: texts by path before and after it, and the problem it is for."""

    problem: Problem
    before: Mapping[str, str]
    after: Mapping[str, str]
    protected: Protected

    def python(self) -> Iterator[tuple[str, Source, Source]]:
        """The changed Python files, before and after; what is the same in both may be left out."""
        for path, text in self.after.items():
            if path.endswith((".py", ".pyi")):
                before, after = compared(path, self.before[path], text)
                yield path, source(path, before), source(path, after)


@lru_cache(maxsize=16)
def compared(path: str, before: str, after: str) -> tuple[str, str]:
    """Two texts of a file without the statements that are the same in both."""
    return narrowed(source(path, before), after) or (before, after)


@lru_cache(maxsize=16)
def source(path: str, text: str) -> Source:
    """The text with its tree and tokens; the text before is the same for many candidates."""
    return Source(Document(path, text))


def nodes(tree: ast.AST | None) -> Iterator[ast.AST]:
    """All nodes of a tree; none of a text that does not parse."""
    return iter(()) if tree is None else ast.walk(tree)


def words(text: str) -> tuple[str, ...]:
    """The tokens of any text, broken ones included, without comments and line ends."""
    return tuple(t.text for t in read_tokens(text) if t.kind not in {Kind.COMMENT, Kind.NEWLINE})


class Differing(NamedTuple):
    """The lines between what two texts begin with and end with alike."""

    before: str
    after: str
    lines: range
    """Of the text after, zero-based."""


@lru_cache(maxsize=16)
def differing(before: str, after: str) -> Differing:
    """Where two texts differ."""
    old, new = split_lines(before), split_lines(after)
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    tail = next((n for n in range(most - head) if old[-1 - n] != new[-1 - n]), most - head)
    lines = range(head, len(new) - tail)
    return Differing("".join(old[head : len(old) - tail]), "".join(new[head : lines.stop]), lines)
