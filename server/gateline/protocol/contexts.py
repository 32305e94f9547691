"""What one needs in view: questions, passages and the state of the index, in camelCase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from gateline.protocol.types import Wire

_TOKEN = "Where progress is reported while the index is made."
Kind = Literal["implementation", "tests", "docs", "any"]


class PlaceParams(Wire):
    """A place in a document, as the Language Server Protocol has it; for words only the line counts."""

    line: int = Field(ge=0, description="Zero-based.")
    character: int | None = Field(
        None,
        ge=0,
        description="Within a name, what that means comes first; null, the definition around the line does.",
    )


class ContextSearchParams(Wire):
    """A question in words, or code."""

    query: str = Field(min_length=1, max_length=20_000, description="Words, a name, or some code.")
    uri: str | None = Field(None, description="With a position, the document; else any URI in the folder.")
    position: PlaceParams | None = Field(None, description="Where the cursor stands; null asks from nowhere.")
    kind: Kind = Field("implementation", description="What comes first; the others stand behind it.")
    budget: int = Field(4000, ge=50, le=200_000, description="Tokens of a language model, about.")
    limit: int = Field(20, ge=1, le=200, description="The most passages.")
    deadline: int = Field(
        30, ge=1, le=2000, description="Milliseconds that a tier may take which is not needed."
    )
    counted: bool = Field(
        False,
        description="For a model or an agent: the tokens are counted in the task of the branch,"
        " and it is said when they pass its bound.",
    )
    work_done_token: int | str | None = Field(None, description=_TOKEN)


class ContextForPositionParams(Wire):
    """A place whose surroundings are to be changed."""

    uri: str = Field(description="A document of the folder, open or not.")
    position: PlaceParams
    budget: int = Field(4000, ge=50, le=200_000, description="Tokens of a language model, about.")
    deadline: int = Field(
        50,
        ge=1,
        le=2000,
        description="Milliseconds that resolving names may take; what is late is said.",
    )
    counted: bool = Field(False, description="As with `gateline/context/search`.")
    work_done_token: int | str | None = Field(None, description=_TOKEN)


class ContextStatusParams(Wire):
    """Which index."""

    uri: str | None = Field(None, description="Any URI in the folder, or null for the first folder.")
    refresh: bool = Field(False, description="Look at all files again first; cancelling stops the waiting.")
    work_done_token: int | str | None = Field(None, description="Where progress is reported.")


class LinesResult(Wire):
    """Whole lines: those from `first` up to and with `last`, both zero-based."""

    first: int
    last: int


class PassageResult(Wire):
    """A piece of the workspace that matters."""

    path: str = Field(description="Relative to the root, with `/`.")
    uri: str = Field(description="The document, as the client spells it where it is open.")
    kind: str = Field(description="function, method, class, module, section or table.")
    name: str = Field(description="Qualified; of a section its heading.")
    lines: LinesResult
    text: str = Field(description="What to show, secrets left out.")
    score: float = Field(description="Higher is better; comparable within one answer only.")
    why: tuple[str, ...] = Field(description="The reasons in words, the weightiest first.")
    hash: str = Field(description="Of the text in the document, before anything was left out.")
    tokens: int = Field(description="About how many tokens the text takes.")
    shortened: bool = Field(description="Whether only the head of it fits into the budget.")


class ContextResult(Wire):
    """The passages, which tiers found them, and what was missing."""

    passages: tuple[PassageResult, ...]
    tiers: tuple[str, ...] = Field(
        description="Those that took part: symbols, lexical, static, semantic, resolved."
    )
    degraded: Mapping[str, str] = Field(description="What took no part, or only half, each with its reason.")
    tokens: int = Field(description="Of all passages.")
    left_out: int = Field(description="How many passages were found that do not fit into the budget.")
    warning: str = Field("", description="That what was counted comes near the task's bound, or passes it.")


class TierResult(Wire):
    """How one tier stands."""

    name: str
    state: str = Field(description="ready, working, waiting, off, missing or failed.")
    detail: str = Field(description="Which engine and model, and why; or what is missing.")
    done: int = Field(description="Chunks that it knows.")


class ContextStatusResult(Wire):
    """How the index of a folder stands."""

    state: str = Field(description="off, waiting (for the first question), indexing, ready or failed.")
    message: str = Field(description="What went wrong, or happened to an index that was there.")
    files: int
    chunks: int
    size: int = Field(description="Bytes on the disk.")
    folder: str = Field(description="Where the index is kept; empty until it is known.")
    done: int = Field(description="Files that were read since indexing began.")
    of: int = Field(description="Files that are to be read.")
    tiers: tuple[TierResult, ...]
    counts: Mapping[str, int] = Field(
        description="Of this session: `questions`, and by what took no part how many of them did without; "
        "`model`: how many because it cannot be loaded."
    )
