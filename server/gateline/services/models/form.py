"""What a model is sent of a question, and the form that its answer has to have."""

from __future__ import annotations

import json
import secrets

from pydantic import BaseModel, Field, field_validator

from gateline.evals.judgement import Judgement, Question

SAMPLING = 0.1
"""The temperature."""
_LONGEST = 2_000
"""Characters of a reasoning or a suggestion that are kept."""


class One(BaseModel):
    """The judgement of one criterion, as a model gives it."""

    criterion: str
    score: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(min_length=1)
    suggestions: list[str] = Field(default_factory=list, max_length=10)


class Form(BaseModel):
    """All that a model answers."""

    judgements: list[One]

    def judged(self) -> tuple[Judgement, ...]:
        """The same as values, with texts of a bounded length."""
        return tuple(_judgement(one) for one in self.judgements)


def form(question: Question) -> type[Form]:
    """One judgement for each criterion, and nothing else."""
    names = tuple(question.criteria)

    class Judgements(Form):
        @field_validator("judgements")
        @classmethod
        def _each_once(cls, found: list[One]) -> list[One]:
            given = sorted(each.criterion for each in found)
            if given != sorted(names):
                raise ValueError(f"give each criterion once: {', '.join(names)}")
            return found

    return Judgements


def instructions(question: Question) -> str:
    """The prompt, and a line for each criterion."""
    rows = "\n".join(f"- {name}: {what}" for name, what in question.criteria.items())
    return f"{question.prompt.text}{rows}\n"


def material(question: Question) -> str:
    """The material between marks, which whoever wrote it cannot know."""
    # What was written before this process began cannot know the mark, so it cannot end the material.
    mark = secrets.token_hex(8)
    return f"Material between the marks {mark}:\n{mark}\n{json.dumps(question.material)}\n{mark}"


def _judgement(given: One) -> Judgement:
    return Judgement(
        given.criterion,
        given.score,
        given.confidence,
        given.reasoning[:_LONGEST],
        tuple(text[:_LONGEST] for text in given.suggestions),
    )
