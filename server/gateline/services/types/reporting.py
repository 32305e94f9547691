"""The reports of a type checker's answers, and why there are none."""

from __future__ import annotations

from gateline.model import Report, State
from gateline.services.types.messages import Answer, Setup, Texts
from gateline.services.types.report import failures, reports_of


class Reporting:
    """Remembers what the last answer went without."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.reason = ""
        """Why there are no types, or what they go without, for people; empty while all is well."""
        self.is_refused = False
        """Whether a plug-in that the settings name was not allowed to run."""

    def reports(self, answer: Answer, texts: Texts) -> dict[str, Report]:
        """The reports of an answer about these texts."""
        self.is_refused = bool(answer.no_data) and not self._setup.plugins
        if why := answer.blocked or answer.no_data:
            return self.failures(texts, why, State.FAILED if answer.blocked else State.NO_DATA)
        self.reason = "; ".join(answer.limits)
        return reports_of(answer)

    def failures(self, texts: Texts, reason: str, state: State = State.FAILED) -> dict[str, Report]:
        """Reports that say for all these texts why there is none."""
        self.reason = reason
        return failures(texts, reason, state)
