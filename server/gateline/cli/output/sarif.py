"""SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from gateline import __version__
from gateline.cli.output.order import severity_in, shown_findings
from gateline.cli.output.tests import has_spoken, in_a_line
from gateline.gates.result import undecided
from gateline.model import Dimension, Evaluation, Finding, Novelty, Outcome, Related, Severity, Span
from gateline.model.codes import CODES, Code, page_url
from gateline.model.waiver import Accepted
from gateline.session.check_result import CheckResult

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
_HOME = "https://github.com/gateline/gateline"
_LIMIT = 5_000
"""GitHub shows no more results of a run; new ones come first."""


def render(result: CheckResult) -> str:
    """All findings, the old ones as `unchanged`, the suppressed ones with their suppression."""
    evaluation = result.evaluation
    accepted = {row.finding: row for row in evaluation.accepted}
    suppressed = frozenset(evaluation.suppressed)
    shown = {*shown_findings(evaluation), *(f for f in suppressed if f.novelty is Novelty.NEW)}
    rows = sorted(
        (*evaluation.findings, *suppressed, *accepted),
        key=lambda f: (f not in shown, f.novelty is Novelty.OLD, f in suppressed, f.sort_key, f.identity),
    )[:_LIMIT]
    gate = undecided(evaluation)
    rows = [*rows, gate][-_LIMIT:] if gate else rows
    codes = sorted({f.code for f in rows})
    run = {
        "tool": {"driver": _driver(codes)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": "The workspace root."}}},
        "results": [
            _row(f, evaluation, f in suppressed, accepted.get(f)) | {"ruleIndex": codes.index(f.code)}
            for f in rows
        ],
        "invocations": [_invocation(evaluation)],
        "properties": {
            "decision": evaluation.decision.outcome,
            "score": evaluation.score.value,
            "tests": in_a_line(evaluation.tests),
        },
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _invocation(evaluation: Evaluation) -> dict[str, Any]:
    """Whether gateline could decide, and everything that it could not measure."""
    said = [*evaluation.limits, *([] if has_spoken(evaluation.tests) else [in_a_line(evaluation.tests)])]
    decided = evaluation.decision.outcome is not Outcome.UNDECIDED
    why = [] if decided else evaluation.decision.reasons
    levels = dict.fromkeys(said, "warning") | dict.fromkeys(why, "error")
    notices = [{"level": level, "message": {"text": text}} for text, level in levels.items()]
    return {"executionSuccessful": decided, "toolExecutionNotifications": notices}


def _driver(codes: list[str]) -> dict[str, Any]:
    return {
        "name": "gateline",
        "informationUri": _HOME,
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }


def _rule(code: str) -> dict[str, Any]:
    known = CODES.get(code) or Code(
        code, code.lower(), "A finding that a plug-in reports.", Dimension.GATELINE
    )
    return {
        "id": code,
        "name": known.name,
        "shortDescription": {"text": known.summary},
        "helpUri": page_url(code),
        "properties": {"tags": [str(known.dimension)]},
    }


def _row(finding: Finding, evaluation: Evaluation, suppressed: bool, by: Accepted | None) -> dict[str, Any]:
    result = _result(finding, evaluation, suppressed)
    return result if by is None else _as_accepted(result, by)


def _result(finding: Finding, evaluation: Evaluation, suppressed: bool) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": "note" if suppressed else _LEVELS[severity_in(evaluation, finding)],
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.span)],
        "partialFingerprints": {"gatelineIdentity/v1": finding.identity},
        "baselineState": "new" if finding.novelty is Novelty.NEW else "unchanged",
    }
    if finding.related:
        result["relatedLocations"] = [_related(n, row) for n, row in enumerate(finding.related)]
    if finding.origin:
        result["properties"] = {"origin": finding.origin}
    if suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    if finding.remark:
        # A rejected suppression hides nothing from a reader.
        told = {"kind": "inSource", "justification": finding.remark}
        result["suppressions"] = [told if suppressed else told | {"status": "rejected"}]
    return result


def _as_accepted(result: dict[str, Any], row: Accepted) -> dict[str, Any]:
    said = ": ".join(filter(None, (row.source, row.reason)))
    told = {"kind": "external", "status": "accepted", "justification": said}
    return {**result, "level": "note", "suppressions": [told]}


def _related(number: int, related: Related) -> dict[str, Any]:
    return {"id": number, "message": {"text": related.message}, **_location(related.path, related.span)}


def _location(path: str, span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.start.line + 1,
        "startColumn": span.start.column + 1,
        "endLine": span.end.line + 1,
        "endColumn": span.end.column + 1,
    }
    address = {"uri": quote(path, errors="surrogateescape"), "uriBaseId": "ROOT"}
    return {"physicalLocation": {"artifactLocation": address, "region": region}}
