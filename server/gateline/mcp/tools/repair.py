"""`propose_fix`: a repair that was verified, as a difference; nothing is applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from gateline.mcp.engine import EngineError
from gateline.mcp.paging import cut, short
from gateline.mcp.tool import Answer, Desk, Params, Tool
from gateline.mcp.tools.explain import ProposedError, finding_now
from gateline.mcp.tools.proposed import Proposed, require_small
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
    texts: Annotated[
        tuple[Proposed, ...],
        Field(max_length=200, description="Files not written yet, as given to gate_check, with the finding."),
    ] = ()
    patch: Annotated[str, Field(description="A unified diff that is not applied yet, with the finding.")] = ""
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
        if (self.texts or self.patch) and not self.finding:
            raise ValueError("texts and patch need the ID of a finding that gate_check reported for them")
        require_small(self.texts, self.patch)
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
    diff: Annotated[
        str, Field(description="The repair, against what you proposed if you did; nothing was written.")
    ] = ""
    attempts: tuple[AttemptRow, ...] = ()


async def propose_fix(desk: Desk, params: ProposeParams) -> ProposeAnswer:
    """Look for a repair that holds."""
    handle = params.handle
    if not handle:
        proposal = {"texts": [row.model_dump() for row in params.texts], "patch": params.patch}
        try:
            given = await _given(desk, params, proposal)
        except ProposedError as error:
            action = "call propose_fix with the same finding, and the texts or the patch that it is of"
            return ProposeAnswer(error=str(error), next_action=action)
        handle = desk.jobs.begin(_searched(desk, given, proposal))
    told = await desk.jobs.result(handle, params.wait)
    if told is None:
        action = f"call propose_fix with handle {handle!r}"
        return ProposeAnswer(running=("looking for a repair",), handle=handle, next_action=action)
    return await _answer(desk, told, params.budget)


async def _given(desk: Desk, params: ProposeParams, proposal: Mapping[str, Any]) -> dict[str, Any]:
    """What to ask the session. Raises ProposedError for a finding of texts that were not given again."""
    if not params.finding:
        return {"traceback": params.traceback}
    if params.texts or params.patch:
        return {"identity": params.finding, **proposal}
    _, found = await finding_now(desk, params.finding)
    return {"uri": desk.uri(found["path"]), "identity": params.finding}


async def _searched(desk: Desk, given: Mapping[str, Any], proposal: Mapping[str, Any]) -> dict[str, Any]:
    """What the search comes to, with what was proposed: who waits by a handle does not give it again."""
    told: dict[str, Any] = await desk.ask(AUTODEBUG.name, given, _LONGEST)
    return {**told, "proposal": proposal}


async def _answer(desk: Desk, told: Mapping[str, Any], budget: int) -> ProposeAnswer:
    verified = next((row for row in told["attempts"] if row["outcome"] == "verified"), None)
    diff, rest = cut(verified["diff"] if verified and told["success"] else "", budget - _RESERVE)
    attempts = tuple(
        AttemptRow(title=short(row["title"], 120), outcome=row["outcome"], reason=short(row["reason"], 160))
        for row in told["attempts"][:_LISTED]
    )
    fresh, named = await _as_now(desk, told)
    action = _next(told) if told["success"] else "fix it yourself"
    is_cut = (f"the difference is cut: {len(rest.splitlines())} more lines",) if rest else ()
    return ProposeAnswer(
        content_hash=named,
        fresh=fresh,
        found=told["success"],
        error=short(told["error"]),
        title=short(told["title"]),
        proof=told["proof"] or "",
        diff=diff,
        attempts=() if told["success"] else attempts,
        warning="; ".join((*is_cut, *map(short, told["notes"]))),
        next_action=action if fresh or not told["success"] else "something was written meanwhile: call again",
    )


def _next(told: Mapping[str, Any]) -> str:
    is_proposed = any(told["proposal"].values())
    return f"apply the difference{' to what you proposed' if is_proposed else ''}, then call gate_check"


async def _as_now(desk: Desk, told: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether the texts that the repair is for are those there are; and the name of the content."""
    try:
        asked = {"level": "early", **told["proposal"]} if any(told["proposal"].values()) else {}
        now = await desk.ask(CHECK.name, {"patience": 2000, **asked}, 5.0)
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
        "run. The answer is a difference; nothing is written. For a finding of what is not written yet, give "
        "the same texts or patch again.",
        ProposeParams,
        ProposeAnswer,
        propose_fix,
    ),
)
