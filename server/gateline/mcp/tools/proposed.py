"""What an agent would write: judged and repaired in memory."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, Field

_MOST = 8_000_000
"""Characters that proposed texts may have."""


class Proposed(BaseModel):
    """A file as you would write it."""

    path: str = Field(description="From the workspace's root, with `/`.")
    text: str | None = Field(description="The whole text; null deletes the file.")


def require_small(texts: Iterable[Proposed], patch: str) -> None:
    """Refuse texts that nobody could judge in time. Raises ValueError."""
    if sum(len(row.text or "") for row in texts) + len(patch) > _MOST:
        raise ValueError(f"texts and patch have over {_MOST / 1e6:g} MB: check fewer files at once")
