"""What a house rule sees: the texts before and after a repair."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gateline.model import Document, Problem, Source
from gateline.repairs.narrowing import narrowed

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


@lru_cache(maxsize=16)
def words(text: str) -> tuple[str, ...]:
    """The tokens of any text, broken ones included, without comments, line ends and indentation."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    found = []
    reader = io.StringIO(text, newline=None).readline
    try:
        found = [t.string for t in tokenize.generate_tokens(reader) if t.type not in skipped]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return tuple(text.split())
    return tuple(w for w in found if w.strip())
