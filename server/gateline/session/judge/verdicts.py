"""The newest verdict on the change, and those before it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

from gateline.gates.trajectory import trajectory
from gateline.model import Change, Evaluation, FunctionChange, Level, Outcome, Progress, Score
from gateline.model.evaluation import Trajectory
from gateline.session.live.history import History, HistoryEntry
from gateline.session.live.status import WORKING, StatusUpdate, failed, status_of, unchanged
from gateline.session.tests.testing import Tested

log = logging.getLogger(__name__)


class Verdicts:
    """The evaluations of one session, and what is told of them."""

    def __init__(
        self, tell_status: Callable[[StatusUpdate], None], now: Callable[[], float] = time.time
    ) -> None:
        self._tell = tell_status
        self._now = now
        self._history = History()
        self._previous: Score | None = None
        """That of the evaluation before the current one."""
        self._last = WORKING
        """What was told last of a verdict, not merely of work; nothing was yet: that work is under way."""
        self.current: Evaluation | None = None
        self._asked: tuple[Evaluation, tuple[Change, Tested]] | None = None
        """The one that somebody asked for, and what it was made of; None once something was edited."""
        self.asked_look = -1
        """The number of the look that the newest of those came of."""
        self._early: dict[bool, Evaluation] = {}
        """The newest at early: that which was inferred, and (True) that which was said or counted."""

    def asked(self, evaluation: Evaluation, change: Change, tested: Tested, look: int) -> None:
        """Somebody asked for a verdict: it holds while it is the newest, of the same content.

        `look`: the number of the look at the change that it came of; later ones have greater numbers.
        """
        self._asked = evaluation, (change, tested)
        self.asked_look = look

    def edited(self) -> None:
        """A document was edited: what was asked for was of another text."""
        self._asked = None

    def holding(self, level: Level) -> tuple[Change, Tested] | None:
        """What the newest verdict was made of, if somebody asked for it at this checkpoint or a later one.

        None once something was edited. It knows more than one that nobody asked for.
        """
        if self._asked is None or self._asked[0] is not self.current:
            return None
        return self._asked[1] if self._asked[0].level.rank >= level.rank else None

    def take(self, evaluation: Evaluation) -> Trajectory | None:
        """Make an evaluation of the change the current one, and tell it; how its score moved since early."""
        if self.current is not None and evaluation is not self.current:
            self._previous = self.current.score
        self.current = evaluation
        if not evaluation.changed:
            self._early.clear()  # the next change has nothing in common with this one
        elif evaluation.level is Level.EARLY and evaluation.decision.outcome is not Outcome.FAST_FAIL:
            self._early[evaluation.progress is not Progress.INFERRED] = evaluation
        moved = self.trajectory(evaluation)
        if evaluation.changed:
            self._history.add(evaluation, self._now(), moved)
        self._tell_verdict(status_of(evaluation, self._previous, moved))
        return moved

    def announce(self, evaluation: Evaluation) -> Trajectory | None:
        """Tell an evaluation while a part is still looked at: no history and no later delta knows of it."""
        moved = self.trajectory(evaluation)
        previous = None if self.current is None else self.current.score
        self._last = status_of(evaluation, previous, moved)
        self._tell(replace(self._last, working=True))
        return moved

    def trajectory(self, middle: Evaluation) -> Trajectory | None:
        """How the score moved since early, and what that advises; None for other checkpoints than middle.

        An early checkpoint that somebody said or counted goes before one that was inferred. Of a text that
        did not parse nothing can be told.
        """
        early = self._early.get(True) or self._early.get(False)
        if middle.level is not Level.MIDDLE or early is None or middle.thresholds is None:
            return None
        if early.base != middle.base:
            return None
        weaker = max(early.progress, middle.progress, key=list(Progress).index)
        return trajectory(middle.thresholds, early.score, middle.score, weaker)

    @contextmanager
    def working(self, change: Change) -> Iterator[None]:
        """Tell that work is under way, beside what was said last; where that ends early, that again.

        Where nothing differs from the base, tell that nothing is judged.
        """
        if change.files or change.others or change.limits:
            self._tell(replace(self._last, working=True))
        elif self.current is None or self.current.changed:
            self._tell_verdict(unchanged(change.base_label))
        try:
            yield
        except BaseException:
            self.keep()
            raise

    def keep(self) -> None:
        """Tell again what was said last: work that was under way came to nothing new."""
        self._tell(self._last)

    def shows(self, paths: Collection[str]) -> bool:
        """Whether the current verdict has findings in one of these files."""
        return self.current is not None and any(f.path in paths for f in self.current.findings)

    def failed(self, problem: str) -> None:
        """Tell that the change could not be judged, and why; what was said last is out of date."""
        log.info("the change could not be judged: %s", problem)
        self._asked = None
        self._tell_verdict(failed(problem))

    def _tell_verdict(self, update: StatusUpdate) -> None:
        self._last = update
        self._tell(update)

    def function_change(self, path: str, line: int) -> FunctionChange | None:
        """Before and after of the changed function that starts on a line."""
        rows = self.current.functions if self.current else ()
        return next((row for row in rows if row.path == path and row.line == line), None)

    def points(self, identity: str) -> float | None:
        """What the score would win without a finding; None when the last evaluation does not say."""
        actions = self.current.actions if self.current else ()
        return next((action.points for action in actions if identity and action.finding == identity), None)

    def entries(self) -> tuple[HistoryEntry, ...]:
        """All evaluations, oldest first."""
        return self._history.entries()
