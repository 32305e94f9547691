"""The search: failure after failure is repaired where it stands, until the whole text compiles."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

from gateline.model.source import unmarked
from gateline.repairs.syntax.judge import Failure, failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.local import LocalSearch
from gateline.repairs.syntax.ranking import Features
from gateline.repairs.syntax.state import Fuel, Limits, Queue, State, moved_on
from gateline.repairs.syntax.window import Window, windows_around

_CLEARLY = 3
"""A failure so many lines behind a window is one of its own."""
_DOUBTFUL = 3.0
"""A change of this price is one in twenty: what stands around the statement is looked at, too."""
_FEW, _SHARE = 3, 1.25
"""So many changes are never too many, nor are so many for each line."""
_DEAR, _DEAR_EACH = 14.0, 4.5
"""What costs more than both, in all and for each change, is guessed."""


@dataclass(frozen=True)
class Solution:
    """A text that compiles."""

    text: str
    cost: float
    patterns: tuple[str, ...]
    features: Features


def solutions(text: str, fuel: Fuel | None = None, limits: Limits | None = None) -> list[Solution]:
    """Texts near `text` that compile, likeliest first; none, when it compiles already."""
    failure = failure_of(text)
    if failure is None or not layout_of(text).statements:
        return []
    solved = _Search(fuel or Fuel(), limits or Limits()).run(text, failure)
    return [Solution(s.text, s.cost, s.patterns, s.features) for s in solved if is_credible(text, s)]


def is_credible(text: str, state: State) -> bool:
    """Whether a text that compiles can be what was meant; of what never was Python something compiles, too.

    Not when nothing but comments is left of it, when most of its lines had to be changed, or when no change
    was a likely one.
    """
    changes = len(state.patterns)
    rows = sum(1 for line in text.splitlines() if line.strip())
    is_dear = state.cost > _DEAR and state.cost > _DEAR_EACH * changes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        body = ast.parse(unmarked(state.text)).body
    return bool(body) and changes <= max(_FEW, _SHARE * rows) and not is_dear


class _Search:
    def __init__(self, fuel: Fuel, limits: Limits) -> None:
        self._fuel = fuel
        self._limits = limits
        self._local = LocalSearch(fuel, limits)

    def run(self, text: str, failure: Failure) -> list[State]:
        """What is likeliest for one failure is taken first to the next."""
        queue = Queue(State(text, failure, {}))
        solved: list[State] = []
        seen = {text}
        while queue and len(solved) < self._limits.kept and self._fuel.left > 0:
            rank, depth, state = queue.take()
            if state.failure is None:
                solved.append(state)
            elif depth < self._limits.windows and not (solved and rank > self._limits.margin):
                children = [child for child in self._next(state) if child.text not in seen]
                seen.update(child.text for child in children)
                queue.put(rank, depth + 1, children)
        return sorted(solved, key=lambda state: state.cost)

    def _next(self, state: State) -> list[State]:
        """What the smallest window leads to that leads to anything likely."""
        assert state.failure is not None
        states: list[State] = []
        for window in windows_around(state.text, state.failure):
            end = layout_of(state.text).line_at(window.end)
            states += self._judged(state, window, led_on=bool(states))
            clear = (s for s in states if s.failure is None or s.failure.line > end + _CLEARLY)
            if any(s.price - state.price < _DOUBTFUL for s in clear):
                break
        return states

    def _judged(self, state: State, window: Window, led_on: bool) -> list[State]:
        """The whole text after each local solution, when it leads on."""
        assert state.failure is not None
        text, failure = state.text, state.failure
        states: list[State] = []
        for local in self._local.solutions(text, window, failure, led_on):
            new = text[: window.start] + local.text + text[window.end :]
            if not self._fuel.burn(len(new)) or len(states) >= self._limits.kept:
                break
            after = failure_of(new)
            if after is None or moved_on(text, failure, new, after):
                states.append(state.then(new, after, local.features, *local.patterns))
        return states
