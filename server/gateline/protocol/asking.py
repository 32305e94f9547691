"""Asking the model of the editor: in camelCase."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gateline.protocol.types import Wire

LONGEST = 100_000
"""Characters of an answer that are taken."""


class AskedPrompt(Wire):
    """Which prompt it is: judgements by different ones are not compared."""

    name: str = Field(description="What is asked, as in `assess-candidate`.")
    version: int = Field(description="Rises with its text.")
    digest: str = Field(description="Names all that is asked.")


class AskedMessage(Wire):
    """A message of the conversation."""

    role: Literal["user", "assistant"] = Field(description="Who said it; instructions are of the user.")
    content: str = Field(description="Without secrets.")


class AskModelParams(Wire):
    """What the model is asked, and within which limits."""

    token: str = Field(description="The `modelToken` of the request that this is asked for.")
    folder: str = Field(description="The URI of the folder whose content is sent.")
    prompt: AskedPrompt = Field(description="Which prompt, in which version.")
    messages: tuple[AskedMessage, ...] = Field(
        description="The conversation. An answer that was not valid is in it, with what was wrong with it."
    )
    temperature: float = Field(description="For models that take one.")
    seconds: float = Field(description="For the answer; then the request is cancelled.")
    tokens: int = Field(
        description="That are left, for what is sent and received: more must not be begun with."
    )


class AskModelResult(Wire):
    """What the model answered."""

    text: str = Field(max_length=LONGEST, description="The answer, as it came.")
    model: str = Field(min_length=1, max_length=200, description="Which model answered, as people know it.")
    input_tokens: int | None = Field(None, ge=0, description="Of what was sent; null: not counted.")
    output_tokens: int | None = Field(None, ge=0, description="Of the answer; null: not counted.")
