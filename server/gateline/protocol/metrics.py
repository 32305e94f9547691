"""The metrics of tasks as they go into reports: in camelCase, versioned."""

from __future__ import annotations

from pydantic import Field

from gateline.protocol.evaluation import Reading

_NONE = "null: nothing to take it from."


class ContextMetrics(Reading):
    """What was asked of the retrieval for a task."""

    queries: int
    milliseconds: float | None = Field(description=f"Of an answer on average; {_NONE}")
    relevance: float | None = Field(
        description=f"The share of answers with a passage of a file that the task changed, 0–1; {_NONE}"
    )


class TaskMetricsResult(Reading):
    """One task, or one refinement loop, in numbers."""

    id: str
    kind: str = Field(description="`loop` or `task`.")
    begun: str = Field(description="UTC, ISO 8601.")
    outcome: str = Field(description="How a loop ended, as `accept`; what became of a task, as `completed`.")
    completed: bool = Field(description="The final gate accepted it.")
    seconds: float | None = Field(description="Of a loop those of its rounds; null while a task goes on.")
    rounds: int = Field(description="Of a task its checkpoints.")
    scores: tuple[float, ...] = Field(description="After each round, 0–1.")
    early_stop: str = Field(description="Why it ended before its bound, not accepted; empty: it did not.")
    errors_met: int
    errors_resolved: int = Field(description="Of those met, without a person.")
    debug_iterations: int = Field(description="Rounds of gateline's own repairs.")
    first_time: bool | None = Field(description="Accepted at the first look; null: there was none.")
    intervened: bool = Field(description="A person took over, or stopped it.")
    escalated: bool = Field(description="It was given to a person.")
    context: ContextMetrics


class DerivedResult(Reading):
    """What follows from all tasks that have ended; null where there is nothing to take it from."""

    tasks: int
    completion: float | None = Field(description="Completed of all, 0–1.")
    rounds: float | None = Field(description="Of loops, on average. Aim: under 5.")
    debug_success: float | None = Field(description="Errors resolved of those met, 0–1. Aim: over 0.7.")
    context_milliseconds: float | None = Field(description="On average. Aim: under 2000.")
    relevance: float | None
    first_time: float | None = Field(description="Accepted at the first look, 0–1. Aim: over 0.9.")
    seconds: float | None = Field(description="The median.")
    intervened: float | None = Field(description="0–1.")
    escalated: float | None = Field(description="0–1.")
    early_stops: float | None = Field(description="Of loops, 0–1.")


class BaselineResult(Reading):
    """Another way of doing the same tasks."""

    name: str
    at: str = Field(description="When it was recorded: UTC, ISO 8601.")
    completed: int
    tasks: int


class MetricsResult(Reading):
    """The metrics of a workspace."""

    version: int = Field(1, description="Of this format.")
    tasks: tuple[TaskMetricsResult, ...] = Field(description="Newest first.")
    derived: DerivedResult
    baseline: BaselineResult | None = None
    factor: float | None = Field(
        None, description="Completion against the baseline's: so many times as many. Aim: at least 3.5."
    )
