"""`explain`: what a finding or a code means, and how to fix it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from gateline.mcp.engine import EngineError
from gateline.mcp.paging import cut, short
from gateline.mcp.tool import Answer, Desk, Params, Tool
from gateline.model.codes import CODES, page_url
from gateline.protocol.check_methods import CHECK

_RESERVE = 350
"""Tokens of an answer beside the page."""


class ProposedError(EngineError):
    """A finding is of a text that was proposed to `gate_check` and is not written."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        super().__init__(
            f"finding {row['identity']} is of a text of {short(row['path'], 120)} that is not written: "
            "nobody keeps that text"
        )
        self.row = row


class ExplainParams(Params):
    """A finding or a code."""

    finding: Annotated[
        str, Field(max_length=40, description="The id of a finding, as gate_check tells it.")
    ] = ""
    code: Annotated[
        str, Field(max_length=80, description="A code or its name, as GTL301 or complex-function.")
    ] = ""
    after: Annotated[
        str, Field(max_length=10, description="The number of the line of the page to go on from.")
    ] = ""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if bool(self.finding) == bool(self.code):
            raise ValueError("give a finding or a code")
        return self


class ExplainAnswer(Answer):
    """What it means."""

    code: str
    name: str
    summary: str
    url: str
    path: Annotated[str, Field(description="Where the finding is.")] = ""
    line: Annotated[int, Field(description="From 1; 0 without a finding.")] = 0
    message: str = ""
    symbol: Annotated[str, Field(description="The function or class around it.")] = ""
    points: Annotated[float, Field(description="What the score wins without it.")] = 0.0
    related: Annotated[tuple[str, ...], Field(description="Other places that explain it.")] = ()
    page: str = Field(description="What it finds, why it matters, how to fix it.")


async def explain(desk: Desk, params: ExplainParams) -> ExplainAnswer:
    """The page of a code, with the finding."""
    from gateline.session.errors import UsageError
    from gateline.session.rule_pages import code_named, page

    told, found = await _looked_up(desk, params.finding) if params.finding else ({}, None)
    try:
        code = code_named(found["code"] if found else params.code)
    except UsageError as error:
        raise EngineError(str(error)) from None
    lines = page(code).splitlines(keepends=True)
    begin = int(params.after) if params.after.isdecimal() else 0
    text, rest = cut("".join(lines[begin:]), params.budget - _RESERVE)
    left = len(rest.splitlines())
    return ExplainAnswer(
        code=code,
        name=CODES[code].name,
        summary=CODES[code].summary,
        url=page_url(code),
        page=text,
        left_out=left,
        after=str(len(lines) - left) if left else "",
        **_of(told, found),
    )


async def _looked_up(desk: Desk, identity: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The finding of what is written, else of what was proposed: without a verdict."""
    try:
        return await finding_now(desk, identity)
    except ProposedError as error:
        return {}, error.row


def _of(told: Mapping[str, Any], found: Mapping[str, Any] | None) -> dict[str, Any]:
    if found is None:
        return {"fresh": True, "next_action": "call gate_check to see whether this is found here"}
    related = [
        f"{row['path']}:{row['span']['start']['line'] + 1} {row['message']}" for row in found["related"]
    ]
    return {
        # Nothing that is proposed is what there is.
        "content_hash": told.get("contentHash", ""),
        "fresh": told.get("fresh", False),
        "path": found["path"],
        "line": found["span"]["start"]["line"] + 1,
        "message": short(found["message"]),
        "symbol": found["symbol"],
        "points": found["points"],
        "related": [short(text) for text in related[:5]],
        "next_action": (
            f"call propose_fix with finding {found['identity']}{'' if told else ' and what you proposed'}, "
            "or fix it yourself"
        ),
    }


async def finding_now(desk: Desk, identity: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The newest verdict with a finding, and that finding.

    Raises ProposedError for one of a text that was only proposed, EngineError for any other.
    """
    known = await desk.ask(CHECK.name, {"known": True})
    for told in (known, None):
        told = told or await desk.ask(CHECK.name, {"patience": 10_000}, 15.0)
        evaluation = told["evaluation"] or {"findings": [], "suppressed": []}
        rows = [*evaluation["findings"], *evaluation["suppressed"]]
        found = next((row for row in rows if row["identity"] == identity), None)
        if found is not None:
            return told, found
    if (row := desk.proposed.get(identity)) is not None:
        raise ProposedError(row)
    hint = "call gate_check, and give an id of its answer"
    raise EngineError(f"finding {identity!r} is not in the current change: {hint}")


TOOLS = (
    Tool(
        "explain",
        "Explain a finding",
        "What a finding or a code (GTL301) means: what was found, why it matters, how to fix it, how a "
        "person may accept it.",
        ExplainParams,
        ExplainAnswer,
        explain,
    ),
)
