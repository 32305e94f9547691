"""What is observed of gateline itself, over the wire: in camelCase."""

from __future__ import annotations

from pydantic import Field

from gateline.protocol.types import Wire


class ObservedParams(Wire):
    """Which folder is meant."""

    uri: str | None = Field(None, description="Any URI in the folder; null for the first.")


class SeriesResult(Wire):
    """One counter, histogram or gauge with its labels."""

    name: str = Field(description="As in docs/observability.md.")
    labels: dict[str, str] = Field(default_factory=dict)
    count: int = Field(description="How many values were counted.")
    total: float = Field(description="Of a counter or gauge its value; of a histogram the sum of its values.")
    buckets: tuple[int, ...] = Field(
        (), description="Of a histogram, how many values are in each bucket, without those below."
    )


class ObservedResult(Wire):
    """All series of a folder."""

    series: tuple[SeriesResult, ...]
