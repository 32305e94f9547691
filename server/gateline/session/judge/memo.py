"""The newest verdict of each checkpoint, so that the same content is judged once."""

from __future__ import annotations

from dataclasses import dataclass, field

from gateline.model import Change, Evaluation, Level
from gateline.session.judge.request import Request


@dataclass(slots=True)
class Memo:
    """Evaluations by what was asked; one of each level."""

    _known: dict[Level, tuple[Request, Evaluation]] = field(default_factory=dict)

    def get(self, request: Request) -> Evaluation | None:
        """What was said of the same content; None when that is not the newest of its level."""
        known = self._known.get(request.level)
        return known[1] if known is not None and known[0].content == request.content else None

    def put(self, request: Request, evaluation: Evaluation) -> Evaluation:
        """Remember an evaluation in place of the one of its level; the same evaluation."""
        self._known[request.level] = request, evaluation
        return evaluation

    def change_of(self, evaluation: Evaluation) -> Change | None:
        """The change that one of the newest evaluations is about; None where it is not known any more."""
        return next((row[0].change for row in self._known.values() if row[1] is evaluation), None)
