"""Which criteria of a specification no step of a plan speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gateline.refinement.verifier.documents import Statement
from gateline.refinement.verifier.references import named, paths
from gateline.refinement.verifier.vocabulary import COMMON, stem, words

_SHARE = 0.5
"""A criterion is spoken of when the plan has this share of its words."""


def uncovered(criteria: Sequence[Statement], plan: Sequence[Statement]) -> Iterator[tuple[int, Statement]]:
    """The criteria that a plan does not cover, with their numbers from 1."""
    numbers = frozenset(number for statement in plan for number in _criteria_named(words(statement.prose)))
    said = frozenset(token for statement in plan for token in _tokens(statement))
    for number, criterion in enumerate(criteria, 1):
        if number not in numbers and not _is_covered(criterion, said):
            yield number, criterion


def _is_covered(criterion: Statement, said: frozenset[str]) -> bool:
    """Whether everything that a criterion names, and enough of its words, are in the plan."""
    needed = set(_names(criterion))
    wanted = set(_tokens(criterion))
    return needed <= said and (not wanted or len(wanted & said) >= _SHARE * len(wanted))


def _names(statement: Statement) -> Iterator[str]:
    """The last parts of the names in a statement, and its files; errors may be told in other words."""
    for code in statement.codes:
        for name in named(code).names:
            last = name.rpartition(".")[2]
            if not last.endswith(("Error", "Exception")) and (
                "_" in last or not named(code).bare or "." in name
            ):
                yield from (stem(word) for word in words(last))
    yield from (path.lower() for path in paths(statement))


def _tokens(statement: Statement) -> Iterator[str]:
    """The words of a statement and of its code, by their stems, without those that every sentence has."""
    for word in words(statement.text):
        inner = [word, *word.split("_")] if "_" in word else [word]
        yield from (stem(one) for one in inner if stem(one) not in COMMON)
    yield from (path.lower() for path in paths(statement))


def _criteria_named(said: Iterable[str]) -> Iterator[int]:
    """The numbers in `criterion 2`, `criteria 1 and 2`, `AC2`."""
    listing = False
    for word in said:
        if word.startswith("ac") and word[2:].isdigit():
            yield int(word[2:])
        elif word in ("criterion", "criteria", "ac"):
            listing = True
        elif listing and word.isdigit():
            yield int(word)
        elif word not in ("and", "to"):
            listing = False
