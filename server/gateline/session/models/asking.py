"""Asks one model for a whole command, which has so many tokens and no more."""

from __future__ import annotations

from gateline.evals.judgement import Answer, Question, unusable
from gateline.model.token_count import tokens_of
from gateline.services.models.channel import Endpoint, ModelChannel, channel
from gateline.session.errors import UsageError


class Asking:
    """A model, and the tokens that are left of those of its endpoint."""

    def __init__(self, endpoint: Endpoint, asked: ModelChannel | None = None) -> None:
        """Ask `asked`, or what the endpoint names. Raises UsageError for unreadable recorded answers."""
        self._endpoint = endpoint
        self._left = endpoint.tokens
        try:
            self._channel = asked or channel(endpoint)
        except (OSError, ValueError) as error:
            raise UsageError(f"models.endpoint {endpoint.url!r} cannot be read: {error}") from error

    async def ask(self, question: Question) -> Answer:
        """The answer; one that cannot be used where no tokens are left."""
        if self._left <= 0:
            problem = "the tokens of this command are used up (models.tokens)"
            return unusable(question, self._endpoint.model, problem)
        answer = await self._channel.ask(question, self._left)
        # Where the endpoint counts none, or its answer was not waited for, what was sent counts.
        self._left -= answer.tokens or answer.requests * tokens_of(question.material)
        return answer

    async def stop(self) -> None:
        """End what was started."""
        await self._channel.stop()
