"""Agreement between candidates: of behaviour on the same inputs, and of the tokens of their texts."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from gateline.ranking.values import Candidate, Pool, Similarity

_WORD = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|[^\w\s]")
_SILENT = frozenset(
    {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
        *(tokenize.ENCODING, tokenize.ENDMARKER),
    }
)
Shingles = frozenset[tuple[str, str]]


def behaves_like(one: Candidate, other: Candidate) -> bool:
    """Whether no input and no test of the other tells two candidates apart, and at least one shows it.

    An error or a time-out never agrees with anything: where both fail, the input says nothing.
    """
    said = {answer for answer in (_answers_alike(one, other), tests_agree(one, other)) if answer is not None}
    return said == {True}


def tests_agree(one: Candidate, other: Candidate) -> bool | None:
    """Whether each passes the new tests that the other brings; None: neither brings one that could run.

    Symmetric, so that nobody gains by tests that others fail.
    """
    found = (one.exchanged.get(other.name), other.exchanged.get(one.name))
    asked = [exchange.is_agreement for exchange in found if exchange is not None and exchange.total]
    return all(asked) if asked else None


def _answers_alike(one: Candidate, other: Candidate) -> bool | None:
    if one.behaviour is None or other.behaviour is None or len(one.behaviour) != len(other.behaviour):
        return None
    answered = [pair for pair in zip(one.behaviour, other.behaviour, strict=True) if pair != (None, None)]
    return all(mine == theirs for mine, theirs in answered) if answered else None


def alike(candidate: Candidate, others: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Those of the others that are not blocked and behave like a candidate."""
    peers = (other for other in others if other.name != candidate.name and not other.blocked)
    return tuple(other for other in peers if behaves_like(candidate, other))


def behavioural(candidate: Candidate, candidates: Sequence[Candidate]) -> float | None:
    """The share of the other unblocked candidates that behave like this one; None: not measured."""
    asked = any(tests_agree(candidate, other) is not None for other in candidates if not other.blocked)
    if candidate.blocked or (candidate.behaviour is None and not asked):
        return None
    peers = sum(not other.blocked and other.name != candidate.name for other in candidates)
    return len(alike(candidate, candidates)) / peers if peers else None


def textual(candidate: Candidate, peers: Iterable[str], pool: Pool) -> float | None:
    """How alike the text of a candidate is to those of others, on average; None without any."""
    found = [pool.alike(candidate.name, name) for name in sorted(peers) if name != candidate.name]
    return sum(found) / len(found) if found else None


def clusters(candidates: Sequence[Candidate]) -> list[int]:
    """The sizes of the groups of candidates that behave alike, the largest first.

    Who was not measured, or answers nothing, is a group of one.
    """
    left, sizes = sorted(candidates, key=lambda one: one.name), []
    while left:
        group = [left[0], *(one for one in left[1:] if behaves_like(left[0], one))]
        sizes.append(len(group))
        taken = {one.name for one in group}
        left = [one for one in left if one.name not in taken]
    return sorted(sizes, reverse=True)


def shingles(text: str) -> Shingles:
    """The pairs of neighbouring tokens of a Python text, without comments and layout.

    What Python's tokenizer does not take is split into words.
    """
    try:
        rows = tokenize.generate_tokens(io.StringIO(text).readline)
        words = [row.string for row in rows if row.type not in _SILENT]
    except (tokenize.TokenError, SyntaxError):
        words = _WORD.findall(text)
    return frozenset(pairwise(words))


def jaccard(one: Shingles, other: Shingles) -> float:
    """The share of the pairs that both have, 0–1; 1 for two texts without any."""
    together = len(one | other)
    return len(one & other) / together if together else 1.0


def similarities(texts: Mapping[str, Shingles]) -> Similarity:
    """How alike the texts of all candidates are, by the names of each two."""
    return {(one, other): jaccard(texts[one], texts[other]) for one, other in combinations(sorted(texts), 2)}
