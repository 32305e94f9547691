"""How alike two names are: by slips of the hand, by case, by their words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import OSA

from gateline.repairs.priors import prior

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
FURTHEST = 2
"""Slips: more is another name."""


def slips(one: str, other: str) -> int:
    """Letters added, left out, exchanged or swapped with their neighbour."""
    return OSA.distance(one, other)


def cost(one: str, other: str) -> float | None:
    """How unlikely it is that `one` was written for `other`; None when they are no more alike than chance."""
    if one == other:
        return 0
    if one.lower() == other.lower():
        return prior("analysis.likeness-other-case")
    if plain(one) == plain(other):
        return prior("analysis.likeness-other-underscores")
    far = slips(one.lower(), other.lower())
    most = FURTHEST if min(len(one), len(other)) > 3 else 1
    longest = max(len(one), len(other))
    if far <= most and far < longest:
        # A slip in a long name is no other name.
        short = prior("analysis.likeness-slip-in-short") if min(len(one), len(other)) < 3 else 0
        return (
            prior("analysis.likeness-slip")
            + prior("analysis.likeness-slip-step") * far * min(1, 4 / longest)
            + short
        )
    if _is_plural(one, other) or _is_plural(other, one):
        return prior("analysis.likeness-plural")
    if words(one) == words(other):
        return prior("analysis.likeness-same-words")
    return _shared(one, other)


def is_alike(one: str, other: str) -> bool:
    """Whether spelling alone speaks for one in place of the other."""
    like = cost(one, other)
    # Above it two names share little more than a few letters.
    return like is not None and like <= prior("analysis.likeness-alike-limit")


def plurals(name: str) -> tuple[str, ...]:
    """What people call many of what one is called so."""
    return (f"{name}s", f"{name}es", f"{name[:-1]}ies", f"{name}_list", f"{name}List", f"all_{name}s")


def _is_plural(one: str, other: str) -> bool:
    return other in plurals(one)


def _shared(one: str, other: str) -> float | None:
    """One is the beginning or the end of the other, or they share most of their words."""
    short, long = sorted((plain(one), plain(other)), key=len)
    if len(short) >= 3 and (long.startswith(short) or long.endswith(short)):
        return prior("analysis.likeness-beginning-or-end")
    mine, others = set(words(one)), set(words(other))
    if mine & others and len(mine & others) * 2 >= len(mine | others):
        return prior("analysis.likeness-shared-words")
    near = slips(plain(one), plain(other))
    return prior("analysis.likeness-near") if len(short) > 5 and near <= len(short) // 3 else None


def plain(name: str) -> str:
    """A name without underscores and in lower case."""
    return name.replace("_", "").lower()


def words(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case, without plural endings."""
    return tuple(w.lower().removesuffix("s") for w in _WORD.findall(name))


def likest(name: str, others: Iterable[str]) -> list[tuple[float, str]]:
    """The names that are like another, the likest first, with what they cost."""
    found = [(c, other) for other in set(others) if other != name and (c := cost(name, other)) is not None]
    return sorted(found)
