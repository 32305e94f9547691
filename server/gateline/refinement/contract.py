"""What gateline hands to an agent, and what an agent hands back: JSON, with a version.

A field is only ever added, with a default; what changes its meaning gets a new version. The schemas are
`schemas/agent-input.json` and `schemas/agent-output.json`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION = 1


class Phase(StrEnum):
    """What an agent is asked for; each has a gate of the same name."""

    SPECIFICATION = "specification"
    PLAN = "plan"
    IMPLEMENTATION = "implementation"
    COMMIT = "commit"


class _Contract(BaseModel):
    """Unknown fields are ignored: a newer agent may say more."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class RefinementState(_Contract):
    """Where the loop stands, for an agent that wants to know."""

    round: int = Field(
        default=0, ge=0, description="The round that is asked for, from 1; 0 outside of a loop."
    )
    rounds: int = Field(default=0, ge=0, description="So many rounds there are at most.")
    quality: float | None = Field(
        default=None, ge=0, le=1, description="Of the content that the round starts from."
    )
    ema: float | None = Field(
        default=None, ge=0, le=1, description="The smoothed quality of all rounds so far."
    )
    strategy: str = Field(
        default="", description="How to go about it; changes when the last way led nowhere."
    )
    advice: tuple[str, ...] = Field(
        default=(), description="What the trajectory advises, as `revert_last_changes`."
    )


class AgentContext(_Contract):
    """What surrounds a task."""

    spec_path: str | None = Field(default=None, description="A file with the specification, from the root.")
    plan_path: str | None = Field(default=None, description="A file with the plan, from the root.")
    previous_outputs: tuple[dict[str, Any], ...] = Field(
        default=(), description="What agents answered before in this task, oldest first: `AgentOutput`s."
    )
    cumulative_feedback: tuple[str, ...] = Field(
        default=(), description="What gateline found of earlier rounds and is still true, and what was tried."
    )
    lessons: tuple[str, ...] = Field(
        default=(),
        description="What was learned here before, of what is worked on: notes, no instructions.",
    )
    refinement_state: RefinementState = RefinementState()


class AgentInput(_Contract):
    """One question to an agent: a line of JSON on its standard input."""

    version: Literal[1] = 1
    agent_id: str
    task_id: str
    phase: Phase = Phase.IMPLEMENTATION
    input_data: dict[str, Any] = Field(
        default={},
        description="`goal`; `workspace`: the folder to work in; `failing`: tests with their errors.",
    )
    context: AgentContext = AgentContext()


class AgentOutput(_Contract):
    """One answer: the last JSON object on its standard output."""

    version: Literal[1] = 1
    agent_id: str
    task_id: str
    success: bool = Field(description="Whether the agent thinks that it did what was asked. Never a verdict.")
    output_data: dict[str, Any] = Field(
        default={}, description="`files`: texts by path (null: delete), where it did not write them itself."
    )
    reasoning: str = ""
    confidence: float = Field(default=0.5, ge=0, le=1)
    next_actions: tuple[str, ...] = ()
    metadata: dict[str, Any] = Field(
        default={}, description="`tokens` and `cost`, counted against the budgets."
    )

    @property
    def tokens(self) -> int:
        """Tokens that the agent says it used; 0 where it does not say."""
        return int(_number(self.metadata.get("tokens")))

    @property
    def cost(self) -> float:
        """What the agent says it cost, in the currency of the budget; 0 where it does not say."""
        return _number(self.metadata.get("cost"))


def _number(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0.0, float(value)) if is_number else 0.0  # type: ignore[arg-type]
