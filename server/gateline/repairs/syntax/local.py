"""The search in a window: changes at a failure, and at what fails then, until the window parses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gateline.repairs.syntax.judge import Failure
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.looks import posterior
from gateline.repairs.syntax.proposals import applied, proposals
from gateline.repairs.syntax.site import Site
from gateline.repairs.syntax.state import Fuel, Limits, Queue, State, moved_on
from gateline.repairs.syntax.tokens import Kind
from gateline.repairs.syntax.window import Window

_STEP = 2.5
"""The least that one more change costs."""
_SHARE, _SMALL_SHARE = 3, 12
"""A window may use one part in so many of what is left of the fuel; less, when a smaller one led on."""


class LocalSearch:
    """Searches windows, and remembers what it found."""

    def __init__(self, fuel: Fuel, limits: Limits) -> None:
        self._fuel = fuel
        self._limits = limits
        self._found: dict[tuple[str, Window], list[State]] = {}

    def solutions(self, text: str, window: Window, failure: Failure, led_on: bool = False) -> list[State]:
        """What makes a window of `text` parse, likeliest first; `led_on` says that a smaller one did."""
        inner = text[window.start : window.end]
        key = (inner, window)
        if key not in self._found:
            known = _names_outside(text, window) | _common(inner)
            share = _SMALL_SHARE if led_on else _SHARE
            solved = self._search(inner, window, local_failure(inner, window, failure), share)
            looks = (posterior(inner, s.text, known | _common(s.text), window.head) for s in solved)
            judged = [s.then(s.text, None, look) for s, look in zip(solved, looks, strict=True)]
            self._found[key] = sorted(judged, key=lambda state: state.cost)
        return self._found[key]

    def _search(self, inner: str, window: Window, failure: Failure, share: int) -> list[State]:
        queue = Queue(State(inner, failure, {}))
        solved: list[State] = []
        seen = {inner}
        reserve = self._fuel.left - self._fuel.left // share
        for _ in range(self._limits.looked):
            if not queue or self._fuel.left < reserve:
                break
            rank, depth, state = queue.take()
            if depth >= self._limits.steps or (solved and _is_dearer(state, solved)):
                break
            moved: list[State] = []
            for child in self._tried(state, window, seen, reserve):
                (solved if child.failure is None else moved).append(child)
            queue.put(rank, depth + 1, moved)
        return solved

    def _tried(self, state: State, window: Window, seen: set[str], reserve: int) -> Iterator[State]:
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
            if not self._fuel.burn(len(new)) or self._fuel.left < reserve:
                return
            failure = window.failure(new)
            if failure is not None and not moved_on(state.text, state.failure, new, failure):
                continue
            if failure is None or failure.line > site.statement.end_line + 1:
                best = min(best, proposal.price)
            features = {"price": proposal.price, "steps": 1.0}
            yield state.then(new, failure, features, proposal.change.pattern)


def _is_dearer(state: State, solved: list[State]) -> bool:
    """Whether what is still to be repaired cannot become as cheap as what is solved."""
    return state.cost + _STEP > min(s.cost for s in solved)


def local_failure(inner: str, window: Window, failure: Failure) -> Failure:
    """The failure of a text as its window has it."""
    found = window.failure(inner)
    if found is not None:
        return found
    offset = min(max(failure.offset - window.start, 0), len(inner))
    return failure._replace(offset=offset, line=layout_of(inner).line_at(offset))


def _names_outside(text: str, window: Window) -> frozenset[str]:
    tokens = layout_of(text).tokens
    names = (t.text for t in tokens if t.kind is Kind.NAME and not window.start <= t.start < window.end)
    return frozenset(names)


def _common(text: str) -> frozenset[str]:
    """Names that a window itself uses more than once."""
    seen = Counter(token.text for token in layout_of(text).tokens if token.kind is Kind.NAME)
    return frozenset(name for name, times in seen.items() if times > 1)
