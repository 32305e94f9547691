"""What can be read: the last report whole, as `gateline check --output json` writes it, and the rules."""

from __future__ import annotations

import json
from dataclasses import dataclass

from gateline.mcp.engine import EngineError
from gateline.mcp.tool import Desk
from gateline.model.codes import CODES
from gateline.protocol.check_methods import CHECK
from gateline.protocol.methods import OBSERVED

REPORT = "gateline://report"
METRICS = "gateline://metrics"
RULES = "gateline://rules"
RULE = "gateline://rules/{code}"


@dataclass(frozen=True)
class Listed:
    """A resource as it is listed."""

    uri: str
    name: str
    description: str
    mime: str


LISTED = (
    Listed(
        REPORT,
        "Last report",
        "The newest verdict on this workspace, whole, as `gateline check --output json` writes it.",
        "application/json",
    ),
    Listed(
        METRICS,
        "Metrics",
        "Counters and histograms of gateline itself: decisions, scores, early warnings, how long it took.",
        "application/json",
    ),
    Listed(RULES, "Rules", "Every code that the gate knows, in a line each.", "text/plain"),
)
TEMPLATE = Listed(RULE, "Rule", "What a code finds, why it matters, how to fix it.", "text/markdown")


async def read(desk: Desk, uri: str) -> tuple[str, str]:
    """The text of a resource, and its MIME type. Raises EngineError."""
    if uri == REPORT:
        return await _report(desk), "application/json"
    if uri == METRICS:
        return json.dumps(await desk.ask(OBSERVED.name, {}), indent=2) + "\n", "application/json"
    if uri == RULES:
        rows = (f"{known.code} {known.name}: {known.summary}" for known in CODES.values())
        return "\n".join(rows) + "\n", "text/plain"
    prefix = RULE.partition("{")[0]
    if uri.startswith(prefix):
        return _rule(uri.removeprefix(prefix)), "text/markdown"
    raise EngineError(f"unknown resource {uri[:200]!r}; call resources/list")


async def _report(desk: Desk) -> str:
    told = await desk.ask(CHECK.name, {"known": True})
    if told["evaluation"] is None:
        raise EngineError("nothing was judged yet: call gate_check")
    # As `canonical_json` has it: what was timed is left out, so that the same content has the same bytes.
    evaluation = told["evaluation"] | {"timings": []}
    return json.dumps(evaluation, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> str:
    from gateline.session.errors import UsageError
    from gateline.session.rule_pages import code_named, page

    try:
        return page(code_named(code[:80]))
    except UsageError as error:
        raise EngineError(str(error)) from None
