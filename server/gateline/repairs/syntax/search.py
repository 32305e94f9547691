"""The search: changes are tried where the text fails, likeliest first, until the compiler accepts it."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, count
from math import exp, log

from gateline.repairs.syntax.judge import Failure, failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.looks import posterior
from gateline.repairs.syntax.messages import kind_of
from gateline.repairs.syntax.ranking import Features, cost_of, price_of, prior
from gateline.repairs.syntax.rules import (
    brackets,
    characters,
    foreign,
    fstrings,
    headers,
    indentation,
    keywords,
    order,
    pasted,
    quotes,
    single,
    triples,
)
from gateline.repairs.syntax.site import Change, Replacement, Site
from gateline.repairs.syntax.tokens import Kind
from gateline.repairs.syntax.window import Window, windows_around

_CLEARLY = 3
"""A failure so many lines behind a window is one of its own."""
_DOUBTFUL = 3.0
"""A change of this price is one in twenty: what stands around the statement is looked at, too."""
_MODULES = (
    characters,
    pasted,
    headers,
    brackets,
    quotes,
    fstrings,
    indentation,
    keywords,
    foreign,
    order,
    triples,
    single,
)


@dataclass
class Fuel:
    """How much may be parsed, in characters: the same text costs the same on every machine."""

    left: int = 1_500_000

    def burn(self, characters: int) -> bool:
        """Take some; False when there is none left."""
        self.left -= characters + 200
        return self.left > 0


@dataclass(frozen=True)
class Limits:
    """How far a search goes."""

    tried: int = 400
    """Changes at one failure."""
    margin: float = 6.5
    """A change that costs so much more than one that led on is not tried any more."""
    steps: int = 8
    """Changes in one window."""
    windows: int = 12
    """Failures in one text."""
    kept: int = 12
    """Solutions that are compared."""


@dataclass(frozen=True)
class Solution:
    """A text that compiles."""

    text: str
    cost: float
    patterns: tuple[str, ...]
    features: Features


@dataclass(frozen=True)
class Proposal:
    """A change at a failure, with its price."""

    price: float
    change: Change
    features: Features


@dataclass(frozen=True)
class _State:
    text: str
    failure: Failure | None
    features: Features
    patterns: tuple[str, ...] = ()

    @property
    def cost(self) -> float:
        return cost_of(self.features)


def solutions(text: str, fuel: Fuel | None = None, limits: Limits | None = None) -> list[Solution]:
    """Texts near `text` that compile, likeliest first; none, when it compiles already."""
    failure = failure_of(text)
    if failure is None or not layout_of(text).statements:
        return []
    return _Search(fuel or Fuel(), limits or Limits()).run(text, failure)


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


class _Search:
    def __init__(self, fuel: Fuel, limits: Limits) -> None:
        self._fuel = fuel
        self._limits = limits
        self._order = count()
        self._found: dict[tuple[str, Window], list[_State]] = {}

    def run(self, text: str, failure: Failure) -> list[Solution]:
        """Failure after failure; what is likeliest for one is taken first to the next."""
        heap = [(0.0, next(self._order), 0, _State(text, failure, {}))]
        solved: list[_State] = []
        seen = {text}
        while heap and len(solved) < self._limits.kept and self._fuel.left > 0:
            rank, _, depth, state = heapq.heappop(heap)
            if state.failure is None:
                solved.append(state)
            elif depth < self._limits.windows and not (solved and rank > self._limits.margin):
                children = [child for child in self._next(state) if child.text not in seen]
                seen.update(child.text for child in children)
                self._push(heap, rank, depth + 1, children)
        solved.sort(key=lambda state: state.cost)
        return [Solution(s.text, s.cost, s.patterns, s.features) for s in solved]

    def _push(
        self, heap: list[tuple[float, int, int, _State]], rank: float, depth: int, children: list[_State]
    ) -> None:
        """The best child is as good as its parent: what had to be repaired anyway costs nothing."""
        best = min((child.cost for child in children), default=0.0)
        for child in children:
            heapq.heappush(heap, (rank + child.cost - best, next(self._order), depth, child))

    def _next(self, state: _State) -> list[_State]:
        """What the smallest window leads to that leads to anything."""
        assert state.failure is not None
        states: list[_State] = []
        for window in windows_around(state.text, state.failure):
            end = layout_of(state.text).line_at(window.end)
            states += self._judged_as_a_whole(state, window)
            clear = [s for s in states if s.failure is None or s.failure.line > end + _CLEARLY]
            if any(s.features.get("price", 0.0) < _DOUBTFUL for s in clear):
                break
        return states

    def _judged_as_a_whole(self, state: _State, window: Window) -> list[_State]:
        """The text after each local solution, when it leads on."""
        assert state.failure is not None
        text, failure = state.text, state.failure
        states: list[_State] = []
        for local in self._local(text[window.start : window.end], window, failure, text):
            new = text[: window.start] + local.text + text[window.end :]
            if not self._fuel.burn(len(new)) or len(states) >= self._limits.kept:
                break
            after = failure_of(new)
            if after is None or moved_on(text, failure, new, after):
                features = _plus(state.features, local.features)
                states.append(_State(new, after, features, (*state.patterns, *local.patterns)))
        return states

    def _local(self, inner: str, window: Window, failure: Failure, text: str) -> list[_State]:
        key = (inner, window)
        if key not in self._found:
            known = _names_outside(text, window)
            solved = self._window(inner, window, local_failure(inner, window, failure))
            judged = [self._judged(inner, state, window, known) for state in solved]
            self._found[key] = sorted(judged, key=lambda state: state.cost)
        return self._found[key]

    def _window(self, inner: str, window: Window, failure: Failure) -> list[_State]:
        heap = [(0.0, next(self._order), 0, _State(inner, failure, {}))]
        solved: list[_State] = []
        seen = {inner}
        while heap and self._fuel.left > 0:
            rank, _, depth, state = heapq.heappop(heap)
            if depth >= self._limits.steps or (solved and _is_dearer(state, solved)):
                break
            moved: list[_State] = []
            for child in self._tried(state, window, seen):
                (solved if child.failure is None else moved).append(child)
            self._push(heap, rank, depth + 1, moved)
        return solved

    def _judged(self, inner: str, state: _State, window: Window, known: frozenset[str]) -> _State:
        looks = posterior(inner, state.text, known | _known_in(state.text), window.head)
        return _State(state.text, None, _plus(state.features, looks), state.patterns)

    def _tried(self, state: _State, window: Window, seen: set[str]) -> Iterator[_State]:
        """What each change at a failure leads to, when it leads on."""
        assert state.failure is not None
        site = Site(state.text, state.failure)
        best = float("inf")
        for proposal in proposals(site)[: self._limits.tried]:
            if proposal.price > best + self._limits.margin:
                return
            new = applied(state.text, proposal.change.replacements)
            if new is None or new in seen:
                continue
            seen.add(new)
            if not self._fuel.burn(len(new)):
                return
            failure = window.failure(new)
            if failure is not None and not moved_on(state.text, state.failure, new, failure):
                continue
            if failure is None or failure.line > site.statement.end_line + 1:
                best = min(best, proposal.price)
            features = _plus(state.features, {"price": proposal.price, "steps": 1.0})
            yield _State(new, failure, features, (*state.patterns, proposal.change.pattern))


def _is_dearer(state: _State, solved: list[_State]) -> bool:
    """Whether what is still to be repaired cannot become as cheap as what is solved."""
    return state.cost > min(s.cost for s in solved)


def local_failure(inner: str, window: Window, failure: Failure) -> Failure:
    """The failure of a text as its window has it."""
    found = window.failure(inner)
    if found is not None:
        return found
    offset = min(max(failure.offset - window.start, 0), len(inner))
    return failure._replace(offset=offset, line=layout_of(inner).line_at(offset))


def applied(text: str, replacements: tuple[Replacement, ...]) -> str | None:
    """The text after replacements; None when two of them overlap."""
    pieces, last = [], 0
    for start, end, new in sorted(replacements):
        if start < last:
            return None
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


_STRINGS = {"string", "triple"}


def moved_on(old: str, failure: Failure, new: str, after: Failure) -> bool:
    """Whether less of the text is left behind the failure than before, or it is of a later kind."""
    if after.is_late != failure.is_late:
        return after.is_late
    was, now = kind_of(failure), kind_of(after)
    if (was in _STRINGS) != (now in _STRINGS):
        return was in _STRINGS
    if was == now == "unclosed":
        return len(new) - after.offset != len(old) - failure.offset
    return len(new) - after.offset < len(old) - failure.offset


def _plus(*rows: Features) -> Features:
    total: Features = {}
    for row in rows:
        for name, value in row.items():
            total[name] = total.get(name, 0.0) + value
    return total


def _names_outside(text: str, window: Window) -> frozenset[str]:
    tokens = layout_of(text).tokens
    names = (t.text for t in tokens if t.kind is Kind.NAME and not window.start <= t.start < window.end)
    return frozenset(names)


def _known_in(text: str) -> frozenset[str]:
    """Names that a window itself uses more than once."""
    seen = Counter(token.text for token in layout_of(text).tokens if token.kind is Kind.NAME)
    return frozenset(name for name, times in seen.items() if times > 1)
