"""The semantic tier in one process, as the command line uses it: what is kept, or all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gateline.context.search import SEMANTIC
from gateline.context.values import Answer, Question
from gateline.services.embedding.far import Embedder
from gateline.services.embedding.requests import Embed, Load
from gateline.services.embedding.weights import UNLOADABLE, MissingModelError, SpoiltModelError, Weights
from gateline.session.context.meaning import Meaning
from gateline.session.context.model import models_folder, usable_weights
from gateline.session.context.retriever import Retrieval
from gateline.session.context.vectors import FILE
from gateline.session.workspace.workspace import Workspace

LIMIT = 2.0
"""Seconds that a question's vector may take, with what makes it."""
_AT_ONCE = 64
_NONE = "no text has a vector yet: --embed makes them, and so does a server in an editor"

Tell = Callable[[int, int], None]
"""Takes how many texts were embedded, and of how many."""


class LocalSemantic:
    """Answers with the vectors that are kept of a workspace. Everything blocks."""

    def __init__(self, retrieval: Retrieval, workspace: Workspace, environ: Mapping[str, str]) -> None:
        self._retrieval = retrieval
        self._reason = ""
        self._weights: Weights | None = None
        settings = workspace.loaded.settings.context
        try:
            if settings.semantic == "off":
                return
            # Whoever starts a command has not said that the workspace's files are to be trusted.
            self._weights = usable_weights(settings, workspace.root, environ, models_folder(), trusted=False)
        except SpoiltModelError as error:
            self._reason = f"{UNLOADABLE}: {error}"
        except MissingModelError as error:
            self._reason = str(error)

    def embed(self, tell: Tell) -> None:
        """Make all vectors that are missing; what was made is kept also when this is ended."""
        if self._weights is None:
            return
        meaning, embedder = self._meaning(self._weights), Embedder()
        try:
            batch, done = meaning.pending(_AT_ONCE), 0
            if batch:
                next(embedder.answer(Load(self._weights, models_folder())))
            while batch:
                made = next(embedder.answer(Embed(tuple(text for _, text in batch))))
                left = meaning.supply(tuple(key for key, _ in batch), made)
                done += len(batch)
                tell(done, done + left)
                batch = meaning.pending(_AT_ONCE)
        finally:
            meaning.close()

    def search(self, question: Question, budget: int) -> Answer:
        """The passages for a question, and why the tier was missing if it was."""
        if self._weights is None:
            return _without(self._retrieval.search(question, budget), self._reason)
        if not (self._retrieval.store.folder / FILE).exists():
            return _without(self._retrieval.search(question, budget), _NONE)
        meaning = self._meaning(self._weights)
        try:
            meaning.pending(1)
            asked = meaning.ask(question.text, LIMIT)
            return meaning.said(self._retrieval.search(question, budget, asked.vector), asked.reason)
        finally:
            meaning.close()

    def _meaning(self, weights: Weights) -> Meaning:
        return Meaning(self._retrieval, weights, models_folder())


def _without(answer: Answer, reason: str) -> Answer:
    return replace(answer, degraded={**answer.degraded, SEMANTIC: reason}) if reason else answer
