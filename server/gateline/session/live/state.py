"""What is known of the documents of a workspace while they are edited, and what a client is shown of it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from gateline.model import Document, Evaluation, Level, Novelty
from gateline.model.evaluation import Trajectory
from gateline.session.live.board import CLOSED, Board
from gateline.session.live.documents import Documents
from gateline.session.live.notices import (
    Notices,
    not_analysed,
    of_closed,
    of_gate,
    of_regression,
    of_trajectory,
    of_verdict,
)
from gateline.session.live.options import Published, SessionOptions
from gateline.session.live.stages import ALL, Stages
from gateline.worklog.scored import Regression

_GATE = "gate"
"""The source of the gate's own result."""
_OF_WHOLE = ("verdict", _GATE, "trajectory", "regression")
"""The sources of what only a whole evaluation knows."""


class LiveState:
    """Owns the open documents, the newest findings, how far each text was analysed, and the level.

    It is made once for a session and handed over as a whole. Whoever changes findings calls `show`, which
    publishes those of one document, open or not.
    """

    def __init__(self, options: SessionOptions, publish: Callable[[Published], None]) -> None:
        self.documents = Documents()
        self.board = Board()
        self.stages = Stages()
        self.level = Level.EARLY
        """The checkpoint that follows from what happened last: an edit or a save."""
        self._is_final = False
        """Whether what is shown was judged at final, and nothing was edited since."""
        self._is_blocking = False
        """Whether the gate's own result is shown."""
        self._options = options
        self._publish = publish

    def show(self, path: str) -> None:
        """Publish what is known of a document now.

        Until a version was parsed there is nothing of it to publish: whoever reads an answer for
        that version would take an older text's errors for its own. Parsing shows it in any case.
        """
        document = self.documents.get(path)
        if document is not None:
            if not self.stages.reached(document, "syntax"):
                return
            if self.stages.began(path, ALL):
                # From now on its own analysis tells what the verdict told of the closed file.
                self.board.put(path, CLOSED, ())
        found = tuple(f for f in self.board.merged(path) if self._options.draws(f))
        level = Level.FINAL if self._is_final else self.level
        self._publish(Published(path, document.version if document else None, found, level))

    def edited(self) -> None:
        """A document was edited: what the gate said last is not said of this text."""
        self.level = Level.EARLY
        if self._is_blocking:  # with each key it is asked, so that nothing is looked through in vain
            self._is_blocking = False
            self.say(_GATE, {})
        self._show_as(final=False)

    def say(self, source: str, found: Notices) -> None:
        """Replace what a source says of all documents, and show those where that changes something."""
        for path in self.board.put_everywhere(source, found):
            self.show(path)

    def say_verdict(
        self,
        evaluation: Evaluation,
        moved: Trajectory | None,
        opened: Collection[str],
        *,
        live: bool = False,
    ) -> None:
        """Say what only a whole evaluation knows, of a change in which `opened` documents counted.

        Of one that was closed meanwhile nothing is said: its text counts no more, and the next
        evaluation, which knows its file, is due. `live`: nobody asked for the verdict.
        """
        now = self.documents.buffers.keys()
        said = {
            "verdict": of_verdict(evaluation),
            _GATE: of_gate(evaluation, live=live),
            CLOSED: {**of_closed(evaluation, {*opened, *now}), **self._still_closed()},
            "trajectory": of_trajectory(moved, evaluation),
        }
        for source, found in said.items():
            open_still = {path: each for path, each in found.items() if path in now or path not in opened}
            self.say(source, open_still)
        self._is_blocking = bool(said[_GATE])
        self._show_as(final=evaluation.level is Level.FINAL)

    def _still_closed(self) -> Notices:
        """What was told of files that were opened since, until their own analysis has told all."""
        waiting = (path for path in self.documents.buffers if not self.stages.began(path, ALL))
        return {path: self.board.of(path, CLOSED) for path in waiting}

    def say_regression(self, found: Regression | None, evaluation: Evaluation) -> None:
        """Say that a final score is lower than those accepted last, or that it is not any more."""
        self.say("regression", of_regression(found, evaluation))

    def _show_as(self, *, final: bool) -> None:
        """Floors and regressions are drawn otherwise at final: when that changes, all is shown anew."""
        if final != self._is_final:
            self._is_final = final
            for path in self.board.paths():
                self.show(path)

    def say_left_out(self, document: Document, reason: str, *, unread: bool) -> None:
        """Say that a document is not analysed, or, without a reason, that it is again.

        Where its file is changed and `unread`, a verdict says so, and what one said holds.
        """
        if reason:
            self.board.remove(document.path, but=_OF_WHOLE if unread else ())
        said = (not_analysed(document.path, reason, Novelty.OLD),) if reason and not unread else ()
        if self.board.put(document.path, "left out", said) or reason:
            self.show(document.path)
