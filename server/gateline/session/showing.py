"""What a client is shown of each document, from what the board knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gateline.model import Document, Evaluation, Level, Novelty
from gateline.model.evaluation import Trajectory
from gateline.session.board import Board
from gateline.session.documents import Documents
from gateline.session.notices import Notices, not_analysed, of_regression, of_trajectory, of_verdict
from gateline.session.options import Published, SessionOptions
from gateline.session.stages import Stages
from gateline.worklog.scored import Regression


class Showing:
    """Publishes the findings of documents, open or not, at the current level."""

    def __init__(
        self,
        documents: Documents,
        board: Board,
        stages: Stages,
        options: SessionOptions,
        publish: Callable[[Published], None],
    ) -> None:
        self.level = Level.EARLY
        self._documents = documents
        self._board = board
        self._stages = stages
        self._options = options
        self._publish = publish

    def show(self, path: str) -> None:
        """Publish what is known of a document now.

        Until a version was parsed there is nothing of it to publish: whoever reads an answer for
        that version would take an older text's errors for its own. Parsing shows it in any case.
        """
        document = self._documents.get(path)
        if document is not None and not self._stages.reached(document, "syntax"):
            return
        found = tuple(f for f in self._board.merged(path) if self._options.draws(f))
        self._publish(Published(path, document.version if document else None, found, self.level))

    def say(self, source: str, found: Notices) -> None:
        """Replace what a source says of all documents, and show those where that changes something."""
        for path in self._board.put_everywhere(source, found):
            self.show(path)

    def say_verdict(self, evaluation: Evaluation, moved: Trajectory | None, opened: Iterable[str]) -> None:
        """Say what only a whole evaluation knows, of a change in which `opened` documents counted.

        Of one that was closed meanwhile nothing is said: its text counts no more, and the next
        evaluation, which knows its file, is due.
        """
        closed = set(opened) - self._documents.buffers.keys()
        said = {"gate": of_verdict(evaluation), "trajectory": of_trajectory(moved, evaluation)}
        for source, found in said.items():
            self.say(source, {path: notices for path, notices in found.items() if path not in closed})

    def say_regression(self, found: Regression | None, evaluation: Evaluation) -> None:
        """Say that a final score is lower than those accepted last, or that it is not any more."""
        self.say("regression", of_regression(found, evaluation))

    def say_left_out(self, document: Document, reason: str, *, changed: bool) -> None:
        """Say that a document is not analysed, or, without a reason, that it is again.

        Where the file is `changed`, the verdict says so already.
        """
        if reason:
            self._board.remove(document.path)
        said = (not_analysed(document.path, reason, Novelty.OLD),) if reason and not changed else ()
        if self._board.put(document.path, "left out", said) or reason:
            self.show(document.path)
