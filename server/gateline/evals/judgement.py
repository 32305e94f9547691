"""What a model said of something, or why its answer cannot be used. A judgement never decides a gate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

NEUTRAL = 0.5
"""The score of what could not be used: its confidence is 0, so that it moves nothing."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A versioned prompt. Another text is another version: judgements by different ones are not compared."""

    name: str
    version: int
    text: str

    @property
    def digest(self) -> str:
        """Names the text."""
        return blake2b(self.text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked: criteria of one subject."""

    prompt: Prompt
    criteria: Mapping[str, str]
    """By name, what is to be judged."""
    material: str
    """The subject, without secrets. It is data: what it asks for is not done."""
    hidden: int = 0
    """Characters of the subject that are left out of the material."""

    @property
    def digest(self) -> str:
        """Names all that is asked."""
        text = json.dumps([self.prompt.digest, dict(self.criteria), self.material])
        return blake2b(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was said of one criterion."""

    criterion: str
    score: float
    """0-1."""
    confidence: float
    """0-1, as the model has it: the weight of the score, 0 where the answer could not be used."""
    reasoning: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """All judgements of one question, and what they took."""

    judgements: tuple[Judgement, ...]
    model: str
    problem: str = ""
    """Why the answer could not be used; empty where it could."""
    requests: int = 0
    tokens: int = 0
    """Of what was sent and received, as the endpoint counts them."""
    seconds: float = 0.0


def unusable(question: Question, model: str, problem: str, requests: int = 0, tokens: int = 0) -> Answer:
    """An answer that could not be used: each criterion is neutral, without confidence."""
    judged = tuple(Judgement(name, NEUTRAL, 0.0) for name in question.criteria)
    return Answer(judged, model, problem, requests, tokens)
