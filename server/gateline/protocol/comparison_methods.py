"""The methods about comparing candidate solutions."""

from __future__ import annotations

from typing import Any

from gateline.protocol.method import Method

_WHERE = {"uri": "file:///home/me/project"}
_ONE = {**_WHERE, "comparison": "5d0c8f1e2a7b", "candidate": "agent-1"}
_ROW: dict[str, Any] = {"score": 0.94, "evidence": 0.9, "stages": [], "categories": []}

CANDIDATES = Method(
    "gateline/compare/candidates",
    "comparisons:CandidatesParams",
    "comparisons:CandidatesResult",
    "What could be compared: local branches, stash entries and the other work trees.",
    _WHERE,
    {"candidates": [{"name": "agent-1", "kind": "branch", "detail": "Median of even lists"}]},
)

START_COMPARISON = Method(
    "gateline/compare/start",
    "comparisons:StartComparisonParams",
    "comparisons:ComparedResult",
    "Compare candidate solutions as `gateline compare` does, in a process of its own, which takes minutes. "
    "Progress goes to `workDoneToken`; cancelling the progress or the request ends it with all that it "
    "started. The candidates' code and tests run in isolation: the person is asked first whether tests may "
    "be run. Nothing of the workspace is changed.",
    {**_WHERE, "candidates": ["agent-1", "agent-2"], "workDoneToken": "compare-1"},
    {
        "comparison": "5d0c8f1e2a7b",
        "folder": "file:///home/me/project",
        "result": {
            "base": "0160ea33920c4f6a8b0c1d2e3f4a5b6c7d8e9f0a",
            "ranking": {
                "strategy": "evidence",
                "isolation": "bubblewrap",
                "winner": "agent-1",
                "why": "visible tests: agent-1 passes 4 of 4, agent-2 2 of 4",
                "deciding": [],
                "confidence": {"formula": 0.7, "calibrated": 0.91},
                "acceptance": {"accepted": False, "reasons": ["it is switched off (compare.auto-accept)"]},
                "rows": [{"name": "agent-1", "place": 1, **_ROW}, {"name": "agent-2", "place": 2, **_ROW}],
                "duels": [],
            },
            "given": [],
        },
        "markdown": "### take agent-1 (confidence 91%)\n",
    },
)

CANDIDATE_DIFF = Method(
    "gateline/compare/diff",
    "comparisons:CandidateParams",
    "comparisons:CandidateDiffResult",
    "What a candidate changed.",
    _ONE,
    {
        "diff": "diff --git a/shop/cart.py b/shop/cart.py\n--- a/shop/cart.py\n+++ b/shop/cart.py\n",
        "files": [{"path": "shop/cart.py", "before": "A = 1\n", "after": "A = 2\n"}],
    },
)

ACCEPT_CANDIDATE = Method(
    "gateline/compare/accept",
    "comparisons:AcceptCandidateParams",
    "comparisons:AcceptCandidateResult",
    "Write what a candidate changed as one edit that can be undone, after a savepoint. A file edited "
    "meanwhile keeps these edits: both are in it, or it is left alone and told. The choice is in the audit "
    "trail. Nothing is merged, committed or pushed.",
    _ONE,
    {
        "written": {
            "applied": True,
            "savepoint": "20260301T093512123456-8b1a9953",
            "now": "20260301T093511998877-1c2d3e4f",
            "steps": [{"path": "shop/cart.py", "action": "change", "conflict": ""}],
        }
    },
)

REJECT_CANDIDATES = Method(
    "gateline/compare/reject",
    "comparisons:ComparisonParams",
    "comparisons:RejectCandidatesResult",
    "Record in the audit trail that a person wants none of the candidates. Nothing is written.",
    {**_WHERE, "comparison": "5d0c8f1e2a7b"},
    {},
)

COMPARISON_METHODS = (CANDIDATES, START_COMPARISON, CANDIDATE_DIFF, ACCEPT_CANDIDATE, REJECT_CANDIDATES)
