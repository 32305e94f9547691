"""The far side of a model channel: asks an endpoint by pydantic-ai, which nobody else imports.

Answers are validated, and asked for again with what is wrong with them. Prompted output is used, so that
models without tools answer as well.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

from gateline.evals.judgement import Answer, Question, unusable
from gateline.services import far
from gateline.services.models.channel import Asked, Endpoint
from gateline.services.models.form import SAMPLING, form, instructions, material


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
        output_type=PromptedOutput(form(question)),
        instructions=instructions(question),
        retries=endpoint.attempts,
        model_settings={"temperature": SAMPLING, "timeout": endpoint.seconds},
    )
    limits = UsageLimits(request_limit=endpoint.attempts + 1, total_tokens_limit=endpoint.tokens)
    try:
        async with asyncio.timeout(endpoint.seconds):
            done = await agent.run(material(question), usage_limits=limits, usage=usage)
        return Answer(done.output.judged(), endpoint.model, "", usage.requests, usage.total_tokens)
    except TimeoutError:
        problem = f"no answer within {endpoint.seconds:g} s"
        # The one that is under way counts, too.
        return unusable(question, endpoint.model, problem, max(1, usage.requests), usage.total_tokens)
    except UsageLimitExceeded as error:
        problem = f"the limit is reached: {error}"
    except (AgentRunError, OpenAIError, ValueError) as error:
        problem = _told(error, endpoint)
    return unusable(question, endpoint.model, problem, usage.requests, usage.total_tokens)


def _told(error: Exception, endpoint: Endpoint) -> str:
    first = endpoint.without_secrets(str(error)).partition("\n")[0]
    return f"{type(error).__name__}: {first[:300]}"


if __name__ == "__main__":
    far.serve(answer)
