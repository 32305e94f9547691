"""The far side of a model channel: asks an endpoint by pydantic-ai, which nobody else imports.

Answers are validated, and asked for again with what is wrong with them. Prompted output is used, so that
models without tools answer as well.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field, field_validator

from gateline.evals.judgement import Answer, Judgement, Question, unusable
from gateline.services import far
from gateline.services.models.channel import Asked, Endpoint

_LONGEST = 2_000
"""Characters of a reasoning or a suggestion that are kept."""
_SAMPLING = 0.1
"""The temperature."""


class _One(BaseModel):
    criterion: str
    score: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(min_length=1)
    suggestions: list[str] = Field(default_factory=list, max_length=10)


def answer(request: Asked | None) -> Iterator[Answer | None]:
    """The answer to one question; None only starts the process, with all that it imports."""
    _forget_other_settings()
    if request is None:
        import openai  # noqa: F401
        import pydantic_ai.models.openai  # noqa: F401

        yield None
    else:
        yield asyncio.run(_asked(request.endpoint, request.question))


def _forget_other_settings() -> None:
    """Drop the variables of the SDK: they would have keys and headers for elsewhere sent to this endpoint."""
    for name in [name for name in os.environ if name.upper().startswith("OPENAI_")]:
        del os.environ[name]


async def _asked(endpoint: Endpoint, question: Question) -> Answer:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError
    from pydantic_ai import Agent, PromptedOutput, RunUsage, UsageLimits
    from pydantic_ai.exceptions import AgentRunError, UsageLimitExceeded
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    usage = RunUsage()
    client = AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        max_retries=0,
        timeout=endpoint.seconds,
        # Another host than the person named would be sent the material.
        http_client=DefaultAsyncHttpxClient(follow_redirects=False),
    )
    model = OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client))
    agent = Agent(
        model,
        output_type=PromptedOutput(_shape(question)),
        instructions=_instructions(question),
        retries=endpoint.attempts,
        model_settings={"temperature": _SAMPLING, "timeout": endpoint.seconds},
    )
    limits = UsageLimits(request_limit=endpoint.attempts + 1, total_tokens_limit=endpoint.tokens)
    try:
        async with asyncio.timeout(endpoint.seconds):
            done = await agent.run(_material(question), usage_limits=limits, usage=usage)
        output: Any = done.output
        judged = tuple(_judgement(one) for one in output.judgements)
        return Answer(judged, endpoint.model, "", usage.requests, usage.total_tokens)
    except TimeoutError:
        problem = f"no answer within {endpoint.seconds:g} s"
        # The one that is under way counts, too.
        return unusable(question, endpoint.model, problem, max(1, usage.requests), usage.total_tokens)
    except UsageLimitExceeded as error:
        problem = f"the limit is reached: {error}"
    except (AgentRunError, OpenAIError, ValueError) as error:
        problem = _told(error, endpoint)
    return unusable(question, endpoint.model, problem, usage.requests, usage.total_tokens)


def _shape(question: Question) -> type[BaseModel]:
    """One judgement for each criterion, and nothing else."""
    names = tuple(question.criteria)

    class Judgements(BaseModel):
        judgements: list[_One]

        @field_validator("judgements")
        @classmethod
        def _each_once(cls, found: list[_One]) -> list[_One]:
            given = sorted(each.criterion for each in found)
            if given != sorted(names):
                raise ValueError(f"give each criterion once: {', '.join(names)}")
            return found

    return Judgements


def _judgement(given: _One) -> Judgement:
    return Judgement(
        given.criterion,
        given.score,
        given.confidence,
        given.reasoning[:_LONGEST],
        tuple(text[:_LONGEST] for text in given.suggestions),
    )


def _instructions(question: Question) -> str:
    rows = "\n".join(f"- {name}: {what}" for name, what in question.criteria.items())
    return f"{question.prompt.text}{rows}\n"


def _material(question: Question) -> str:
    # What was written before this process began cannot know the mark, so it cannot end the material.
    mark = secrets.token_hex(8)
    return f"Material between the marks {mark}:\n{mark}\n{json.dumps(question.material)}\n{mark}"


def _told(error: Exception, endpoint: Endpoint) -> str:
    first = endpoint.without_secrets(str(error)).partition("\n")[0]
    return f"{type(error).__name__}: {first[:300]}"


if __name__ == "__main__":
    far.serve(answer)
