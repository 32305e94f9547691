"""What a tool of the server is, and what all of their answers have."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

from cachetools import LRUCache
from pydantic import BaseModel, ConfigDict, Field

from gateline.mcp.engine import Engine, EngineError
from gateline.mcp.jobs import Jobs
from gateline.model.token_count import tokens_of

BUDGET = 2000
"""Tokens of an answer, about, where nobody asks for another number."""

_IDENTIFIERS = frozenset({"id", "hash", "finding"})
"""Fields that name something for the next call."""
_PROPOSED = 512
"""So many findings of proposed texts are remembered."""


class Params(BaseModel):
    """What a tool is called with. A key that nobody declared is a mistake that is told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    budget: Annotated[int, Field(ge=200, le=8000, description="The most tokens of the answer, about.")] = (
        BUDGET
    )


class Answer(BaseModel):
    """What every answer has."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    content_hash: Annotated[
        str, Field(description="Names the content that the answer is about; empty: of none.")
    ] = ""
    fresh: Annotated[
        bool,
        Field(
            description="Whether that is what there is now, on disk or unsaved in the editor. What was "
            "proposed and not written is laid over it."
        ),
    ] = False
    running: Annotated[
        tuple[str, ...], Field(description="What is under way, when the answer is not whole.")
    ] = ()
    handle: Annotated[
        str, Field(description="Call the same tool with it to wait for the rest; empty: all is told.")
    ] = ""
    next_action: Annotated[str, Field(description="What to do next.")] = ""
    after: Annotated[
        str, Field(description="Call again with it to get what was left out; empty: nothing was.")
    ] = ""
    left_out: Annotated[int, Field(description="How many rows were left out.")] = 0
    warning: Annotated[
        str, Field(description="What else to know: a token bound that comes near, what was cut.")
    ] = ""

    def with_(self, **values: object) -> Self:
        """The same with other values."""
        return self.model_copy(update=values)

    @property
    def paths(self) -> list[str]:
        """The files that it shows passages of; only context does."""
        return []

    @property
    def is_degraded(self) -> bool:
        """Whether something took no part that should have; only context says so."""
        return False

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return tokens_of(written(self))

    @property
    def content(self) -> int:
        """About how many tokens of it are content, which counts toward the bound of a task.

        The frame is not: names of fields, identifiers, and what every answer has, as hash, freshness and next
        action.
        """
        own = self.model_dump(mode="json", exclude=set(Answer.model_fields), exclude_defaults=True)
        return tokens_of(" ".join(_values(own)))


def _values(told: object) -> Iterator[str]:
    """The texts and numbers of an answer, without the names of its fields, and without identifiers."""
    if isinstance(told, Mapping):
        told = [value for name, value in told.items() if name not in _IDENTIFIERS]
    if isinstance(told, list):
        for one in told:
            yield from _values(one)
    elif isinstance(told, str | int | float) and not isinstance(told, bool):
        yield str(told)


def written(answer: BaseModel) -> str:
    """An answer as text, for clients that do not take structured content."""
    return json.dumps(answer.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Desk:
    """What a tool works with."""

    engine: Engine
    root: str
    """The workspace's root."""
    jobs: Jobs = field(default_factory=Jobs)
    proposed: LRUCache[str, Mapping[str, Any]] = field(default_factory=lambda: LRUCache(_PROPOSED))
    """Findings of texts that were proposed, by their ids: nobody else remembers them."""

    def remember(self, told: Mapping[str, Any]) -> None:
        """Keep what was found in texts that were proposed."""
        rows = told["evaluation"]["findings"] if told["evaluation"] else ()
        self.proposed.update({row["identity"]: row for row in rows})

    def uri(self, path: str) -> str:
        """The URI of a file of the workspace. Raises EngineError for any other."""
        file = Path(os.path.normpath(Path(self.root) / path))
        if "\0" in path or not file.is_relative_to(self.root):
            raise EngineError(
                f"path {path[:200]!r} is outside the workspace: give one from its root, with `/`"
            )
        return file.as_uri()

    async def ask(
        self, method: str, params: Mapping[str, Any] | None = None, seconds: float = 10.0
    ) -> dict[str, Any]:
        """What the engine answers. Raises EngineError."""
        return await self.engine.ask(method, params or {}, seconds)


@dataclass(frozen=True)
class Tool:
    """A tool as a value: all that is told of it is written here, and nothing comes from a workspace."""

    name: str
    title: str
    description: str
    params: type[Params]
    result: type[Answer]
    call: Callable[[Desk, Any], Awaitable[Answer]]
    reads: bool = True
    """Whether it changes nothing, not even gateline's own records."""

    def input_schema(self) -> dict[str, Any]:
        """What it takes, as JSON Schema."""
        return self.params.model_json_schema()

    def output_schema(self) -> dict[str, Any]:
        """What it answers, as JSON Schema."""
        return self.result.model_json_schema(mode="serialization")
