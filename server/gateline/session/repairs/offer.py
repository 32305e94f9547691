"""A repair that is offered in an editor, and what becomes of it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gateline.model import Edit, Proof, Repair, VerifiedRepair, digest_of
from gateline.repairs.choice import chosen, is_clear
from gateline.repairs.edits import apply_all
from gateline.repairs.result import DebugResult
from gateline.session.repairs.records import Happened, Tally

Digests = tuple[tuple[str, str], ...]
"""The digest of each text of a repair, by path."""
_WATCHED = 32
_VERIFIED: Mapping[Proof, str] = {
    Proof.V1: "verified",
    Proof.V2: "verified, tests pass",
    Proof.V3: "verified, fixes the test",
}
"""What stands behind a title: menus have no room for what each degree means."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A verified repair, and the texts that it is for."""

    title: str
    pattern: str
    """The family and the pattern of the repair."""
    proof: Proof
    edits: tuple[Edit, ...]
    preferred: bool
    """It is clearly the likeliest."""
    alone: bool
    """Nothing else was verified."""
    digests: Digests
    """Of the texts that its edits are against."""
    repaired: Digests
    """Of the texts that they lead to."""
    reason: str = ""

    @property
    def label(self) -> str:
        """The title with how far it was verified, as menus show it: `Write sum (verified)`."""
        return f"{self.title} ({_VERIFIED[self.proof]})"


def offers(result: DebugResult, before: Mapping[str, str], tally: Tally) -> tuple[Offer, ...]:
    """The best repair, and the others that stand alone; `before` are the texts it was looked for in."""
    repair = chosen(result)
    if repair is None or result.proof is None:
        return ()
    pattern = pattern_of(repair)
    first = Offer(
        repair.title,
        pattern,
        result.proof,
        result.edits,
        is_clear(result) and tally.is_trusted(pattern),
        not result.alternatives,
        result.digests,
        _digests(result.texts or {}),
        repair.reason,
    )
    # After several iterations the others go on from a text that nobody has.
    others = result.alternatives if result.iterations == 1 else ()
    return (first, *(_other(other, before) for other in others))


def _other(other: VerifiedRepair, before: Mapping[str, str]) -> Offer:
    repair = other.repair
    texts = {path: before[path] for path, _ in other.digests if path in before}
    known = len(texts) == len(other.digests)
    repaired = _digests(apply_all(texts, repair.edits)) if known else ()
    pattern, edits = pattern_of(repair), repair.edits
    return Offer(
        repair.title, pattern, other.proof, edits, False, False, other.digests, repaired, repair.reason
    )


def pattern_of(repair: Repair) -> str:
    """What a repair is counted by."""
    return f"{repair.family.value}/{repair.pattern}"


def _digests(texts: Mapping[str, str]) -> Digests:
    return tuple(sorted((path, digest_of(text)) for path, text in texts.items()))


class Watch:
    """Sees from the texts alone whether an offer was taken, and taken back."""

    def __init__(self) -> None:
        self._offered: dict[tuple[str, str], tuple[str, str]] = {}
        """The digest before and the pattern, by the path and digest that an offer leads to."""
        self._taken: dict[tuple[str, str], str] = {}
        """The pattern, by the path and digest from which a taken offer led."""

    def offered(self, offer: Offer) -> bool:
        """Something was shown; whether that is new."""
        before = dict(offer.digests)
        rows = {(p, digest): (before.get(p, ""), offer.pattern) for p, digest in offer.repaired}
        is_new = bool(rows) and not rows.keys() <= self._offered.keys()
        self._offered |= rows
        for key in list(self._offered)[:-_WATCHED]:
            del self._offered[key]
        return is_new

    def changed(self, path: str, digest: str) -> Iterator[tuple[Happened, str]]:
        """What a new text says of the offers."""
        if (taken := self._offered.pop((path, digest), None)) is not None:
            before, pattern = taken
            self._taken = {(path, before): pattern}
            yield Happened.ACCEPTED, pattern
        elif (pattern := self._taken.pop((path, digest), "")) != "":
            yield Happened.UNDONE, pattern

    def watches(self, path: str) -> bool:
        """Whether a text at a path could say anything."""
        return any(path == key[0] for key in (*self._offered, *self._taken))
