"""`propose_fix`: a repair that was verified, as a difference; nothing is applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from gateline.mcp.engine import EngineError
from gateline.mcp.paging import cut, short
from gateline.mcp.tool import Answer, Desk, Params, Tool
from gateline.mcp.tools.explain import ProposedError, finding_now
from gateline.protocol.check_methods import CHECK
from gateline.protocol.methods import AUTODEBUG

_LONGEST = 180.0
"""Seconds that a search may take."""
_LISTED = 8
_RESERVE = 500
"""Tokens of an answer beside the difference."""


class ProposeParams(Params):
    """What to repair."""

    finding: Annotated[
        str, Field(max_length=40, description="The id of a finding, as gate_check tells it.")
    ] = ""
    traceback: Annotated[
        str, Field(max_length=100_000, description="What Python, pytest or a type checker printed.")
    ] = ""
    wait: Annotated[
        float, Field(ge=0, le=120, description="Seconds to wait; then the answer has a handle.")
    ] = 10.0
    handle: Annotated[str, Field(max_length=40, description="From an earlier answer: wait for that one.")] = (
        ""
    )

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(map(bool, (self.finding, self.traceback, self.handle))) != 1:
            raise ValueError("give a finding, a traceback, or a handle")
        return self


class AttemptRow(BaseModel):
    """Something that was tried."""

    title: str
    outcome: str = Field(description="refused, failed, partial or verified.")
    reason: str


class ProposeAnswer(Answer):
    """What was found."""

    found: bool = False
    error: Annotated[str, Field(description="What was looked into.")] = ""
    title: str = ""
    proof: Annotated[
        str, Field(description="V1: the finding is gone and nothing new; V2: tests pass, too; V3: one more.")
    ] = ""
    diff: Annotated[str, Field(description="The repair; nothing was written.")] = ""
    attempts: tuple[AttemptRow, ...] = ()


async def propose_fix(desk: Desk, params: ProposeParams) -> ProposeAnswer:
    """Look for a repair that holds."""
    handle = params.handle
    if not handle:
        given: dict[str, Any] = {"traceback": params.traceback}
        if params.finding:
            try:
                _, found = await finding_now(desk, params.finding)
            except ProposedError as error:
                action = f"write {error.row['path']}, then call propose_fix with the same finding"
                return ProposeAnswer(error=str(error), next_action=short(action))
            given = {"uri": desk.uri(found["path"]), "identity": params.finding}
        handle = desk.jobs.begin(desk.ask(AUTODEBUG.name, given, _LONGEST))
    told = await desk.jobs.result(handle, params.wait)
    if told is None:
        action = f"call propose_fix with handle {handle!r}"
        return ProposeAnswer(running=("looking for a repair",), handle=handle, next_action=action)
    return await _answer(desk, told, params.budget)


async def _answer(desk: Desk, told: Mapping[str, Any], budget: int) -> ProposeAnswer:
    verified = next((row for row in told["attempts"] if row["outcome"] == "verified"), None)
    diff, rest = cut(verified["diff"] if verified and told["success"] else "", budget - _RESERVE)
    attempts = tuple(
        AttemptRow(title=short(row["title"], 120), outcome=row["outcome"], reason=short(row["reason"], 160))
        for row in told["attempts"][:_LISTED]
    )
    fresh, named = await _as_now(desk, told)
    action = "apply the difference, then call gate_check" if told["success"] else "fix it yourself"
    return ProposeAnswer(
        content_hash=named,
        fresh=fresh,
        found=told["success"],
        error=short(told["error"]),
        title=short(told["title"]),
        proof=told["proof"] or "",
        diff=diff,
        attempts=() if told["success"] else attempts,
        warning=f"the difference is cut: {len(rest.splitlines())} more lines" if rest else "",
        next_action=action if fresh or not told["success"] else "something was written meanwhile: call again",
    )


async def _as_now(desk: Desk, told: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether the texts that the repair is for are those there are; and the name of the content."""
    try:
        now = await desk.ask(CHECK.name, {"patience": 2000}, 5.0)
    except EngineError:
        return False, ""
    contents = {row["path"]: row["hash"] for row in now["contents"]}
    same = all(contents.get(row["path"], row["digest"]) == row["digest"] for row in told["texts"])
    return same and now["fresh"], now["contentHash"]


TOOLS = (
    Tool(
        "propose_fix",
        "Propose a repair",
        "Look for a repair of a finding, or of the error in a traceback, that was verified on a snapshot in "
        "memory: the finding is gone, nothing new is found, and tests pass where a person agreed that they "
        "run. The answer is a difference; nothing is written. A finding of a text that was only proposed has "
        "no repair until the text is written.",
        ProposeParams,
        ProposeAnswer,
        propose_fix,
    ),
)
