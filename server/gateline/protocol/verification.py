"""The verifier's answer as it goes into reports: in camelCase, versioned."""

from __future__ import annotations

from pydantic import Field

from gateline.protocol.evaluation import Reading


class ReasonResult(Reading):
    """Why a check does not hold."""

    check: str = Field(description="Its identifier, as `plan.order`.")
    text: str = Field(description="What was found, and what to do.")
    line: int = Field(description="One-based, in the document; 0 where there is none.")
    unmeasured: bool = Field(description="It could not be looked at, which is never sufficient.")


class LooksResult(Reading):
    """A check, and what it looks at."""

    id: str
    looks_at: str


class VerificationResult(Reading):
    """Whether a specification, a plan, an implementation or a commit is sufficient."""

    version: int = Field(1, description="Of this format.")
    point: str = Field(description="specification, plan, implementation or commit.")
    sufficient: bool
    reasons: tuple[ReasonResult, ...]
    checks: tuple[LooksResult, ...] = Field(description="What was looked at.")
