"""What makes one repair likelier than another: its pattern, its place, and what it leaves behind.

Before a change is tried it has a price: minus the logarithm of how often such a change, after such a message
and in such a place, is the right one. What compiles is then ranked by its price and by what it looks like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from gateline.repairs.syntax.site import Change, Site
from gateline.repairs.syntax.tokens import Kind, read_tokens
from gateline.repairs.syntax.weights import DEFAULT, weights

Features = dict[str, float]
_NEAR = 6
_FAR = 40
_MOST = 6


class Weights:
    """The weights in use; learning puts others in their place."""

    prior: Mapping[str, float] = weights("prior")
    posterior: Mapping[str, float] = weights("posterior")


def prior(site: Site, change: Change, group: str) -> Features:
    """What is known of a change before it is tried; `group` is the kind of rule that proposes it."""
    kind = site.kind
    found: Features = {
        f"p {change.pattern}": 1.0,
        f"m {kind} {change.pattern}": 1.0,
        f"g {kind} {group}": 1.0,
    }
    if change.token >= 0:
        found[f"b {site.bracket_at(change.token)} {change.pattern}"] = 1.0
        found[f"w {site.first_word(change.token)} {change.pattern}"] = 1.0
        away = change.token - site.at
        distance = abs(away)
        found["distance"] = min(distance, _NEAR)
        found["far"] = min(max(distance - _NEAR, 0), _FAR)
        found["behind"] = float(away > 0)
        found["lines"] = min(abs(site.tokens[change.token].line - site.tokens[site.at].line), _MOST)
    added, removed = _weight(site, change)
    found["added"], found["removed"] = min(added, _MOST), min(removed, _MOST)
    return found


def _weight(site: Site, change: Change) -> tuple[int, int]:
    """How many tokens it adds and takes away."""
    added = removed = 0
    for start, end, text in change.replacements[:_MOST]:
        if start == end and len(text) == 1:
            added += 1
            continue
        new, old = _words(text), _words(site.text[start:end])
        same = sum((new & old).values())
        added += sum(new.values()) - same
        removed += sum(old.values()) - same
    return added, removed


@lru_cache(maxsize=2048)
def _words(text: str) -> Counter[str]:
    if not text.strip():
        return Counter()
    return Counter(t.text for t in read_tokens(text) if t.kind is not Kind.NEWLINE)


def price_of(features: Mapping[str, float]) -> float:
    """The price of a change."""
    known = Weights.prior
    total = sum(value * known.get(name, 0.0) for name, value in features.items())
    pattern = next(iter(features), "")
    return total if pattern in known else total + DEFAULT


def cost_of(features: Mapping[str, float]) -> float:
    """The cost of a text that compiles."""
    known = Weights.posterior
    return sum(value * known.get(name, 0.0) for name, value in features.items())
