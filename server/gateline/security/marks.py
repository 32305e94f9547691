"""`# nosec`, and ruff's `# noqa: S602`: what they leave out, and which of them the change itself adds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateline.model import Source
from gateline.security.ruff_settings import covers

_WORDS = ("nosec", "noqa")
_NOQA = re.compile(
    r"#\s*(?P<file>(?:ruff|flake8):\s*)?noqa:\s*(?P<codes>[A-Z]+\d*(?:[,\s]+[A-Z]+\d+)*)", re.IGNORECASE
)
_S_CODE = re.compile(r"(?<![A-Z])S\d*(?![A-Z])")


@dataclass(frozen=True, slots=True)
class Mark:
    """One comment: the zero-based line (None: the whole file), the ids or codes it names (empty: all)."""

    line: int | None
    names: frozenset[str]
    text: str
    is_new: bool = False

    def covers(self, test: str, lines: range) -> bool:
        """Whether it leaves out a test, by its id, that was found on these lines."""
        if self.line is not None and self.line not in lines:
            return False
        return not self.names or any(name == test or covers(name, test) for name in self.names)


def marks(source: Source, base: Source | None, *, added: bool) -> list[Mark]:
    """The marks of a document. Without a base they are new where the change adds the document.

    One is old where the base has the same on the same line of code, or in the same function.
    """
    found = [*_marks(source)]
    if not found or base is None:
        return [_with_novelty(mark, is_new=added) for mark, _, _ in found]
    before = [*_marks(base)]
    lines = Counter((mark.names, code) for mark, code, _ in before)
    symbols = Counter((mark.names, symbol) for mark, _, symbol in before)
    known: list[Mark] = []
    for mark, code, symbol in sorted(found, key=lambda row: lines[row[0].names, row[1]] <= 0):
        is_old = lines[mark.names, code] > 0 or symbols[mark.names, symbol] > 0
        lines[mark.names, code] -= 1
        symbols[mark.names, symbol] -= 1
        known.append(_with_novelty(mark, is_new=not is_old))
    return known


def _with_novelty(mark: Mark, *, is_new: bool) -> Mark:
    return Mark(mark.line, mark.names, mark.text, is_new)


def _marks(source: Source) -> Iterator[tuple[Mark, str, str]]:
    """Each mark with the code that it stands on and the function around it."""
    if not any(word in source.text for word in _WORDS):
        return
    for comment in source.comments:
        line = comment.span.start.line
        code, symbol = source.line(line)[: comment.span.start.column].strip(), source.symbol_at(line)
        for mark in _read(line, comment.text):
            yield mark, code, symbol


def _read(line: int, comment: str) -> Iterator[Mark]:
    if "nosec" in comment:
        from bandit.core.manager import _parse_nosec_comment

        tests = _parse_nosec_comment(comment)
        if tests is not None:
            yield Mark(line, frozenset(tests), "# nosec")
    if (found := _NOQA.search(comment)) is not None:
        codes = frozenset(_S_CODE.findall(found["codes"].upper()))
        if codes:
            yield Mark(None if found["file"] else line, codes, "# noqa")


def over(found: Iterable[Mark], test: str, lines: range) -> Mark | None:
    """The mark that leaves out a test on these lines; an old one, if there is any."""
    covering = [mark for mark in found if mark.covers(test, lines)]
    return min(covering, key=lambda mark: mark.is_new, default=None)
