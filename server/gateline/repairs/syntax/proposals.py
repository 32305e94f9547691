"""What the rules propose at a failure, each with its price."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from math import exp, log

from gateline.repairs.syntax.ranking import Features, price_of, prior
from gateline.repairs.syntax.rules import (
    brackets,
    characters,
    declarations,
    foreign,
    fstrings,
    headers,
    indentation,
    keywords,
    misplaced,
    order,
    pasted,
    quoted,
    quotes,
    single,
    triples,
)
from gateline.repairs.syntax.site import Change, Replacement, Site

_MODULES = (
    characters,
    pasted,
    quoted,
    headers,
    brackets,
    quotes,
    fstrings,
    indentation,
    keywords,
    foreign,
    order,
    misplaced,
    declarations,
    triples,
    single,
)


@dataclass(frozen=True)
class Proposal:
    """A change at a failure, with its price."""

    price: float
    change: Change
    features: Features


def proposals(site: Site) -> list[Proposal]:
    """What the rules propose at a failure, cheapest first."""
    if not site.layout.statements:
        return []
    found = []
    for module in _MODULES:
        group = module.__name__.rpartition(".")[2]
        for change in chain.from_iterable(rule(site) for rule in module.RULES):
            features = prior(site, change, group)
            found.append(Proposal(price_of(features), change, features))
    return sorted(_normal(found), key=lambda proposal: proposal.price)


def _normal(found: list[Proposal]) -> list[Proposal]:
    """Prices as minus the logarithm of a share: what is likely costs nearly nothing."""
    least = min((proposal.price for proposal in found), default=0.0)
    total = sum(exp(least - proposal.price) for proposal in found)
    return [replace(p, price=p.price - least + log(total)) for p in found]


def applied(text: str, replacements: tuple[Replacement, ...]) -> str | None:
    """The text after replacements; None when two of them overlap."""
    pieces, last = [], 0
    for start, end, new in sorted(replacements):
        if start < last:
            return None
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])
