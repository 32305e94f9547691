"""The search: changes are tried where the text fails, likeliest first, until the compiler accepts it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count

from gateline.repairs.syntax.judge import Failure, failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.ranking import Features, cost, posterior, prior
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
)
from gateline.repairs.syntax.site import Change, Replacement, Site
from gateline.repairs.syntax.tokens import Kind
from gateline.repairs.syntax.window import Window, window_around

Rule = Callable[[Site], Iterator[Change]]

RULES: tuple[Rule, ...] = (
    *characters.RULES,
    *pasted.RULES,
    *headers.RULES,
    *brackets.RULES,
    *quotes.RULES,
    *fstrings.RULES,
    *indentation.RULES,
    *keywords.RULES,
    *foreign.RULES,
    *order.RULES,
    *single.RULES,
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
    margin: float = 4.0
    """A change that costs so much more than one that worked is not tried any more."""
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
    features: Features = field(default_factory=dict)


@dataclass(frozen=True)
class _State:
    text: str
    failure: Failure | None
    features: Features
    patterns: tuple[str, ...] = ()


def solutions(text: str, fuel: Fuel | None = None, limits: Limits | None = None) -> list[Solution]:
    """Texts near `text` that compile, likeliest first; none, when it compiles already."""
    failure = failure_of(text)
    if failure is None or not layout_of(text).statements:
        return []
    return _Search(fuel or Fuel(), limits or Limits()).run(text, failure)


class _Search:
    def __init__(self, fuel: Fuel, limits: Limits) -> None:
        self._fuel = fuel
        self._limits = limits
        self._order = count()
        self._found: dict[tuple[str, Window], list[_State]] = {}

    def run(self, text: str, failure: Failure) -> list[Solution]:
        """Failure after failure; what is likeliest for one is taken first to the next."""
        heap = [(0.0, 0, next(self._order), _State(text, failure, {}))]
        solved: list[Solution] = []
        seen = {text}
        while heap and len(solved) < self._limits.kept and self._fuel.left > 0:
            rank, depth, _, state = heapq.heappop(heap)
            if state.failure is None:
                solved.append(Solution(state.text, cost(state.features), state.patterns, state.features))
                continue
            if depth >= self._limits.windows or (solved and rank > self._limits.margin):
                continue
            children = [c for c in self._next(state) if c.text not in seen]
            seen.update(c.text for c in children)
            best = min((cost(c.features) for c in children), default=0.0)
            for child in children:
                delta = rank + cost(child.features) - best
                heapq.heappush(heap, (delta, depth + 1, next(self._order), child))
        return sorted(solved, key=lambda s: s.cost)

    def _next(self, state: _State) -> list[_State]:
        """The text after each local solution, judged as a whole."""
        assert state.failure is not None
        text, failure = state.text, state.failure
        window = window_around(text, failure)
        inner = text[window.start : window.end]
        states = []
        for local in self._local(inner, window, failure, text):
            new = text[: window.start] + local.text + text[window.end :]
            if not self._fuel.burn(len(new)):
                break
            after = failure_of(new)
            if after is not None and not _moved_on(text, failure, new, after):
                continue
            states.append(
                _State(new, after, _plus(state.features, local.features), (*state.patterns, *local.patterns))
            )
            if len(states) >= self._limits.kept:
                break
        return states

    def _local(self, inner: str, window: Window, failure: Failure, text: str) -> list[_State]:
        key = (inner, window)
        if key not in self._found:
            known = _names_outside(text, window)
            self._found[key] = list(self._window(inner, window, failure, known))
        return self._found[key]

    def _window(self, inner: str, window: Window, failure: Failure, known: frozenset[str]) -> list[_State]:
        first = window.failure(inner) or failure._replace(
            offset=failure.offset - window.start, line=layout_of(inner).line_at(failure.offset - window.start)
        )
        heap = [(0.0, next(self._order), 0, _State(inner, first, {}))]
        solved: list[_State] = []
        seen = {inner}
        while heap and self._fuel.left > 0:
            rank, _, depth, state = heapq.heappop(heap)
            if depth >= self._limits.steps or (solved and rank > self._limits.margin):
                break
            moved: list[_State] = []
            for child in self._tried(state, window, seen, bool(solved)):
                (solved if child.failure is None else moved).append(child)
            best = min((cost(c.features) for c in moved), default=0.0)
            for child in moved:
                heapq.heappush(
                    heap, (rank + cost(child.features) - best, next(self._order), depth + 1, child)
                )
            if solved and depth == 0:
                break
        done = [self._judged(inner, s, window, known) for s in solved]
        return sorted(done, key=lambda s: cost(s.features))

    def _judged(self, inner: str, state: _State, window: Window, known: frozenset[str]) -> _State:
        after = posterior(inner, state.text, known | _known_in(state.text), window.is_indented)
        return _State(state.text, None, _plus(state.features, after), state.patterns)

    def _tried(self, state: _State, window: Window, seen: set[str], has_solution: bool) -> Iterator[_State]:
        """What each change at a failure leads to, when it leads on."""
        assert state.failure is not None
        site = Site(state.text, state.failure)
        best: float | None = None
        for price, change in _ranked(site)[: self._limits.tried]:
            if best is not None and price > best + self._limits.margin:
                return
            new = applied(state.text, change.replacements)
            if new is None or new in seen:
                continue
            seen.add(new)
            if not self._fuel.burn(len(new)):
                return
            failure = window.failure(new)
            if failure is None:
                best = price if best is None else min(best, price)
            elif not _moved_on(state.text, state.failure, new, failure):
                continue
            features = _plus(state.features, prior(site, change), {"steps": 1.0})
            yield _State(new, failure, features, (*state.patterns, change.pattern))


def _ranked(site: Site) -> list[tuple[float, Change]]:
    if not site.layout.statements:
        return []
    rows = [(cost(prior(site, change)), change) for change in chain.from_iterable(r(site) for r in RULES)]
    return sorted(rows, key=lambda row: row[0])


def applied(text: str, replacements: tuple[Replacement, ...]) -> str | None:
    """The text after replacements; None when two of them overlap."""
    pieces, last = [], 0
    for start, end, new in sorted(replacements):
        if start < last:
            return None
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


def _moved_on(old: str, failure: Failure, new: str, after: Failure) -> bool:
    """Whether less of the text is left behind the failure than before."""
    if after.is_late and not failure.is_late:
        return True
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
    """Names that a window itself uses more than once, or binds."""
    seen: dict[str, int] = {}
    for token in layout_of(text).tokens:
        if token.kind is Kind.NAME:
            seen[token.text] = seen.get(token.text, 0) + 1
    return frozenset(name for name, times in seen.items() if times > 1)
