"""The positions that are asked about: drawn from a package, of each kind that names alone cannot tell."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gateline_dev.resolving.truth import Reference

KINDS = ("same-named", "inherited", "attribute", "re-exported", "name")
_SEED = 28


def kind_of(one: Reference, targets: Mapping[str, int]) -> str:
    """Why a name is hard: several classes have it, a base has it, a front hands it on."""
    if one.is_member and targets[one.name] > 1:
        return "same-named"
    if one.is_member and one.receiver != one.target:
        return "inherited"
    if one.is_member:
        return "attribute"
    return "re-exported" if one.receiver != one.target else "name"


def drawn(rows: Sequence[Reference], most: int) -> list[tuple[str, Reference]]:
    """About as many calls of each kind, `most` together; each with its kind."""
    targets = ambiguity(rows)
    by_kind: dict[str, list[Reference]] = defaultdict(list)
    for one in rows:
        if one.is_called and not one.name.startswith("__"):
            by_kind[kind_of(one, targets)].append(one)
    chance = random.Random(_SEED)
    for found in by_kind.values():
        chance.shuffle(found)
    taken: list[tuple[str, Reference]] = []
    while len(taken) < most and any(by_kind.values()):
        taken += [(kind, by_kind[kind].pop()) for kind in KINDS if by_kind[kind]]
    return taken[:most]


def called(rows: Sequence[Reference], most: int) -> list[Reference]:
    """Definitions whose name others have, too, and that somebody calls: one reference to each."""
    targets = ambiguity(rows)
    found = {one.target: one for one in rows if one.is_called and targets[one.name] > 1}
    chosen = sorted(found.values())
    random.Random(_SEED).shuffle(chosen)
    return chosen[:most]


def ambiguity(rows: Iterable[Reference]) -> Counter[str]:
    """By name, how many definitions of it anybody means."""
    return Counter(name for name, _ in {(one.name, one.target) for one in rows})
