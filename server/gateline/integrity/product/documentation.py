"""What the pages of a change say that they did not say before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gateline.integrity.change_view import Both
from gateline.model.change import FileChange
from gateline.model.document import Document

_WORD = re.compile(r"[^\W\d_]{3,}")
_IDENTIFIER = re.compile(r"\w{4,}")
_MARKED = re.compile(r"`(\w+)")
"""A name that a page marks as code; short ones may be common words."""
_CODE = re.compile(r"`(?:[\w.]+\.)?(\w+)(?:\([^`]*)?`")
"""The last part of a name that a page marks as code, called or not."""
_MARKED_AT_ALL = re.compile(r"`([^`\n]+)`|^ {4,}(\S.*)$")
_NUMBER = re.compile(r"(?<![\w.:/-])\d+(?:\.\d+)?(?![\w:/-]|\.\d)")
"""A number that is no part of a version or a date."""
_COMMON = frozenset({0.0, 1.0, 2.0})
_THE_SAME = re.compile(
    r"\b(refactor|simplif|unchanged\b|no ([\w-]+ )?changes?\b|clean(ed)?[ -]?up|times (as fast|faster)\b)",
    re.IGNORECASE,
)
"""What is said of code that does what it did."""
_STEM = 5
"""Letters in which two words must begin alike to be about the same."""


@dataclass(frozen=True)
class Pages:
    """The changed documents on both sides."""

    both: Both

    def is_told(self, about: Iterable[str]) -> bool:
        """Whether a page that changed has new words about one of these names."""
        about = list(about)
        if any(name in self._told_names for name in about):
            return True
        words = {
            w.lower() for name in about for w in _WORD.findall(name.replace("_", " ")) if len(w) >= _STEM
        }
        return any(
            told[:_STEM] == word[:_STEM] for word in words for told in self._told_words if len(told) >= _STEM
        )

    def is_named(self, word: str) -> bool:
        """Whether the new lines of a page have a word within something that is marked as code."""
        lines = [line for row in self.both.documents for line in _added(row)]
        marked = [code for line in lines for code in map(" ".join, _MARKED_AT_ALL.findall(line))]
        return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code) for code in marked)

    def has_numbers(self, values: frozenset[str]) -> bool:
        """Whether every number among these values stands on the new lines of a page; there must be some."""
        numbers = {float(value) for value in values if _NUMBER.fullmatch(value)} - _COMMON
        added = "\n".join(line for row in self.both.documents for line in _explaining(row))
        return bool(numbers) and numbers <= {float(text) for text in _NUMBER.findall(added)}

    @cached_property
    def promised(self) -> Mapping[str, str]:
        """By name that pages write as code, `f` or `C.f()`: their new lines about it."""
        found: dict[str, str] = {}
        for line in (line for row in self.both.documents for line in _added(row)):
            for name in _CODE.findall(line):
                found[name] = f"{found.get(name, '')}\n{line}"
        return found

    @cached_property
    def _told_names(self) -> frozenset[str]:
        added = "\n".join(line for row in self.both.documents for line in _explaining(row))
        return frozenset([*_IDENTIFIER.findall(added), *_MARKED.findall(added)])

    @cached_property
    def _told_words(self) -> frozenset[str]:
        added = (line for row in self.both.documents for line in _explaining(row))
        return frozenset(word.lower() for line in added for word in _WORD.findall(line))


def _explaining(row: FileChange) -> Iterator[str]:
    """The new lines that can tell of another behaviour: not those that say that it is the same."""
    return (line for line in _added(row) if not _THE_SAME.search(line))


def _added(row: FileChange) -> Iterator[str]:
    return added_lines(row.base, row.current)


def added_lines(base: Document | None, now: Document | None) -> Iterator[str]:
    """The lines of a text that its base does not have."""
    known = set(base.text.splitlines()) if base else set[str]()
    return (line for line in now.text.splitlines() if line not in known) if now else iter(())
